"""Games as structs for programs: one game without unpacking its position, lists, and a user's open decisions. Nothing
in them changes when another seat revises its sealed input: neither the length of the log, nor another seat's version,
nor the time of a last move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Annotated, Any

import msgspec
from django.db.models import Count, F, QuerySet

from game.chat.page import seat_rows_of
from game.engine.language import say, spoken
from game.engine.progress import HIDDEN
from game.lobby.browse_queries import may_open
from game.lobby.lobby_queries import games_invited_to
from game.play import late
from game.store.badges import Instant, KeeperOrNone, ModeKey, PaceKey, SeatState, StatusKey, one_of
from game.store.eyes import Eyes, eyes_abroad, own_abroad, own_seats, read_for
from game.store.game import Game, Seat, Status, is_bot_account
from game.store.proposals import ProposalKind, VoteTopic, open_proposal
from game.store.readers import Reader, SeatRow, id_of
from game.votes import pauses

RELEASE = 3  # increased when an answer changes its shape, so that programs drop cached ones
UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)
COLUMNS = (
    "name", "ruleset", "ruleset_version", "options", "pace", "status", "is_open", "is_rated", "least_reliability",
    "welcomes_newcomers", "takes_bots", "host_id", "seats_wanted", "device_seats", "bots",
    "keepers", "version", "phase_row", "phase_name", "phase_serial", "phase_step", "turn", "seat_states",
    "deadline_at", "pause", "proposals", "pause_ends_at", "created_at", "started_at", "finished_at", "deserted_at",
)  # fmt: skip


class SeatLine(msgspec.Struct, frozen=True):
    """A seat: `state` is none, untouched, submitted or ready; in a phase that asks in secret it is none for all other
    seats. `keeper` says why the caretaker plays it, if it does."""

    number: int
    name: str
    person: int | None
    is_bot: bool
    state: SeatState
    keeper: KeeperOrNone


class PhaseLine(msgspec.Struct, frozen=True):
    """The open phase; `mode` is sealed, open, turns or automatic."""

    name: str
    number: str
    title: str
    mode: ModeKey


class PauseLine(msgspec.Struct, frozen=True):
    """An open vote on a pause: `to` is pause, for `seconds`, or go on. The other numbers are seats; `needed` of them
    must agree before `until`."""

    number: int
    to: Annotated[str, one_of((ProposalKind.PAUSE.value, ProposalKind.GOING_ON.value))]
    seconds: int | None
    by: int
    agreed: list[int]
    declined: list[int]
    needed: int
    until: Instant


class Summary(msgspec.Struct, frozen=True):
    """A game without its position. `you` is the reader's seat; `least_reliability` is the reliability in percent needed
    to join, 0 if none is required; `takes_bots` says whether bots of other people can join; `seat_version` grows when
    only that seat sees something new. Deadlines and times are UTC; a game without a deadline waits as long as needed.
    `pause` is the open proposal, and `paused_until` the end of a pause that the players agreed to."""

    id: int
    name: str
    status: StatusKey
    ruleset: str
    ruleset_version: int
    version: int
    seat_version: int
    you: int | None
    host: int | None
    pace: PaceKey
    is_open: bool
    is_rated: bool
    least_reliability: int
    welcomes_newcomers: bool
    takes_bots: bool
    seats_wanted: int
    seats: tuple[SeatLine, ...]
    options: dict[str, Any]
    turn: int
    phase_serial: int
    step: int
    phase: PhaseLine | None
    deadline: Instant | None
    waiting_for: tuple[int, ...]
    standstill: str
    pause: PauseLine | None
    paused_until: Instant | None
    created_at: Instant
    started_at: Instant | None
    finished_at: Instant | None


class Decision(msgspec.Struct, frozen=True):
    """A game that waits for one of the reader's seats: `state` is untouched, or submitted if it only waits for
    `ready`."""

    game: int
    name: str
    ruleset: str
    seat: int
    phase_serial: int
    step: int
    phase: str
    state: SeatState
    deadline: Instant | None


class InvitationLine(msgspec.Struct, frozen=True):
    """A game to which its host, given by name, has invited the reader. The invitation reserves no seat. If its `status`
    is not waiting, `taken` leaves out the seats that can be taken over."""

    game: int
    name: str
    ruleset: str
    host: str
    pace: PaceKey
    seats_wanted: int
    taken: int
    is_rated: bool
    least_reliability: int
    status: StatusKey


class Standing(msgspec.Struct, frozen=True):
    """The state of one of the reader's games, in numbers: the content of a stream."""

    game: int
    status: StatusKey
    version: int
    seat_version: int
    phase_serial: int
    step: int
    waiting_for_you: bool
    deadline: Instant | None


class GameFilters(msgspec.Struct, frozen=True):
    """Which games to list: those before the game `cursor`, newest first."""

    status: str = ""
    ruleset: str = ""
    pace: str = ""
    has_room: bool | None = None
    takes_bots: bool | None = None
    player: int | None = None
    cursor: int | None = None
    limit: int = 25


