"""The lists of the lobby: what needs the reader, what waits for others, what is open, what is over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, F, OuterRef
from django.urls import reverse
from msgspec import structs

from accounts.models import User
from game.boards.options import OptionTable, Preset
from game.boards.registry import board_of
from game.engine.ruleset import Ruleset
from game.free_seats import free_seats
from game.models import Draft, Game, Keeper, Pace, Seat, Status
from game.paces import span_words, words_of
from game.rulesets.registry import RULESETS
from game.seat_badges import SeatBadge, badges_of, rank_words

MOST_OPEN, MOST_MINE = 50, 200
PACES = (Pace.DAILY, Pace.DEMO, Pace.LIVE)
LARGE = ("state", "inputs")
OVER = (Status.FINISHED, Status.ABANDONED)
ALONE = "no deadline, alone against bots"


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
    """A game as a row of the lobby, from the game row alone: no position is unpacked for it."""

    name: str
    url: str
    pace_words: str
    rules_words: str
    taken: int
    size: int
    host: str = ""
    join_url: str = ""
    seats: tuple[SeatBadge, ...] = ()
    phase_words: str = ""
    ask: str = ""
    fate: str = ""
    your_state: str = "none"
    still_deciding: str = ""
    is_held: bool = False
    deadline_at: datetime | None = None
    ended_at: datetime | None = None
    score: int | None = None
    score_word: str = ""
    rank_words: str = ""
    winner: str = ""


def lobby_context(*, user: User, only: str = "") -> dict[str, Any]:
    """Everything the lobby page shows; of the open games `only` those of one ruleset, if it is named."""
    mine = [game for game in _my_games(user) if game.status in OVER or _stays(game, user)]
    running = [game for game in mine if game.status in {Status.RUNNING, Status.HELD, Status.PAUSED}]
    asked = _asked(running, user)
    rows = [entry_of(game, user) for game in asked]
    needs_you = [entry for entry in rows if entry.your_state != "submitted"]
    waiting = [entry_of(game, user) for game in running if game not in asked]
    finished = [entry_of(game, user) for game in mine if game.status in OVER][:20]
    return {
        "page": "lobby",
        "headline": headline(len(needs_you)),
        "needs_you": needs_you,
        "to_review": [entry for entry in rows if entry.your_state == "submitted"],
        "waiting": waiting,
        "waiting_scores": score_words(waiting),
        "gathering": [entry_of(game, user) for game in mine if game.status == Status.WAITING],
        "finished": finished,
        "finished_scores": score_words(finished),
        "free_seats": free_seats(user=user),
        "open_games": [entry_of(game, user) for game in _open_games(mine, only)],
        "games": game_cards(),
        "filters": _filters(only) if len(RULESETS) > 1 else [],
        "next_deadline_at": next((entry.deadline_at for entry in needs_you), None),
    }


def _stays(game: Game, user: User) -> bool:
    """Whether the reader has not resigned from a game."""
    return _seat(game, user).keeper != Keeper.RESIGNED


def headline(count: int) -> str:
    """How many games wait, as a sentence."""
    words = ("No decisions to make", "One game needs you")
    return words[count] if count < len(words) else f"{count} games need you"


def entry_of(game: Game, user: User | None) -> Entry:
    """A game's row for this reader; that one has a draft only its owner knows."""
    seats = list(game.seats.all())
    places = badges_of(seats, user_id=user.pk if user else None, states=game.seat_states)
    if getattr(game, "has_draft", False):
        places = tuple(
            structs.replace(place, state="draft") if place.is_you and place.state == "untouched" else place
            for place in places
        )
    mine = next((place for place in places if place.is_you), None)
    winners = [seat for seat in seats if seat.place == 1]
    phase = game.phase
    worth = game.course[-1]["worth"] if game.course else []
    score = worth[mine.number] if mine and mine.number < len(worth) and game.status != Status.ABANDONED else None
    return Entry(
        name=game.name,
        url=game.get_absolute_url(),
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        taken=len(seats),
        size=game.seats_wanted,
        host=game.host.username if game.host else "",
        join_url=f"{game.get_absolute_url()}join/",
        seats=places,
        phase_words=f"Turn {game.turn}, {phase.number} {phase.title}" if phase else "",
        ask=f"{board_of(game.ruleset).prompt_of_phase(phase)}." if phase else "",
        fate=fate_words(
            phase.default if phase else "", mine.state if mine else "none", is_timed=game.deadline_at is not None
        ),
        your_state=(mine.keeper or mine.state) if mine else "none",
        still_deciding=", ".join(place.name for place in places if place.state in {"untouched", "submitted"}),
        is_held=game.status in {Status.HELD, Status.PAUSED},
        deadline_at=game.deadline_at,
        ended_at=game.finished_at,
        score=score,
        score_word=board_of(game.ruleset).score,
        rank_words="" if score is None else rank_words(worth, score),
        winner="no result" if game.status == Status.ABANDONED else ", ".join(each.shown_name for each in winners),
    )


