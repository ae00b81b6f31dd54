"""The page on scenarios lists the words of every game of the site, as the runner knows them."""

from __future__ import annotations

from game.engine.scenarios.manual import common_vocabulary, vocabulary
from tests.rulesets.games import RULES
from tests.servers import ROOT

PAGE = ROOT / "docs" / "rules" / "scenarios.md"
SHIPPED = [rules for key, rules in sorted(RULES.items()) if (ROOT / "game" / "rulesets" / key).is_dir()]


def test_the_page_has_the_vocabulary_of_today() -> None:
    """`./dev manage scenario --ruleset KEY --vocabulary` prints what belongs there; nothing else stands between."""
    page = PAGE.read_text(encoding="utf-8")
    heading = "## Words of every game\n"
    expected = "\n".join([common_vocabulary(), *map(vocabulary, SHIPPED)])
    assert page[page.index(heading) :] == expected
