"""Power Up in German: its page, its log, and what it refuses."""

import pytest

from accounts.languages import override_language
from game.engine import referee
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.codec import Codec
from game.engine.events import InputAheadDropped
from game.rulesets.power_up.events import HolderPaid
from game.rulesets.power_up.ruleset import POWER_UP as RULES
from tests.pages.panels import page_engine, players
from tests.pages.test_power_up import drawn, panel


def test_the_page_of_a_turn_is_german_and_its_rules_are_stored_the_same() -> None:
    engine, chance = page_engine(), Chance("german")
    english = referee.start(RULES, RULES.parse_options({}), 2, chance)
    with override_language("de"):
        german = referee.start(RULES, RULES.parse_options({}), 2, chance)
        acting = german.position.state.acting
        page = drawn(engine, german.position, acting)
        result = panel(german.position, acting)
        other = panel(german.position, 1 - acting)
    codec: Codec = RULES.codec
    assert codec.encode_events(german.events) == codec.encode_events(english.events)
    assert codec.encode(german.position.state) == codec.encode(english.position.state)
    assert "Deine Plättchen haben einen gestrichelten Rand." in page
    assert "Plättchen im <a" in page
    assert ">Beutel</a>" in page
    assert result.brief.lead + result.brief.bold + result.brief.tail == (
        "Wenn du nichts tust: Dein Plättchen mit der kleinsten Wirkung wird gelegt, "
        "deine Hand gefüllt und nichts gekauft."
    )
    assert result.ticket
    assert result.ticket.title == "Lege ein Plättchen."
    assert result.ticket.send == "Aktion ausführen"
    assert other.brief.title.endswith("ist am Zug.")


def test_the_log_and_what_is_refused_are_german() -> None:
    at = referee.start(RULES, RULES.parse_options({}), 2, Chance("german")).position
    acting = at.state.acting
    with override_language("de"), pytest.raises(Refused) as refused:
        referee.apply(RULES, at, RULES.parse({"kind": "buy", "company": "rufus"}, acting), Chance("german"))
    with override_language("de"):
        assert refused.value.text == "Du kannst erst kaufen, wenn du in diesem Zug ein Plättchen gelegt hast."
        paid = HolderPaid(seat=None, company="rufus", shares=1, price=1300, bonus=13_000)
        names = players(at).__getitem__
        assert paid.sentence(names) == (
            "Das Energieministerium verkaufte 1 Aktie von Rufus Geothermal und erhielt einen Bonus."
        )
        assert paid.figure(names) == "+13.000 + 1 × 1.300"
    assert paid.figure(names) == "+13,000 + 1 × 1,300"


def test_what_was_given_ahead_is_told_in_the_language_of_its_reader() -> None:
    dropped = InputAheadDropped(
        seat=0, kind="buy", why="You cannot buy {company}: it is not active.", facts={"company": "Eclipse Solar"}
    )
    with override_language("de"):
        assert dropped.sentence(str) == (
            "Was du im Voraus abgegeben hattest, gilt nicht mehr: "
            "Du kannst Eclipse Solar nicht kaufen: Die Gesellschaft ist nicht aktiv."
        )
    assert dropped.sentence(str).endswith("You cannot buy Eclipse Solar: it is not active.")