def score_words(entries: Iterable[Entry]) -> str:
    """The heading above the scores of games that may be of several kinds."""
    return " or ".join(dict.fromkeys(entry.score_word for entry in entries))


def pace_words(game: Game) -> str:
    """How long a phase lasts."""
    return ALONE if game.is_untimed else words_of(game.rules.flow(game.read_options()), game.pace).clock


def fate_words(default: str, state: str, *, is_timed: bool) -> str:
    """What counts at the deadline, as the board says it; without one, that nothing happens before the reader acts."""
    if not is_timed:
        return "Submitted; it counts when you are ready." if state == "submitted" else "The bots wait for you."
    if state == "submitted":
        return "Submitted; it counts at the deadline."
    if state == "draft":
        return "If you do nothing, your draft is submitted."
    return f"If you do nothing, {default}." if default else ""


def rules_words(game: Game) -> str:
    """The game and its length, in a few words."""
    length = board_of(game.ruleset).options.length_words(game.options)
    return ", ".join(filter(None, (game.rules.title, length)))


def game_cards(current: str = "") -> list[GameCard]:
    """Every game that this site plays; `current` is the one being looked at."""
    return [_card(rules, is_current=key == current) for key, rules in RULESETS.items()]


def seats_words(rules: Ruleset) -> str:
    """How many play."""
    return f"{min(rules.seats)} to {max(rules.seats)} players"


def spans_of(rules: Ruleset, preset: Preset | None) -> tuple[tuple[str, str], ...]:
    """How long a game of this preset takes at each pace, as far as anybody counted."""
    if preset is None:
        return ()
    flow = rules.flow(rules.parse_options({}))
    told = [(words_of(flow, pace).title, span_words(preset.windows, preset.live_minutes, pace)) for pace in PACES]
    return tuple((title, words) for title, words in told if words)


def lengths_of(table: OptionTable) -> str:
    """From the shortest preset to the longest: `8 to 23 turns`."""
    told = [table.length_words(preset.options) for preset in sorted(table.presets, key=lambda one: one.live_minutes)]
    if not told or told[0] == told[-1]:
        return told[0] if told else ""
    (least, _, unit), (_, _, same) = told[0].partition(" "), told[-1].partition(" ")
    return f"{least if unit == same else told[0]} to {told[-1]}"


def _card(rules: Ruleset, *, is_current: bool) -> GameCard:
    board = board_of(rules.key)
    presets = board.options.presets
    return GameCard(
        key=rules.key,
        title=rules.title,
        pitch=board.pitch,
        seats=seats_words(rules),
        lengths=lengths_of(board.options),
        spans=spans_of(rules, presets[0] if presets else None),
        url=f"{reverse('create_game')}?game={rules.key}",
        is_current=is_current,
    )


def _filters(only: str) -> list[tuple[str, str, bool]]:
    """Links that narrow the open games: title, address, whether it is the one that holds."""
    lobby = reverse("lobby")
    every = ("All games", f"{lobby}#open", not only)
    return [every, *[(rules.title, f"{lobby}?game={key}#open", key == only) for key, rules in RULESETS.items()]]


def _asked(games: Iterable[Game], user: User) -> list[Game]:
    """Those that wait for the reader, the nearest deadline first."""
    asked = [game for game in games if game.is_running and _is_asked(game, _seat(game, user))]
    return sorted(asked, key=lambda game: (game.deadline_at is None, game.deadline_at))


def _is_asked(game: Game, seat: Seat) -> bool:
    return not seat.keeper and seat.number in game.waiting_seats


def _my_games(user: User) -> list[Game]:
    drafts = Draft.objects.in_time().filter(seat__game=OuterRef("pk"), seat__user=user, serial=OuterRef("phase_serial"))
    games = (
        Game.objects.filter(seats__user=user, lesson="")
        .exclude(status=Status.ABANDONED, started_at=None)
        .annotate(has_draft=Exists(drafts))
    )
    return list(_with_seats(games).order_by("-created_at")[:MOST_MINE])


def _open_games(mine: Iterable[Game], only: str) -> list[Game]:
    waiting = Game.objects.filter(status=Status.WAITING, is_open=True).exclude(pk__in=[game.pk for game in mine])
    if only:
        waiting = waiting.filter(ruleset=only)
    with_room = _with_seats(waiting).annotate(taken=Count("seats")).filter(taken__lt=F("seats_wanted"))
    return list(with_room.order_by("-created_at")[:MOST_OPEN])


def _with_seats(games: Any) -> Any:
    return games.select_related("host").prefetch_related("seats__user").defer(*LARGE)


def _seat(game: Game, user: User) -> Seat:
    return next(seat for seat in game.seats.all() if seat.user_id == user.pk)
