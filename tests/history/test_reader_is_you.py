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
from game.store import log_notes
from game.store.game import Game
from game.store.log import LoggedAction
from tests.scenes import play_on
from tests.tables import new_game, shortest
from tests.toy_scenes import sits, words_of

pytestmark = [pytest.mark.django_db]
READER = "Quentin"
HEADS = re.compile(r"<(?:header|nav|script|style)\b.*?</(?:header|nav|script|style)>", re.DOTALL)


def notes_of(game: Game, language: str) -> list[str]:
    """What the site wrote about people, in words."""
    with override_language(language):
        notes = LoggedAction.objects.filter(game=game).exclude(note="")
        return [log_notes.words_of(note.note, note.remark, game.rules.turn_title) for note in notes]


def namings(game: Game, language: str) -> Iterator[tuple[str, str]]:
    """Where the log, the tables and the results of each turn name the reader, with the words around it."""
    turns, notes = turns_of(course_of(game)), notes_of(game, language)
    for address in ["history/", "spreadsheet/", *(f"results/?turn={turn}" for turn in turns)]:
        page = sits(READER).get(f"/games/{game.pk}/{address}").content.decode()
        words = words_of(HEADS.sub("", page.partition("<main")[2]))
        for note in notes:
            words = words.replace(note, "")
        yield from ((address, words[at.start() - 60 : at.end() + 60]) for at in re.finditer(READER, words))


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_no_page_about_a_game_names_its_reader(ruleset: str, settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (3,)}
    game = play_on(new_game(READER, bots=2, ruleset=ruleset, **shortest(ruleset, max_turns=3)))
    for language in ("en", "de"):
        User.objects.filter(username=READER).update(language=language)
        assert [*namings(game, language)] == []
