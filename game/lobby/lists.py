"""The lists of the lobby: games that need the reader, that wait for others, that are open, that are over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from django.urls import reverse
from msgspec import structs

from accounts.models import User
from game.boards.options import OptionTable, Preset
from game.boards.registry import board_of
from game.deadlines.paces import Timing, span_words, words_of
from game.engine.flow import Flow, Phase
from game.engine.language import apart, count, kept, mark, say
from game.engine.phrases import either, inside
from game.engine.ruleset import Ruleset
from game.lobby.entry_conditions import terms_of
from game.lobby.free_seats import free_seats
from game.lobby.queries import (
    MOST_FINISHED,
    MOST_OPEN,
    Finished,
    LobbySeat,
    Mine,
    Open,
    finished_games,
    games_invited_to,
    games_under_way,
    games_with_room,
)
from game.outbox.reachability import Reach, Silence
from game.play.stand_in_seats import until_of
from game.reputation import households
from game.reputation.rating_reads import ratings_told_at
from game.rulesets.registry import RULESETS
from game.seats.stand_in_page import day_words
from game.site import features
from game.store.badges import SeatBadge, badges_of, place_words, rank_words
from game.store.game import Game, Keeper, Pace, Status
from game.store.pending import Need, Needs

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
    spans: tuple[tuple[str, str], ...]  # (pace, how long its usual preset takes)
    url: str  # where one is created
    is_current: bool


@dataclass(frozen=True)
class Entry:
    """A game as a row of the lobby; it needs no position."""

    game_id: int
    name: str
    url: str
    size: int
    pace_words: str = ""
    rules_words: str = ""
    taken: int = 0
    host: str = ""
    join_url: str = ""
    decline_url: str = ""  # if the reader is invited by name
    terms: tuple[str, ...] = ()
    ratings: str = ""
    refusal: str = ""  # why the reader cannot join
    seats: tuple[SeatBadge, ...] = ()
    phase_words: str = ""
    ask: str = ""
    fate: str = ""
    your_state: str = "none"
    is_asked: bool = False
    is_rated: bool = False
    is_gathering: bool = False
    still_deciding: str = ""
    is_held: bool = False
    deadline_at: datetime | None = None
    ended_at: datetime | None = None
    score: int | None = None
    score_word: str = ""
    rank_words: str = ""
    winner: str = ""
    stands_in: str = ""  # a stand-in plays for the reader, or the reader is one


def lobby_context(*, user: User) -> dict[str, Any]:
    """The first page of the lobby: the reader's own games, and the newest that look for players."""
    mine, finished_rows, open_games = games_under_way(user.pk), finished_games(user.pk), games_with_room(user.pk)
    invitations = invited_entries(user)
    own_games = [game_row for game_row in mine if _own_seat(game_row, user).keeper != Keeper.RESIGNED]
    entries = [entry_of(game_row, user) for game_row in own_games]
    deciding = sorted((entry for entry in entries if entry.is_asked), key=_by_deadline)
    needs_you = [entry for entry in deciding if entry.your_state != "submitted"]
    waiting = sorted((entry for entry in entries if not entry.is_asked and not entry.is_gathering), key=_by_deadline)
    open_rows = open_games[:MOST_OPEN]
    rated = [game_row.game.pk for game_row in open_rows if game_row.game.is_rated]
    ratings, closed_games = ratings_told_at(rated), households.closed_among(rated, user_id=user.pk)
    finished = [finished_entry(game_row) for game_row in finished_rows[:MOST_FINISHED]]
    return {
        "page": "lobby",
        "headline": headline(len(needs_you)),
        "invitations": invitations,
        "silence": _unreachable_reason(user, mine, needs_you),
        "needs_you": needs_you,
        "to_review": [entry for entry in deciding if entry.your_state == "submitted"],
        "waiting": waiting,
        "waiting_scores": score_words(waiting),
        "gathering": [entry for entry in entries if entry.is_gathering],
        "finished": finished,
        "finished_scores": score_words(finished),
        "has_more_finished": len(finished_rows) > MOST_FINISHED,
        "has_played": bool(mine or finished_rows),
        "free_seats": free_seats(user=user),
        "open_games": [
            open_entry(game_row, ratings.get(game_row.game.pk, ""), is_closed=game_row.game.pk in closed_games)
            for game_row in open_rows
        ],
        "has_more_open": len(open_games) > MOST_OPEN,
        "games": game_cards(),
        "next_deadline_at": next((entry.deadline_at for entry in needs_you), None),
    }


def invited_entries(user: User) -> list[Entry]:
    """The games to which the reader is invited by name: each can be joined, if a seat is free, or declined. A seat of a
    running game is taken on its board, which shows its position."""
    return [_invited_entry(game_row) for game_row in games_invited_to(user.pk)]


