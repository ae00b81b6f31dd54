"""The part of a balance report about comebacks: by games that are told, and by games that bots play."""

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from game.management.reports import comebacks
from tests.management.test_reports import read


def game(*worth: Sequence[int], places: Sequence[int]) -> dict[str, Any]:
    """A game by everybody's worth at its start and after each turn, and by the places at its end."""
    standings = [{"seat": seat, "place": place, "score": worth[-1][seat]} for seat, place in enumerate(places)]
    return {"course": [{"worth": list(each), "bank": 0} for each in worth], "standings": standings, "conserved": True}


LEVEL = (10, 10, 10)
STEADY = game(LEVEL, (30, 20, 10), (40, 20, 10), (50, 20, 10), (60, 20, 10), places=(1, 2, 3))
TURNED = game(LEVEL, (30, 20, 10), (30, 20, 10), (30, 20, 10), (10, 20, 30), places=(3, 2, 1))


def test_at_half_time_the_leader_of_one_game_wins_and_of_the_other_the_last() -> None:
    half = comebacks.half_time([STEADY, TURNED])
    assert half == comebacks.Lead(turn=0, games=2, leader=50.0, last=50.0, agreement=0.0)
    assert comebacks.half_time([STEADY]) == comebacks.Lead(0, 1, 100.0, 0.0, 1.0)
    assert comebacks.half_time([TURNED]) == comebacks.Lead(0, 1, 0.0, 100.0, -1.0)


def test_half_of_five_turns_is_two() -> None:
    early = game(LEVEL, (9, 2, 1), (1, 2, 9), (9, 2, 1), (9, 2, 1), (9, 2, 1), places=(1, 2, 3))
    assert comebacks.half_time([early]) == comebacks.Lead(0, 1, 0.0, 100.0, -1.0)


def test_those_who_share_a_place_count_in_parts() -> None:
    """Two of three lead: chance alone would give each of them a third of the win."""
    shared = game(LEVEL, (30, 30, 10), (50, 20, 10), places=(1, 2, 3))
    assert comebacks.by_turn([shared]) == [comebacks.Lead(1, 1, 50.0, 0.0, 0.87)]
    both = game(LEVEL, (30, 20, 10), (40, 40, 10), places=(1, 1, 3))
    assert comebacks.by_turn([both])[0].leader == 50.0
    level = game(LEVEL, LEVEL, (50, 20, 10), places=(1, 2, 3))
    assert comebacks.by_turn([level]) == [comebacks.Lead(1, 1, 33.3, 33.3, None)]


def test_a_turn_counts_the_games_that_go_on_after_it() -> None:
    short = game(LEVEL, (30, 20, 10), (50, 20, 10), places=(1, 2, 3))
    assert [(row.turn, row.games) for row in comebacks.by_turn([STEADY, short])] == [(1, 2), (2, 1), (3, 1)]
    assert comebacks.half_time([game(LEVEL, (30, 20, 10), places=(1, 2, 3))]) is None


@pytest.mark.parametrize(("ruleset", "name"), [("sectors", "sectors-3-seats"), ("power_up", "power_up-3-seats")])
def test_the_report_of_every_game_has_them(ruleset: str, name: str, tmp_path: Path) -> None:
    out = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("simulate", ruleset, seats=3, games=3, report=tmp_path, **out)
    rows = read(tmp_path / f"{name}.html")["comebacks"]
    assert rows[0][:2] == ["Half-time", "3"]
    turns = [row[0] for row in rows[1:]]
    assert turns == [str(turn) for turn in range(1, len(turns) + 1)]
    for _, _, leader, last, agreement in rows:
        assert 0 <= float(leader.removesuffix(" %")) <= 100
        assert 0 <= float(last.removesuffix(" %")) <= 100
        assert agreement == "–" or -1 <= float(agreement.replace("−", "-")) <= 1
    assert rows[0][2] in [cell.strip() for cell in read(tmp_path / "index.html")["None"][0]]
