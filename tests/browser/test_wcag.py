"""WCAG 2.2 AA by axe, and beyond it as far as a machine can measure, on every page of a game: light and dark, at 1440
and 390 px. In trials at 360 px too, and by axe; in each run by axe on the pages of errors."""

from typing import TYPE_CHECKING, Any

import pytest

from game.engine.flow import Mode
from game.rulesets.sectors.flow import FLOWS
from tests.browser.conftest import two_people
from tests.browser.every_page import BOARDS, DECISIONS, GAMES
from tests.browser.visiting import HOW_OFTEN, told

if TYPE_CHECKING:
    from tests.browser.visiting import Visitors


def test_every_decision_of_sectors_is_on_a_board_that_is_measured() -> None:
    kinds = {row.phase.name for flow in FLOWS.values() for row in flow.rows if row.phase.mode is not Mode.AUTOMATIC}
    assert {place(two_people()).phase for place in DECISIONS} == kinds


@pytest.mark.parametrize("rounds", HOW_OFTEN)
def test_pages_of_games(visitors: "Visitors", settings: Any, rounds: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    assert not (found := visitors.faults_on({**BOARDS, **GAMES}, rounds)), told(found)
