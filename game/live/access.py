"""Who may listen to a game: four queries for all sockets that open at the same time, and a fifth for invitations by
name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.utils import timezone

from game.infra.calls import Coalescer, PerLoop
from game.infra.compiled import LARGEST_KEY
from game.live.listeners import Claim, with_same_password
from game.store.device import HOLDS
from game.store.eyes import Eyes, eyes_at, open_invitations
from game.store.game import Game, Seat

MOST_PER_QUERY = 200


class AccessRequest(NamedTuple):
    """A request to listen: the browser's session key, empty without one, and the game."""

    session_key: str
    game_id: int


class GameAccess(NamedTuple):
    """Who may watch a game: everybody if it is open; otherwise also people whose seat a stand-in plays, and invited
    people."""

    is_open: bool
    owners: Collection[int | None]
    invited: Collection[int]
    device_hold: str


class SeatAccess(NamedTuple):
    """A seat of one of these people."""

    number: int
    user_id: int | None
    keeper: str
    device: str


class Admission(NamedTuple):
    """The result of an accepted request: `claim` is None for visitors; `seat` is None for people who have no seat, have
    resigned, or whose seat a stand-in plays."""

    claim: Claim | None
    seat: Eyes | None


async def request_admission(request: AccessRequest) -> Admission | None:
    """The admission, or None if the person may not see the game: a game by invitation is only for people who have or
    had a seat there, whose seat a stand-in plays, or whom its host invited by name."""
    return await _coalescers.here().ask(request)


async def _answer_all(requests: Sequence[AccessRequest]) -> list[Admission | None]:
    return await database_sync_to_async(admissions)(requests)


_coalescers: PerLoop[Coalescer[AccessRequest, Admission | None]] = PerLoop(
    lambda: Coalescer(_answer_all, most=MOST_PER_QUERY)
)


def admissions(requests: Sequence[AccessRequest]) -> list[Admission | None]:
    """The results of all these requests, in four or five queries; in one if nobody is signed in."""
    claims, holds = _claims({request.session_key for request in requests if request.session_key})
    game_ids = {request.game_id for request in requests if request.game_id <= LARGEST_KEY}
    people = {claim.user_id for claim in claims.values()}
    rows = list(Game.objects.filter(pk__in=game_ids).values_list("pk", "is_open", "proxies", "device_hold"))
    # Queried for games that do not exist, too, so that no timing reveals which hidden games exist.
    invited = _invited(game_ids - {game for game, is_open, *_ in rows if is_open}, people)
    seats = _seats(game_ids, people)
    games = {
        game: GameAccess(is_open, {entry["owner"] for entry in proxies.values()}, invited.get(game, ()), hold)
        for game, is_open, proxies, hold in rows
    }
    return [
        _admission(
            request,
            claims.get(request.session_key),
            games.get(request.game_id),
            seats,
            holds.get((request.session_key, request.game_id), ""),
        )
        for request in requests
    ]


def _admission(
    request: AccessRequest,
    claim: Claim | None,
    door: GameAccess | None,
    seats: dict[tuple[int, int], SeatAccess],
    hold: str,
) -> Admission | None:
    """At one device only a browser that holds the seat listens as it."""
    user_id = claim.user_id if claim else 0
    chair = seats.get((request.game_id, user_id))
    if door is None or not (door.is_open or chair or user_id in (*door.owners, *door.invited)):
        return None
    is_held = chair is not None and (not chair.device or hold == door.device_hold)
    return Admission(claim, eyes_at(chair, user_id) if chair and is_held else None)


def _claims(keys: Collection[str]) -> tuple[dict[str, Claim], dict[tuple[str, int], str]]:
    """The claims of signed-in people, by session key, and the seats that their browsers hold, by game."""
    if not keys:
        return {}, {}
    store, claims = SessionStore(), {}
    holds: dict[tuple[str, int], str] = {}
    sessions = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    for key, encoded in sessions.values_list("session_key", "session_data"):
        session = store.decode(encoded)
        if SESSION_KEY in session and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS:
            claims[key] = Claim(key, int(session[SESSION_KEY]), session.get(HASH_SESSION_KEY, ""))
            holds |= {(key, int(game)): word for game, word in session.get(HOLDS, {}).items()}
    return {claim.session_key: claim for claim in with_same_password(claims.values())}, holds


def _invited(games: Collection[int], people: Collection[int]) -> dict[int, list[int]]:
    """The people among these with an unanswered invitation by name, by game."""
    people_by_game: dict[int, list[int]] = {}
    rows = open_invitations().filter(game__in=games, user__in=people) if games and people else ()
    for invitee in rows:
        people_by_game.setdefault(invitee.game_id, []).append(invitee.user_id)
    return people_by_game


def _seats(games: Collection[int], people: Collection[int]) -> dict[tuple[int, int], SeatAccess]:
    """The seats of these people, including resigned ones, by game and person."""
    if not games or not people:
        return {}
    rows = Seat.objects.filter(game_id__in=games, user_id__in=people)
    return {
        (game, user): SeatAccess(number, user, keeper, device)
        for game, number, user, keeper, device in rows.values_list("game_id", "number", "user_id", "keeper", "device")
        if user is not None
    }
