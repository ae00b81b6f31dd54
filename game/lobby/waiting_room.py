"""What the waiting room and the page of an invitation link show."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.boards.registry import board_of
from game.chat.page import ChatLink, unread_for
from game.deadlines.paces import (
    phase_lasts,
)
from game.engine.language import ENGLISH, count, say, say_as, spoken
from game.lobby.free_seats import FreeSeat, free_seats_at
from game.lobby.game_words import (
    pace_words,
    rules_words,
    terms_of,
    terms_words,
)
from game.lobby.invitations import inviting_context
from game.lobby.plans import visits_of
from game.outbox.preferences import not_reached
from game.reputation import households
from game.reputation.rating_reads import RatingPoints, ratings_for
from game.reputation.ratings import UNRATED_PACES, is_preset
from game.seats import takeover
from game.store import eyes
from game.store.availability import Away, declared_by, hours_at
from game.store.badges import SeatBadge, badges_of, rulebook_url
from game.store.eyes import is_invitee
from game.store.game import Game, Seat, Status
from game.store.log_notes import Sentence
from game.store.readers import Reader, version_of
from game.store.seat_models import Removal


@dataclass(frozen=True)
class RoomSeat:
    """A seat in the waiting room, taken or free."""

    badge: SeatBadge | None
    role: str = ""
    remove_url: str = ""
    rating: str = ""
    vacations: tuple[Away, ...] = ()
    is_unreached: bool = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.badge, name)

    @property
    def is_empty(self) -> bool:
        return self.badge is None


def waiting_context(*, game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """Everything the waiting room shows this reader."""
    user_id = user.pk if isinstance(user, User) and not user.is_guest else None
    places = badges_of(seats, ruleset=game.ruleset, user_id=user_id)
    is_host = user_id is not None and game.host_id == user_id
    own_seat = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    ratings = ratings_for(game, [seat.user_id for seat in seats if seat.user_id]) if game.is_rated else {}
    vacations = _vacations_by_seat(game, seats) if user_id is not None else {}
    people = [seat.user for seat in seats if seat.user is not None and not (seat.bot or seat.user.is_bot)]
    # Other players may know that email does not reach somebody, but not why.
    unreached = not_reached(game.pk, people) if game.is_slow and (own_seat or is_host) else frozenset()
    room_seats = [
        replace(
            _room_seat(game, seat, place, is_host, ratings),
            vacations=vacations.get(seat.number, ()),
            is_unreached=seat.user_id in unreached,
        )
        for seat, place in zip(seats, places, strict=True)
    ]
    return {
        "game": game,
        "seats": places,
        "room_seats": [*room_seats, *[RoomSeat(None)] * (game.seats_wanted - len(seats))],
        "is_vacation_ahead": bool(vacations),
        "room": _room_context(
            game, len(seats), is_host=is_host, is_seated=own_seat is not None, has_account=user_id is not None
        ),
        **_about(game),
        **_terms_context(game, seats, has_account=user_id is not None),
        "rating_switch": _rating_switch(game, seats, is_host=is_host),
        "access": _access_context(game, is_host=is_host, is_seated=own_seat is not None, user_id=user_id),
        "is_invited": user_id is not None and own_seat is None and is_invitee(game_id=game.pk, user_id=user_id),
        "inviting": inviting_context(game=game, user=user) if is_host and isinstance(user, User) else {},
        "live_url": game.get_absolute_url(),
        "socket_url": f"/ws/games/{game.pk}/",
        "version": version_of(game, own_seat),
        "chat": ChatLink(game.pk, unread_for(game_id=game.pk, user=user)) if own_seat else None,
    }


def _about(game: Game) -> dict[str, Any]:
    """The game's rules, length, and number of decisions a day, in words."""
    return {
        "rules_words": rules_words(game),
        "pace_words": pace_words(game),
        "pitch": say(board_of(game.ruleset).pitch),
        "visits": visits_of(game),
        "how_to_play_url": rulebook_url(game, "how-to-play"),
    }


def _terms_context(game: Game, seats: list[Seat], *, has_account: bool) -> dict[str, Any]:
    """The terms to which players agree by joining. Only account holders see how long decisions last by the players'
    hours."""
    return {
        "decision_length_words": decision_length_words(game, seats) if has_account else "",
        "option_facts": option_facts(game),
        "terms": terms_of(game),
        "terms_words": terms_words(game),
    }


