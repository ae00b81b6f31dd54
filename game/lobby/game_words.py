"""Games in words for lists and cards: title, length, pace, conditions of entry."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import msgspec
from django.urls import reverse

from game.boards.options import USUAL_SEATS, OptionTable, Preset
from game.boards.registry import board_of
from game.deadlines.paces import PLAIN, Timing, span_words, words_of
from game.engine.codec import Damaged
from game.engine.flow import Flow, Phase
from game.engine.language import kept, mark, say
from game.engine.ruleset import Ruleset
from game.reputation.reliability import KNOWN_FROM
from game.rulesets.registry import RULESETS, listed_rules
from game.site import features
from game.store.game import Game, Pace

PACES = (Pace.DAILY, Pace.RELAXED, Pace.EVENING, Pace.DEMO, Pace.LIVE, Pace.CUSTOM, Pace.NO_CLOCK)
CARD_PACES = (Pace.DAILY, Pace.EVENING, Pace.LIVE)
"""The paces for which a preset's card shows the length: one for each way to play."""
ALONE = mark("no deadline, alone against bots")


@dataclass(frozen=True)
class GameCard:
    """A game that can be created."""

    key: str
    title: str
    pitch: str
    seats: str
    lengths: str
    spans: tuple[tuple[str, str], ...]  # (pace, how long a first game takes)
    url: str  # where one is created
    lesson_url: str  # of its first lesson, empty if it has none
    is_current: bool


@lru_cache(maxsize=4096)
def url_of(game_id: int) -> str:
    return reverse("game", args=[game_id])


class Kind(NamedTuple):
    """The facts that games with the same rules and options share."""

    flow: Flow
    words: str


def _kind_of(game: Game) -> Kind:
    return _kind_of_options(game.ruleset, msgspec.json.encode(game.options))


@kept(1024)
def _kind_of_options(ruleset: str, options: bytes) -> Kind:
    """The kind of a game by its options. Damaged options are shown as the defaults, so that one game breaks no list.
    Opening it puts it on hold."""
    rules = listed_rules(ruleset)
    try:
        read_options = rules.stored_options(msgspec.json.decode(options))
    except Damaged:
        read_options = rules.parse_options({})
    length = board_of(ruleset).options.length_words(msgspec.to_builtins(read_options))
    flow = rules.flow(read_options)
    return Kind(flow, ", ".join(filter(None, (rules.title, length))))


@kept(1024)
def _clock_words(flow: Flow, pace: str, timing: bytes) -> str:
    """The clock in words. A damaged one is shown as that of the pace, so that one game breaks no list."""
    try:
        read_timing = msgspec.json.decode(timing, type=Timing)
    except msgspec.ValidationError:
        read_timing = PLAIN
    words = words_of(flow, pace, read_timing)
    return f"{words.title}, {words.clock}"


def pace_words(game: Game) -> str:
    """The name of the pace, and how long a phase lasts."""
    return (
        say(ALONE)
        if game.is_untimed
        else _clock_words(_kind_of(game).flow, game.pace, msgspec.json.encode(game.timing))
    )


def rules_words(game: Game) -> str:
    """The title of the game and its length."""
    return _kind_of(game).words


def game_cards(current: str = "") -> list[GameCard]:
    """Every game that this site offers; `current` is the one on display."""
    return [_card(key, is_current=key == current) for key in features.offered_rulesets()]


def seats_words(rules: Ruleset) -> str:
    return say("{least} to {most} players", least=min(rules.seats), most=max(rules.seats))


def spans_of(rules: Ruleset, preset: Preset | None) -> tuple[tuple[str, str], ...]:
    """How long a game of this preset takes at each pace for which that was measured."""
    if preset is None:
        return ()
    flow = rules.flow(rules.parse_options({}))
    measured = *preset.waits(min(USUAL_SEATS, max(rules.seats))), preset.live_minutes
    spans = [(words_of(flow, pace).title, span_words(*measured, pace)) for pace in CARD_PACES]
    return tuple((title, words) for title, words in spans if words)


def lengths_of(table: OptionTable) -> str:
    """The lengths of a game, from the shortest preset to the longest: `8 to 23 turns`."""
    if table.lengths:
        return say(table.lengths)
    lengths = [
        table.length_words(preset.options) for preset in sorted(table.presets, key=lambda preset: preset.live_minutes)
    ]
    if not lengths or lengths[0] == lengths[-1]:
        return lengths[0] if lengths else ""
    (least, _, unit), (_, _, same) = lengths[0].partition(" "), lengths[-1].partition(" ")
    return say("{least} to {most}", least=least if unit == same else lengths[0], most=lengths[-1])


@kept()
def _card(key: str, *, is_current: bool) -> GameCard:
    rules, board = RULESETS[key], board_of(key)
    return GameCard(
        key=rules.key,
        title=rules.title,
        pitch=say(board.pitch),
        seats=seats_words(rules),
        lengths=lengths_of(board.options),
        spans=spans_of(rules, board.options.first_preset),
        url=f"{reverse('create_game')}?game={rules.key}",
        lesson_url=reverse("start_lesson", args=[rules.key, board.lessons[0].key]) if board.lessons else "",
        is_current=is_current,
    )


def terms_of(game: Game) -> tuple[str, ...]:
    """The conditions as labels, for a row of a list."""
    terms = (say("Rated"),) if game.is_rated else ()
    if game.device_seats:
        terms = (say("{n} seats at one device", n=game.device_seats),)
    if not game.least_reliability:
        return terms
    return (*terms, say("reliability from {least}%", least=game.least_reliability))


def terms_words(game: Game) -> str:
    """The conditions as sentences, for the game's own page; empty if there are none."""
    sentences = []
    if game.is_rated:
        sentences.append(say("This game is rated: its result changes the ratings of all who had a seat when it began."))
    if game.device_seats:
        words = say("{n} of the seats are played at one device, that of the host.", n=game.device_seats)
        sentences.append(words)
    if game.least_reliability:
        minimum = say("Players need a reliability of at least {least}%.", least=game.least_reliability)
        newcomers = (
            say("Players with fewer than {known} decisions are welcome too.", known=KNOWN_FROM)
            if game.welcomes_newcomers
            else say("Players with fewer than {known} decisions cannot join yet.", known=KNOWN_FROM)
        )
        sentences += [minimum, newcomers]
    return " ".join(sentences)


def phase_of(game: Game) -> Phase | None:
    """The open phase; None if its row number is invalid, as in `Game.phase`."""
    rows = _kind_of(game).flow.rows
    return None if game.phase_row is None or game.phase_row >= len(rows) else rows[game.phase_row].phase