class Place(msgspec.Struct, frozen=True):
    """A game with its seats, and the seat from which it is seen; None for strangers and those who have resigned."""

    game: Game
    rows: tuple[SeatRow, ...]
    own: SeatRow | None
    seat: Eyes | None

    @property
    def tag(self) -> str:
        """A tag that stays the same as long as this seat would get the same response. It reveals nothing about sealed
        inputs of other seats."""
        game, own = self.game, self.own
        faces = [(row.shown_name, row.keeper, row.user_id) for row in self.rows]
        beside = (game.status, str(game.deadline_at), game.name, RELEASE, spoken().code, faces, pause_of(game))
        digest = blake2b(repr(beside).encode(), digest_size=4).hexdigest()
        seat = "x" if own is None else own.number
        version = 0 if own is None else own.version
        return f"{game.pk}-{game.version}.{version}-{seat}-{game.ruleset_version}-{digest}"

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups that receive hints about it."""
        return groups_of(self.game.pk, self.seat)


def groups_of(game_id: int, seat: int | None) -> tuple[str, ...]:
    """The groups that receive hints about a game; the second is for one seat only."""
    return (f"game.{game_id}",) if seat is None else (f"game.{game_id}", f"game.{game_id}.seat.{seat}")


def place_of(game: Game, reader: Reader) -> Place:
    """The game as this reader sees it."""
    rows, user_id = tuple(seat_rows_of(game_id=game.pk, user=reader)), id_of(reader)
    return Place(game, rows, own_abroad(game, rows, user_id), eyes_abroad(game, rows, user_id))


def summary_of(place: Place) -> Summary:
    own = place.own
    return _summary(place.game, place.rows, you=place.seat, seat_version=0 if own is None else own.version)


def list_games(*, reader: Reader, filters: GameFilters) -> tuple[list[Summary], int | None]:
    """The games that this reader may open, newest first, and the cursor of the next page: two statements."""
    games = Game.objects.on_the_clock().annotate(**read_for(id_of(reader) or 0))
    page = list(
        _filtered(games.filter(may_open(reader), lesson=""), filters)
        .only(*COLUMNS)
        .order_by("-pk")[: filters.limit + 1]
    )
    has_more = len(page) > filters.limit
    page = page[: filters.limit]
    seats = _seats_of(page)
    summaries = []
    for game in page:
        own = own_abroad(game, seats[game.pk], id_of(reader))
        you, version = (None, 0) if own is None else (own.number, own.version)
        summaries.append(_summary(game, seats[game.pk], you=you, seat_version=version))
    return summaries, page[-1].pk if has_more else None


def decisions_of(user_id: int, *, only: int | None = None) -> list[Decision]:
    """A user's open decisions, in all games or in one only, earliest deadline first."""
    seats = _seats_of_person(user_id, only).filter(keeper="", bot="", game__status=Status.RUNNING, game__lesson="")
    rows = seats.values_list(
        *("number", "game_id", "game__name", "game__ruleset", "game__phase_serial", "game__phase_step"),
        *("game__phase_name", "game__deadline_at", "game__seat_states"),
    )
    decisions = [
        Decision(game, name, ruleset, seat, serial, step, phase, states[seat], deadline)
        for seat, game, name, ruleset, serial, step, phase, deadline, states in rows
        if seat < len(states) and states[seat] in {"untouched", "submitted"}
    ]
    return sorted(decisions, key=lambda each: (each.deadline is None, each.deadline or each.game, each.game))


def invitations_to(user_id: int) -> list[InvitationLine]:
    """A user's invitations by name, newest first."""
    return [
        InvitationLine(
            each.game.pk, each.game.name, each.game.ruleset, each.host, each.game.pace, each.game.seats_wanted,
            each.taken, each.game.is_rated, each.game.least_reliability, each.game.status,
        )
        for each in games_invited_to(user_id)
    ]  # fmt: skip


def groups_of_invitee(user_id: int, lines: Iterable[InvitationLine]) -> tuple[str, ...]:
    """The groups that receive hints about these invitations, and about new ones."""
    return (f"person.{user_id}", *(f"game.{line.game}" for line in lines))


def standings_of(user_id: int, *, only: int | None = None) -> list[Standing]:
    """A user's unfinished games, or one only."""
    seats = _seats_of_person(user_id, only).filter(game__status__in=UNFINISHED, game__lesson="")
    rows = seats.order_by("game_id").values_list(
        *("game_id", "game__status", "game__version", "version", "game__phase_serial", "game__phase_step"),
        *("number", "keeper", "game__deadline_at", "game__seat_states"),
    )
    return [
        Standing(game, status, version, own, serial, step, _is_asked(status, keeper, states, seat), deadline)
        for game, status, version, own, serial, step, seat, keeper, deadline, states in rows
    ]