def _invited_entry(game_row: Open) -> Entry:
    size = game_row.game.seats_wanted
    refusal = say("All {n} seats are taken.", n=size) if game_row.taken >= size else ""
    entry = replace(
        open_entry(game_row), refusal=refusal, decline_url=reverse("decline_invitation", args=[game_row.game.pk])
    )
    return entry if game_row.game.status == Status.WAITING else replace(entry, join_url="")


def _unreachable_reason(user: User, mine: Iterable[Mine], needs_you: Iterable[Entry]) -> Silence | None:
    """Why notifications do not reach the reader, judged by the game with the nearest deadline. If the reader chose
    that, it is shown only while a decision is theirs."""
    timed = {row.game.pk: row.game for row in mine if row.game.is_slow and row.game.deadline_at}
    next_game = next((timed[entry.game_id] for entry in needs_you if entry.game_id in timed), None)
    silence = Reach(user, next_game or next(iter(timed.values()), None)).silence
    return None if silence and silence.is_chosen and next_game is None else silence


def needs_told(context: dict[str, Any], user: User) -> Needs:
    """The games that need the reader, from what the lobby has already read."""
    return Needs(user, [Need(entry.game_id, entry.name, entry.deadline_at) for entry in context["needs_you"]])


def headline(number: int) -> str:
    """The number of games that need the reader, as a sentence."""
    return count("One game needs you", "{n} games need you", number) if number else say("No decisions to make")


def entry_of(mine: Mine, user: User) -> Entry:
    """The row of a game in which this reader plays. Only the owner sees that a seat has a draft."""
    game, own_seat = mine.game, _own_seat(mine, user)
    has_stand_in = own_seat.user_id != user.pk
    places = badges_of(mine.seats, user_id=user.pk, states=game.seat_states)
    if mine.has_draft:
        places = tuple(
            structs.replace(place, state="draft") if place.is_you and place.state == "untouched" else place
            for place in places
        )
    state, score = (
        places[own_seat.number].state,
        mine.worth[own_seat.number] if own_seat.number < len(mine.worth) else None,
    )
    phase = _phase_of(game)
    return Entry(
        game_id=game.pk,
        name=game.name,
        url=url_of(game.pk),
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        taken=len(mine.seats),
        size=game.seats_wanted,
        host=mine.host,
        seats=places,
        phase_words=_phase_words(game.turn, phase) if phase else "",
        ask=f"{board_of(game.ruleset).prompt_of_phase(phase)}." if phase else "",
        fate=fate_words(phase.default if phase else "", state, is_timed=game.deadline_at is not None),
        your_state="away" if has_stand_in else own_seat.keeper or state,
        is_asked=game.is_running and not (own_seat.keeper or has_stand_in) and own_seat.number in game.waiting_seats,
        is_gathering=game.status == Status.WAITING,
        still_deciding=", ".join(apart(place.name) for place in places if place.state in {"untouched", "submitted"}),
        is_held=game.status in {Status.HELD, Status.PAUSED},
        deadline_at=game.deadline_at,
        score=score,
        score_word=say(board_of(game.ruleset).score),
        rank_words="" if score is None else rank_words(mine.worth, score),
        stands_in=_stand_in_words(game, own_seat, is_lent=has_stand_in),
    )


def _stand_in_words(game: Game, own: LobbySeat, *, is_lent: bool) -> str:
    """Until when a stand-in plays this seat for the reader, or the reader plays it for somebody."""
    if not game.has_proxy(own.number):
        return ""
    day = day_words(until_of(game, own.number))
    if is_lent:
        return say("{name} plays until {day}", name=own.shown_name, day=day)
    return say("for another player until {day}", day=day)


def _phase_words(turn: int, phase: Phase) -> str:
    title = say("phase {number}: {title}", number=phase.number, title=say(phase.title))
    return say("Turn {turn}, {phase}", turn=turn, phase=title)


def open_entry(row: Open, ratings: str = "", *, is_closed: bool = False) -> Entry:
    """The row of a game that looks for players. `is_closed`: the reader shares a home with one of them."""
    game = row.game
    return Entry(
        game_id=game.pk,
        name=game.name,
        url=url_of(game.pk),
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        taken=row.taken,
        size=game.seats_wanted,
        host=row.host,
        join_url=f"{url_of(game.pk)}join/",
        terms=terms_of(game),
        is_rated=game.is_rated,
        ratings=ratings,
        refusal=say(households.SHARES) if is_closed else "",
    )


