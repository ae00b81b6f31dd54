"""What the site writes into a log: stored in English, told in its reader's language with the facts in their places."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.languages import override_language
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.store import log_notes
from game.store.log import LoggedAction
from tests.tables import new_game, person

FACTS = {"length": "12 minutes", "later": "1 hour", "more": "2 hours", "reason": "He asked: twice.", "times": "6"}
NAMES = (
    "fingerprint",
    "name",
    "was",
    "away",
    "resigned",
    "moderator",
    "moment",
    "first",
    "last",
    "second",
    "day",
    "whose",
    "until",
    "sentence",
)


def turn_title(game: str = "sectors") -> str:
    return RULESETS[game].turn_title


@pytest.mark.parametrize("remark", log_notes.WITH_FACTS)
def test_every_remark_finds_its_facts_again(remark: str) -> None:
    facts = {name: f"Mr. {name.upper()}" for name in NAMES} | FACTS
    written = remark.format_map(facts)
    assert log_notes.translate_note(written, turn_title()) == written
    with override_language("de"):
        german = log_notes.translate_note(written, turn_title())
    assert german != written
    for name in re.findall(r"{(\w+)}", remark):
        shown = {"length": "12 Minuten", "later": "1 Stunde", "more": "2 Stunden"}.get(name, facts[name])
        assert shown in german


def test_a_day_is_told_as_its_reader_writes_it() -> None:
    written = "Moderator Lena lets Carla play the seat of Ben until 2026-11-28: ill since 2026-11-20"
    shown = "Moderator Lena lets Carla play the seat of Ben until 28 November 2026: ill since 2026-11-20"
    assert log_notes.translate_note(written, turn_title()) == shown
    with override_language("de"):
        assert "28. November 2026" in log_notes.translate_note(written, turn_title())


@pytest.mark.parametrize("remark", [log_notes.REWOUND, log_notes.ASKED_TO_REWIND])
@pytest.mark.parametrize(
    ("moment", "shown"),
    [
        ("Turn 3, phase 1: Influence bid", "Runde 3, Phase 1: Einflussgebot"),
        ("phase 1: Influence bid", "Phase 1: Einflussgebot"),
        ("Turn 3, another name", "Turn 3, another name"),
    ],
)
def test_a_moment_is_told_with_the_title_of_its_phase(remark: str, moment: str, shown: str) -> None:
    written = remark.format(moderator="Lena", moment=moment, reason="He asked: twice.")
    assert log_notes.translate_note(written, turn_title()) == written
    with override_language("de"):
        assert log_notes.translate_note(written, turn_title()) == log_notes.say(
            remark, moderator="Lena", moment=shown, reason="He asked: twice."
        )


@pytest.mark.parametrize(
    ("game", "moment", "shown"),
    [
        ("sectors", "Turn 3, phase 1: Influence bid", "Runde 3, Phase 1: Einflussgebot"),
        ("power_up", "Turn 12, phase 2: Turn", "Zug 12, Phase 2: Zug"),
        ("stock_market_tycoon", "Year 2, phase 1: Deal", "Jahr 2, Phase 1: Austeilen"),
        ("big_shoulders", "Decade 2, phase 3: Stock phase", "Jahrzehnt 2, Phase 3: Börsenphase"),
    ],
)
def test_a_moment_calls_a_turn_as_its_game_does(game: str, moment: str, shown: str) -> None:
    """Two games store “Turn”; in German one of them calls it Runde, the other Zug."""
    assert log_notes.translate_moment(moment, turn_title(game)) == moment
    with override_language("de"):
        assert log_notes.translate_moment(moment, turn_title(game)) == shown


def test_another_sentence_is_told_as_it_is_written() -> None:
    with override_language("de"):
        assert log_notes.translate_note("Something else happened.", turn_title()) == "Something else happened."


@pytest.mark.django_db
def test_a_seat_that_is_given_up_is_told_to_each_in_their_language(client: Client) -> None:
    game = new_game("ada", "bob", bots=1)
    takeover.resign(game_id=game.pk, user=person("bob"))
    assert LoggedAction.objects.filter(game=game, note__startswith="bob resigned. The caretaker").exists()
    client.force_login(person("ada"))
    assert "bob resigned. The caretaker" in client.get(f"/games/{game.pk}/").content.decode()
    reader = person("ada")
    reader.language = "de"
    reader.save()
    assert (
        "bob hat aufgegeben. Auf diesem Platz spielt die Vertretung"
        in client.get(f"/games/{game.pk}/").content.decode()
    )