def standing_at(place: Place) -> list[Standing]:
    """The state of one game for its reader; empty once it is over."""
    game, own = place.game, place.own
    if game.status not in UNFINISHED:
        return []
    version = 0 if own is None else own.version
    is_asked = own is not None and _is_asked(game.status, own.keeper, game.seat_states, own.number)
    serial, step = game.phase_serial, game.phase_step
    return [Standing(game.pk, game.status, game.version, version, serial, step, is_asked, game.deadline_at)]


def _is_asked(status: str, keeper: str, states: Sequence[str], seat: int) -> bool:
    is_decided = seat >= len(states) or states[seat] not in {"untouched", "submitted"}
    return status == Status.RUNNING and not keeper and not is_decided


def groups_of_person(user_id: int, *, only: int | None = None) -> tuple[str, ...]:
    """The groups that receive hints about all games of a user, or about one only."""
    seats = _seats_of_person(user_id, only).filter(game__status__in=UNFINISHED)
    places = seats.order_by("game_id").values_list("game_id", "number")
    return tuple(group for game, seat in places for group in groups_of(game, seat))


def _seats_of_person(user_id: int, only: int | None) -> QuerySet[Seat]:
    seats = own_seats(user_id).filter(device="")
    return seats if only is None else seats.filter(game_id=only)


def _filtered(games: QuerySet[Game], filters: GameFilters) -> QuerySet[Game]:
    plain = {"status": filters.status, "ruleset": filters.ruleset, "pace": filters.pace}
    games = games.filter(**{name: value for name, value in plain.items() if value})
    if filters.has_room is not None:
        games = games.annotate(taken=Count("seats"))
        free = {"status": Status.WAITING, "taken__lt": F("seats_wanted")}
        games = games.filter(**free) if filters.has_room else games.exclude(**free)
    if filters.takes_bots is not None:
        games = games.filter(takes_bots=filters.takes_bots)
    if filters.player is not None:
        games = games.filter(pk__in=Seat.objects.filter(user_id=filters.player).values("game_id"))
    return games if filters.cursor is None else games.filter(pk__lt=filters.cursor)


def _seats_of(games: Sequence[Game]) -> dict[int, list[SeatRow]]:
    columns = ("pk", "number", "user_id", "bot", "name", "version", "keeper", "left_at", "user__username")
    rows_by_game: dict[int, list[SeatRow]] = defaultdict(list)
    rows = Seat.objects.filter(game_id__in=[game.pk for game in games]).order_by("number")
    for *row, device, game_id in rows.values_list(*columns, "device", "game_id"):
        rows_by_game[game_id].append(SeatRow(*row)._replace(device=device))
    return rows_by_game


def _summary(game: Game, rows: Iterable[SeatRow], *, you: int | None, seat_version: int) -> Summary:
    phase, states = game.phase, game.shown_states(you)
    is_under_way = game.started_at is not None and game.status not in {Status.FINISHED, Status.ABANDONED}
    return Summary(
        id=game.pk,
        name=game.name,
        status=game.status,
        ruleset=game.ruleset,
        ruleset_version=game.ruleset_version,
        version=game.version,
        seat_version=seat_version,
        you=you,
        host=game.host_id,
        pace=game.pace,
        is_open=game.is_open,
        is_rated=game.is_rated,
        least_reliability=game.least_reliability,
        welcomes_newcomers=game.welcomes_newcomers,
        takes_bots=game.takes_bots,
        seats_wanted=game.seats_wanted,
        seats=tuple(_seat(row, states) for row in rows),
        options=game.options,
        turn=game.turn,
        phase_serial=game.phase_serial,
        step=game.phase_step,
        phase=PhaseLine(phase.name, phase.number, say(phase.title), phase.mode.value) if phase else None,
        deadline=game.deadline_at,
        waiting_for=tuple(game.shown_waiting(you)),
        standstill=say(late.why_not_running(game)) if is_under_way else "",
        pause=pause_of(game),
        paused_until=game.pause_ends_at if game.status == Status.PAUSED else None,
        created_at=game.created_at,
        started_at=game.started_at,
        finished_at=game.finished_at,
    )


def pause_of(game: Game) -> PauseLine | None:
    """The open proposal to pause or resume the game."""
    proposal = open_proposal(game, VoteTopic.PAUSE)
    if proposal is None:
        return None
    assert proposal.by is not None, "Players propose pauses."
    return PauseLine(
        number=proposal.number,
        to=proposal.kind.value,
        seconds=round(pauses.pause_left(game).total_seconds()) if proposal.kind == ProposalKind.PAUSE else None,
        by=proposal.by,
        agreed=list(proposal.agreed),
        declined=list(proposal.declined),
        needed=pauses.votes_needed(game),
        until=proposal.until,
    )


def _seat(row: SeatRow, states: Sequence[str]) -> SeatLine:
    state = states[row.number] if row.number < len(states) and states[row.number] != HIDDEN else "none"
    person = row.user_id if not row.bot else None
    return SeatLine(row.number, row.shown_name, person, bool(row.bot) or is_bot_account(row.name), state, row.keeper)
