"""The pages about a game never name their reader: they say “you”."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from accounts.languages import override_language
from accounts.models import User
from game.history.past import course_of
from game.history.round_reports import turns_of
from game.rulesets.registry import RULESETS
from game.store.game import Game
from game.store.log import LoggedAction
from game.store.log_notes import Note
from tests.scenes import play_on
from tests.store.test_log_notes import FACTS, NAMED, NAMES
from tests.tables import new_game, shortest
from tests.toy_scenes import sits, words_of

pytestmark = [pytest.mark.django_db]
READER = "Quentin"
TABS = ("", "history/", "history/?at=1&play=1", "spreadsheet/", "charts/", "story/", "draws/", "outcomes/")
EXPLAINED = re.compile(r"(explain/[^\"?]+/0/)")
HEADS = re.compile(r"<(?:header|nav|script|style)\b.*?</(?:header|nav|script|style)>", re.DOTALL)


def write_notes(game: Game) -> list[Note]:
    """Let the last entries of the log have a note about the reader each, one of every kind."""
    facts = FACTS | {fact: f"Mr. {fact.upper()}" for fact in NAMES} | {"reason": "why"}
    notes = [
        sentence(**{each: facts[each] for each in re.findall(r"{(\w+)}", sentence.value)} | {fact: READER})
        for sentence, fact in NAMED
    ]
    entries = [*LoggedAction.objects.filter(game=game, note="").order_by("-number")[: len(notes)]]
    assert len(entries) == len(notes)
    for entry, note in zip(entries, notes, strict=True):
        entry.write_note(note)
        entry.save()
    return notes


def pages_of(game: Game) -> Iterator[tuple[str, str]]:
    """The pages about a game by their addresses, in words: board, log, tables, story, the results of each turn and the
    explanations of figures."""
    reader, explained = sits(READER), set[str]()
    addresses = [*TABS, *(f"results/?turn={turn}" for turn in turns_of(course_of(game)))]
    for address in addresses:
        page = reader.get(f"/games/{game.pk}/{address}").content.decode()
        explained |= {*EXPLAINED.findall(page)}
        yield address, words_of(HEADS.sub("", page.partition("<main")[2]))
    assert explained
    for address in sorted(explained):
        page = reader.get(f"/games/{game.pk}/{address}").content.decode()
        yield address, words_of(HEADS.sub("", page.partition("<main")[2]))


def mentions(game: Game) -> list[tuple[str, str]]:
    """Where these pages name the reader, with the words around it."""
    return [
        (address, words[max(at.start() - 60, 0) : at.end() + 60])
        for address, words in pages_of(game)
        for at in re.finditer(READER, words)
    ]


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_no_page_about_a_game_names_its_reader(ruleset: str, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = play_on(new_game(READER, bots=2, ruleset=ruleset, **shortest(ruleset, max_turns=3)))
    for language in ("en", "de"):
        User.objects.filter(username=READER).update(language=language)
        assert mentions(game) == []


def test_no_note_of_the_site_names_its_reader(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = play_on(new_game(READER, bots=2, **shortest("sectors", max_turns=3)))
    notes = write_notes(game)
    for language in ("en", "de"):
        User.objects.filter(username=READER).update(language=language)
        assert mentions(game) == []
        with override_language(language):
            expected = {note.words(game.rules.turn_title, READER) for note in notes}
        pages = " ".join(words for _, words in pages_of(game))
        assert [note for note in expected if note not in pages] == []


def test_a_downloaded_log_names_everybody(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = play_on(new_game(READER, bots=2, **shortest("sectors", max_turns=3)))
    notes = write_notes(game)
    address = f"/games/{game.pk}/export/log.csv"
    log = sits(READER).get(address).content.decode()
    assert [note.english for note in notes if note.words(game.rules.turn_title) not in log] == []
    assert re.findall(r"You (?!made no decision)", log) == [], "a missed decision is told to its seat alone"
