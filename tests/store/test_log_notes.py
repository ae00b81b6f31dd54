"""What the site writes into a log: stored as the id of a sentence with its facts, read by each in their language."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from importlib import import_module

import msgspec
import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from accounts.languages import override_language
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.store import log_notes
from game.store.log import LoggedAction
from game.store.log_notes import Note, PhaseStart, Sentence
from tests.tables import new_game, person

before = import_module("game.migrations.0011_log_remarks")
NINE = PhaseStart(3, "Turn", "9", "Influence bid")
FACTS = {
    "length": timedelta(minutes=12),
    "later": timedelta(hours=1),
    "more": timedelta(hours=2),
    "moment": NINE,
    "first": date(2026, 11, 28),
    "last": date(2026, 11, 30),
    "day": date(2026, 12, 1),
    "until": datetime(2026, 12, 2, 18, 30, tzinfo=UTC),
    "reason": "He asked: twice.",
    "fingerprint": "0f" * 32,
}
NAMES = ("name", "was", "away", "resigned", "moderator", "second", "whose")


def note_of(sentence: Sentence) -> Note:
    """The note with every fact it has a place for."""
    facts = FACTS | {name: f"Mr. {name.upper()}" for name in NAMES}
    return sentence(**{name: facts[name] for name in re.findall(r"{(\w+)}", sentence.value)})


NAMED = [
    (sentence, fact)
    for sentence in Sentence
    for fact in dict.fromkeys(re.findall(r"{(name|was|whose|away|resigned)}", sentence.value))
    if (sentence, fact) != (Sentence.GAVE_SEAT_TO_BOT, "name")
]
"""Every note with each of its facts that can be its reader."""


def to_reader(note: Note, fact: str, language: str) -> str:
    """The note as the person reads it who is named by this fact."""
    people = {"away": "Mr. AWAY, Quentin", "resigned": "Quentin"}
    note = msgspec.structs.replace(note, facts=note.facts | {fact: people.get(fact, "Quentin")})
    with override_language(language):
        assert note.is_about("Quentin")
        assert "Quentin" in note.words(title_of_turns())
        return note.words(title_of_turns(), "Quentin")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(("sentence", "fact"), NAMED, ids=lambda one: getattr(one, "name", one))
def test_whoever_a_note_is_about_reads_you_and_everybody_else_their_name(
    sentence: Sentence, fact: str, language: str
) -> None:
    note = note_of(sentence)
    words = to_reader(note, fact, language)
    assert "Quentin" not in words
    assert re.search(r"\b[Yy]ou|\b[Dd](u|ir|ich|ein)", words)
    for other in {*re.findall(r"{(\w+)}", sentence.value)} & {*NAMES, "reason"} - {fact}:
        assert note.facts[other] in words
    assert not note.is_about("Mr. X")
    assert note.words(title_of_turns(), "Mr. X") == note.words(title_of_turns())


def test_a_moderator_keeps_the_name_under_which_they_acted() -> None:
    note = Sentence.SECRETS_READ(day=FACTS["day"], moderator="Lena", second="Quentin", reason="Quentin")
    assert note.words(title_of_turns(), "Quentin") == note.words(title_of_turns())
    assert not note.is_about("Quentin")


def former_english(note: Note) -> str:
    """The note as the release before wrote it."""
    facts = {name: log_notes.english_fact(name, value) for name, value in note.facts.items()}
    text = before.SENTENCES[note.id].format(**facts)
    return text if note.times == 1 else f"{text} ({note.times} times)"


def title_of_turns(game: str = "sectors") -> str:
    return RULESETS[game].turn_title


@pytest.mark.parametrize("sentence", Sentence, ids=lambda one: one.name)
def test_every_note_says_its_facts_in_both_languages(sentence: Sentence) -> None:
    note = note_of(sentence)
    english = note.words(title_of_turns())
    with override_language("de"):
        german = note.words(title_of_turns())
    assert english != german
    assert "{" not in english + german
    for name in set(re.findall(r"{(\w+)}", sentence.value)) & {*NAMES, "reason", "fingerprint"}:
        assert note.facts[name] in english
        assert note.facts[name] in german


@pytest.mark.parametrize("sentence", Sentence, ids=lambda one: one.name)
@pytest.mark.parametrize("times", [1, 3])
def test_a_note_of_the_release_before_gets_its_id_and_facts(sentence: Sentence, times: int) -> None:
    note = msgspec.structs.replace(note_of(sentence), times=times)
    assert before.remark_of(former_english(note)) == msgspec.to_builtins(note)


def test_an_id_that_was_stored_stays() -> None:
    assert {*before.SENTENCES} <= {sentence.name for sentence in Sentence}


def test_lengths_days_and_instants_are_told_as_their_reader_writes_them() -> None:
    note = Sentence.PROXY_SET(moderator="Lena", name="Carla", was="Ben", until=date(2026, 11, 28), reason="ill: 2026")
    assert note.words("Turn") == "Moderator Lena lets Carla play the seat of Ben until 28 November 2026: ill: 2026"
    assert note.english == "Moderator Lena lets Carla play the seat of Ben until 2026-11-28: ill: 2026"
    until = Sentence.TOOK_TIME_UNTIL(name="Ben", until=FACTS["until"])
    assert until.english == "Ben needs more time: this phase is extended until 2026-12-02 18:30 UTC."
    with override_language("de"):
        assert "28. November 2026" in note.words("Runde")
        assert "12 Minuten" in Sentence.VOTED_PAUSE(length=FACTS["length"]).words("Runde")
        assert "Mittwoch, 2. Dezember, 18:30" in until.words("Runde")


@pytest.mark.parametrize(
    ("game", "start", "english", "german"),
    [
        ("sectors", NINE, "Turn 3, phase 9: Influence bid", "Runde 3, Phase 9: Einflussgebot"),
        ("sectors", PhaseStart(0, "Turn", "1", "Influence bid"), "phase 1: Influence bid", "Phase 1: Einflussgebot"),
        ("sectors", PhaseStart(2, "Turn", "", "gone"), "Turn 2, gone", "Runde 2, gone"),
        ("power_up", PhaseStart(12, "Turn", "2", "Turn"), "Turn 12, phase 2: Turn", "Zug 12, Phase 2: Zug"),
        (
            "big_shoulders",
            PhaseStart(2, "Decade", "3", "Stock phase"),
            "Decade 2, phase 3: Stock phase",
            "Jahrzehnt 2, Phase 3: Börsenphase",
        ),
    ],
)
def test_a_phase_calls_a_turn_as_its_game_does(game: str, start: PhaseStart, english: str, german: str) -> None:
    """Two games store “Turn”; in German one of them calls it Runde, the other Zug."""
    assert start.english == start.words(title_of_turns(game)) == english
    with override_language("de"):
        assert start.english == english
        assert start.words(title_of_turns(game)) == german


def test_a_note_of_another_release_is_shown_as_it_is_written() -> None:
    assert before.remark_of("Something else happened.") is None
    with override_language("de"):
        for remark in (None, {"id": "OF_A_LATER_RELEASE", "facts": {}, "times": 1}):
            assert log_notes.words_of("Something else.", remark, title_of_turns()) == "Something else."


@pytest.mark.django_db
def test_a_seat_that_is_given_up_is_told_to_each_in_their_language(client: Client) -> None:
    game = new_game("ada", "bob", bots=1)
    takeover.resign(game_id=game.pk, user=person("bob"))
    assert LoggedAction.objects.filter(game=game, note__startswith="bob resigned. The caretaker").exists()
    reader = person("ada")
    client.force_login(reader)
    assert "bob resigned. The caretaker" in client.get(f"/games/{game.pk}/").content.decode()
    reader.language = "de"
    reader.save()
    assert (
        "bob hat aufgegeben. Auf diesem Platz spielt die Vertretung"
        in client.get(f"/games/{game.pk}/").content.decode()
    )


@pytest.mark.django_db
def test_stored_logs_are_converted() -> None:
    game = new_game("ada", "bob", bots=1)
    takeover.resign(game_id=game.pk, user=person("bob"))
    written = list(game.log.exclude(note="").order_by("number").values_list("note", "remark"))
    assert len(written) == 2
    game.log.update(remark=None)
    with connection.schema_editor() as editor:
        before.convert(apps, editor)
    assert list(game.log.exclude(note="").order_by("number").values_list("note", "remark")) == written