def invitation_context(*, game: Game, user: Reader, seats: list[Seat], token: str) -> dict[str, Any]:
    """The context for a person with the link: only what they need to decide, and only the free seats of a running
    game."""
    context = {"game": game, "host": game.host.username if game.host else "", **_about(game)}
    free_seats = free_seats_at(game)
    return context | (
        _free_seat_context(game, user, free_seats, token) if free_seats else _join_context(game, user, seats)
    )


def _free_seat_context(game: Game, user: Reader, free_seats: list[FreeSeat], token: str) -> dict[str, Any]:
    """The context of a running game: its seats without a player."""
    person = user if isinstance(user, User) and not user.is_guest else None
    reason = takeover.why_not(game=game, user=person, token=token) if person else ""
    return {
        "free_seats": free_seats,
        "may_take": person is not None and not reason,
        "may_sign_in": person is None,
        "reason": reason,
        "option_facts": option_facts(game),
        "terms_words": terms_words(game),
    }


def _join_context(game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """The context of a game that waits for players, or that is closed."""
    is_waiting = game.status == Status.WAITING
    user_id = user.pk if isinstance(user, User) and not user.is_guest else None
    free_count = game.seats_wanted - len(seats)
    is_cancelled = game.status == Status.ABANDONED
    closed_text = _closing_text(game) if is_cancelled else say("This game has already started.")
    full_text = "" if free_count else say("All {n} seats are taken.", n=game.seats_wanted)
    refusal = _refusal_text(game, user_id) if is_waiting and user_id is not None else ""
    return {
        "option_facts": option_facts(game) if is_waiting else [],
        "terms_words": terms_words(game) if is_waiting else "",
        "room_seats": _seats_shown(game, seats) if is_waiting else [],
        "taken": len(seats),
        "reason": (full_text or refusal) if is_waiting else closed_text,
        "may_join": is_waiting and user_id is not None and not full_text and not refusal,
        "may_sign_in": is_waiting and user_id is None and not full_text,
    }


def _seats_shown(game: Game, seats: list[Seat]) -> list[RoomSeat]:
    """The players and the free seats, for somebody who is invited."""
    ratings = ratings_for(game, [seat.user_id for seat in seats if seat.user_id]) if game.is_rated else {}
    places = badges_of(seats, ruleset=game.ruleset, user_id=None)
    rows = [_room_seat(game, seat, place, False, ratings) for seat, place in zip(seats, places, strict=True)]
    return [*rows, *[RoomSeat(None)] * (game.seats_wanted - len(seats))]


class OptionFact(NamedTuple):
    """An option of a game: its label, its value in words, and in a line what it changes."""

    label: str
    value: str
    hint: str


def option_facts(game: Game) -> list[OptionFact]:
    """The options of a game. Raises `Damaged`."""
    game.read_options()
    table, options = board_of(game.ruleset).options, game.options
    in_play = table.in_play(options)
    return [
        OptionFact(say(table.label(name)), table.in_words(name, options[name]), say(table.words_of(name).hint))
        for name in game.rules.menus
        if name in in_play
    ]


def _vacations_by_seat(game: Game, seats: list[Seat]) -> dict[int, tuple[Away, ...]]:
    """The players' vacations by seat, if the deadlines of this game wait for them. Only account holders see them."""
    if not game.is_slow or game.status != Status.WAITING:
        return {}
    return {number: tuple(vacations) for number, vacations in groupby(declared_by(seats), key=attrgetter("seat"))}


def _rating_switch(game: Game, seats: list[Seat], *, is_host: bool) -> dict[str, Any]:
    """The host's button that makes the game rated or not, while no other player has joined."""
    is_alone = not any(seat.user_id not in (None, game.host_id) for seat in seats)
    if not (game.status == Status.WAITING and is_host and is_alone):
        return {}
    if game.is_rated:
        return {"label": say("Do not rate this game"), "value": "off"}
    may_be_rated = game.pace not in UNRATED_PACES and not any(seat.bot for seat in seats)
    if may_be_rated and is_preset(ruleset=game.ruleset, pace=game.pace, options=game.options):
        return {"label": say("Rate this game"), "value": "on"}
    return {}


def _room_seat(
    game: Game, seat: Seat, place: SeatBadge, is_host: bool, ratings: Mapping[int, RatingPoints]
) -> RoomSeat:
    is_hosts = seat.user_id is not None and seat.user_id == game.host_id
    role = _bot_title(game, seat.bot) if seat.bot else say_as("seat", "host") if is_hosts else say_as("seat", "player")
    rating = ratings.get(seat.user_id or 0)
    remove_url = reverse("remove_seat", args=[game.pk, seat.number]) if is_host and not is_hosts else ""
    return RoomSeat(place, role, remove_url, rating.text if rating else say("not rated yet") if game.is_rated else "")


def _bot_title(game: Game, bot: str) -> str:
    """The bot's title, with its level if a host can choose one."""
    board = board_of(game.ruleset)
    level = board.level(bot) if len(board.levels) > 1 else None
    if level is None:
        return say_as("seat", "bot")
    title = say(level.title)
    return say_as("seat", "{level} bot", level=title.lower() if spoken() is ENGLISH else title)


def _room_context(game: Game, seat_count: int, *, is_host: bool, is_seated: bool, has_account: bool) -> dict[str, Any]:
    is_waiting, is_full = game.status == Status.WAITING, seat_count >= game.seats_wanted
    free_count = game.seats_wanted - seat_count
    return {
        "taken": seat_count,
        "size": game.seats_wanted,
        "is_seated": is_seated,
        "may_start": is_waiting and is_host and is_full,
        "start_label": say("Start the game"),
        "start_url": reverse("start_game", args=[game.pk]),
        "may_join": is_waiting and has_account and not is_seated and not is_full,
        "join_url": reverse("join_game", args=[game.pk]),
        "may_add_bot": is_waiting and is_host and not is_full and not game.is_rated,
        "add_bot_url": reverse("add_bot", args=[game.pk]),
        "levels": levels if len(levels := board_of(game.ruleset).levels) > 1 else (),
        "fill_url": reverse("fill_with_bots", args=[game.pk]),
        "may_leave": is_waiting and is_seated,
        "leave_label": say("Cancel this game") if is_host else say("Leave this game"),
        "leave_url": reverse("leave_game", args=[game.pk]),
        "reason": _status_text(game, free_count, is_host=is_host),
    }


def _access_context(game: Game, *, is_host: bool, is_seated: bool, user_id: int | None) -> dict[str, Any]:
    """The ways in which others can join: an open game's address for every player, an invitation link for the host
    only."""
    if game.status != Status.WAITING or user_id is None:
        return {}
    link = eyes.link_to(game.pk) if is_host and not game.is_open else ""
    if game.is_open and is_seated:
        link = settings.SITE_URL + game.get_absolute_url()
    removals = Removal.objects.filter(game=game).select_related("user").order_by("pk") if is_host else []
    return {
        "link": link,
        "renew_url": reverse("renew_invitation", args=[game.pk]) if is_host and not game.is_open else "",
        "removed": [
            (removal.user.username, reverse("invite_again", args=[game.pk, removal.pk])) for removal in removals
        ],
        "refusal": "" if is_seated else _refusal_text(game, user_id),
        "is_for_host": not game.is_open and is_seated and not is_host,
    }


def _refusal_text(game: Game, user_id: int) -> str:
    """Why this user cannot join; empty if they can."""
    removed = eyes.is_removed(game_id=game.pk, user_id=user_id)
    reason = eyes.REMOVED if removed else households.why_not(game=game, user_id=user_id)
    return say(reason) if reason else ""


def _closing_text(game: Game) -> str:
    """Why a game was closed before it began, as an invited person may know it."""
    return say(Sentence.NOBODY_CAME.value) if game.closes_at else say("The host cancelled this game.")


def _status_text(game: Game, free_count: int, *, is_host: bool) -> str:
    if game.status == Status.ABANDONED:
        if game.held_reason:
            return say("A moderator removed this game: {reason}", reason=game.held_reason)
        return _closing_text(game)
    if not free_count:
        if is_host:
            return say("All seats are taken. You can start the game.")
        return say("All seats are taken. The host can start the game.")
    if is_host:
        return count(
            "{n} seat is free. You can start when all are taken.",
            "{n} seats are free. You can start when all are taken.",
            free_count,
        )
    return count(
        "{n} seat is free. The host can start when all are taken.",
        "{n} seats are free. The host can start when all are taken.",
        free_count,
    )


def decision_length_words(game: Game, seats: Collection[Seat]) -> str:
    """How long a decision lasts for the players of a waiting room, if playable hours count; otherwise empty."""
    timing = game.read_timing()
    people = hours_at(seats) if timing.counts_hours and game.status == Status.WAITING else []
    if not people:
        return ""
    least, most = phase_lasts(timing, people, timezone.now())
    if least >= most:
        return say("By the playable hours of these players, each decision lasts {most} hours.", most=most)
    return say(
        "By the playable hours of these players, each decision lasts {least} to {most} hours.",
        least=least,
        most=most,
    )