def finished_entry(over: Finished) -> Entry:
    """The row of one of the reader's finished games; a game ended by agreement has no result."""
    is_stopped = over.status == Status.ABANDONED
    return Entry(
        game_id=over.game_id,
        name=over.name,
        url=url_of(over.game_id),
        size=over.size,
        ended_at=over.finished_at,
        score=None if is_stopped else over.score,
        score_word=say(board_of(over.ruleset).score),
        rank_words="" if over.place is None else place_words(over.place, over.size),
        winner=say("no result") if is_stopped else ", ".join(over.winners),
    )


@lru_cache(maxsize=4096)
def url_of(game_id: int) -> str:
    return reverse("game", args=[game_id])


def _own_seat(mine: Mine, user: User) -> LobbySeat:
    """The reader's seat, even if a stand-in plays it."""
    stand_in_seat = mine.game.seat_owned_by(user.pk)
    return next(
        seat
        for seat in mine.seats
        if (seat.user_id == user.pk if stand_in_seat is None else seat.number == stand_in_seat)
    )


def _by_deadline(entry: Entry) -> tuple[bool, float]:
    return entry.deadline_at is None, entry.deadline_at.timestamp() if entry.deadline_at else 0


class Kind(NamedTuple):
    """What games with the same rules and options have in common."""

    flow: Flow
    words: str


def _kind_of(game: Game) -> Kind:
    return _kind_of_options(game.ruleset, msgspec.json.encode(game.options))


@kept(1024)
def _kind_of_options(ruleset: str, options: bytes) -> Kind:
    rules, parsed_options = RULESETS[ruleset], msgspec.json.decode(options)
    length = board_of(ruleset).options.length_words(parsed_options)
    flow = rules.flow(msgspec.convert(parsed_options, rules.options_type))
    return Kind(flow, ", ".join(filter(None, (rules.title, length))))


@kept(1024)
def _clock_words(flow: Flow, pace: str, timing: bytes) -> str:
    words = words_of(flow, pace, msgspec.json.decode(timing, type=Timing))
    return f"{words.title}, {words.clock}"


def _phase_of(game: Game) -> Phase | None:
    """The open phase; None if its row number is invalid, as in `Game.phase`."""
    rows = _kind_of(game).flow.rows
    return None if game.phase_row is None or game.phase_row >= len(rows) else rows[game.phase_row].phase


def score_words(entries: Iterable[Entry]) -> str:
    """The heading of a score column for games that may be of several kinds."""
    first, *others = dict.fromkeys(entry.score_word for entry in entries) or [""]
    return either([first, *map(inside, others)])


def pace_words(game: Game) -> str:
    """The name of the pace, and how long a phase lasts."""
    return (
        say(ALONE)
        if game.is_untimed
        else _clock_words(_kind_of(game).flow, game.pace, msgspec.json.encode(game.timing))
    )


def fate_words(default: str, state: str, *, is_timed: bool) -> str:
    """What counts at the deadline, in the words of the board; without one, that the game waits for the reader."""
    if not is_timed:
        submitted = state == "submitted"
        return say("Submitted; it counts when you are ready.") if submitted else say("The bots wait for you.")
    if state == "submitted":
        return say("Submitted; it counts at the deadline.")
    if state == "draft":
        return say("If you do nothing, your draft is submitted.")
    return say("If you do nothing, {default}.", default=say(default)) if default else ""


def rules_words(game: Game) -> str:
    """The title of the game and its length."""
    return _kind_of(game).words


def game_cards(current: str = "") -> list[GameCard]:
    """Every game that this site offers; `current` is the one on display."""
    return [_card(key, is_current=key == current) for key in features.offered()]


def seats_words(rules: Ruleset) -> str:
    """The number of players."""
    return say("{least} to {most} players", least=min(rules.seats), most=max(rules.seats))


def spans_of(rules: Ruleset, preset: Preset | None) -> tuple[tuple[str, str], ...]:
    """How long a game of this preset takes at each pace, as far as it was measured."""
    if preset is None:
        return ()
    flow = rules.flow(rules.parse_options({}))
    measured = preset.windows, preset.fewest, preset.live_minutes
    spans = [(words_of(flow, pace).title, span_words(*measured, pace)) for pace in CARD_PACES]
    return tuple((title, words) for title, words in spans if words)


def lengths_of(table: OptionTable) -> str:
    """From the shortest preset to the longest: `8 to 23 turns`."""
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
    presets = board.options.presets
    return GameCard(
        key=rules.key,
        title=rules.title,
        pitch=say(board.pitch),
        seats=seats_words(rules),
        lengths=lengths_of(board.options),
        spans=spans_of(rules, presets[0] if presets else None),
        url=f"{reverse('create_game')}?game={rules.key}",
        is_current=is_current,
    )
