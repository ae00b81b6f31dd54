"""What the page of a game that has not begun shows, and the page that creates one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from game.boards.options import Preset, is_switch
from game.boards.registry import board_of
from game.chat.seat_rows import ChatLink, unread_for
from game.deadlines.paces import words_of
from game.engine.flow import Flow
from game.engine.language import ENGLISH, count, say, say_as, spoken
from game.lobby.clock_form import OWN
from game.lobby.entry_conditions import terms_of, terms_words
from game.lobby.forms import CreateGameForm
from game.lobby.free_seats import FreeSeat, free_seats_at
from game.lobby.game_plan import lasts_words, plan_rows, plan_words
from game.lobby.invitations import inviting_context
from game.lobby.lists import PACES, game_cards, pace_words, rules_words, seats_words, spans_of
from game.outbox.preferences import not_reached
from game.reputation import households
from game.reputation.rated import UNRATED_PACES, is_preset
from game.reputation.rating_reads import Shown, ratings_at
from game.seats import takeover
from game.store import access, log_notes
from game.store.access_models import Removal
from game.store.badges import SeatBadge, badges_of
from game.store.eyes import is_invitee
from game.store.game import Game, Pace, Seat, Status
from game.store.readers import Reader, version_of
from game.store.rule_links import rulebook_url
from game.store.vacations import Away, declared_by

FILLED = ("name", "seats", "bots", "level", "least_reliability")
TICKED = ("is_open", "is_rated", "welcomes_newcomers", "keeps_clock", "has_chat", "takes_bots")


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
        """Whether nobody sits here yet."""
        return self.badge is None


def waiting_context(*, game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """Everything the waiting room shows this reader."""
    user_id = user.pk if isinstance(user, User) and not user.is_guest else None
    places = badges_of(seats, user_id=user_id)
    is_host = user_id is not None and game.host_id == user_id
    mine = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    ratings = _ratings_of(game, seats)
    away = _away_at(game, seats) if user_id is not None else {}
    people = [seat.user for seat in seats if seat.user is not None and not (seat.bot or seat.user.is_bot)]
    # Those who will wait for somebody may know that email does not reach them; why is theirs, and told to nobody.
    unreached = not_reached(game.pk, people) if game.is_slow and (mine or is_host) else frozenset()
    room_seats = [
        replace(
            _room_seat(game, seat, place, is_host, ratings),
            vacations=away.get(seat.number, ()),
            is_unreached=seat.user_id in unreached,
        )
        for seat, place in zip(seats, places, strict=True)
    ]
    return {
        "game": game,
        "seats": places,
        "room_seats": [*room_seats, *[RoomSeat(None)] * (game.seats_wanted - len(seats))],
        "is_waited_for": bool(away),
        "room": _room(game, len(seats), is_host=is_host, is_seated=mine is not None, is_known=user_id is not None),
        "rules_words": rules_words(game),
        "pace_words": pace_words(game),
        **_terms(game, seats, is_known=user_id is not None),
        "rating_switch": _rating_switch(game, seats, is_host=is_host),
        "door": _door(game, is_host=is_host, is_seated=mine is not None, user_id=user_id),
        "is_invited": user_id is not None and mine is None and is_invitee(game_id=game.pk, user_id=user_id),
        "inviting": inviting_context(game=game, user=user) if is_host and isinstance(user, User) else {},
        "how_to_play_url": rulebook_url(game, "how-to-play"),
        "live_url": game.get_absolute_url(),
        "socket_url": f"/ws/games/{game.pk}/",
        "version": version_of(game, mine),
        "chat": ChatLink(game.pk, unread_for(game_id=game.pk, user=user)) if mine else None,
    }


def _terms(game: Game, seats: list[Seat], *, is_known: bool) -> dict[str, Any]:
    """What those who join agree to; how long decisions last by their hours is for people with an account."""
    return {
        "lasts_words": lasts_words(game, seats) if is_known else "",
        "option_facts": option_facts(game),
        "terms": terms_of(game),
        "terms_words": terms_words(game),
    }


def invitation_context(*, game: Game, user: Reader, seats: list[Seat], token: str) -> dict[str, Any]:
    """What somebody who has the link is shown: as little as lets them decide, and of a game that has begun its free
    seats alone."""
    about = {
        "game": game,
        "host": game.host.username if game.host else "",
        "rules_words": rules_words(game),
        "pace_words": pace_words(game),
    }
    free = free_seats_at(game)
    return about | (_substituting(game, user, free, token) if free else _joining(game, user, seats))


def _substituting(game: Game, user: Reader, free: list[FreeSeat], token: str) -> dict[str, Any]:
    """At a game that is played: the seats that nobody decides for."""
    person = user if isinstance(user, User) and not user.is_guest else None
    reason = takeover.why_not(game=game, user=person, token=token) if person else ""
    return {
        "free_seats": free,
        "may_take": person is not None and not reason,
        "may_sign_in": person is None,
        "reason": reason,
        "option_facts": option_facts(game),
        "terms_words": terms_words(game),
    }


def _joining(game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """At a game that waits for players, or that is closed to everybody."""
    is_waiting = game.status == Status.WAITING
    user_id = user.pk if isinstance(user, User) and not user.is_guest else None
    free = game.seats_wanted - len(seats)
    is_cancelled = game.status == Status.ABANDONED
    over = _how_it_ended(game) if is_cancelled else say("This game has already started.")
    full = "" if free else say("All {n} seats are taken.", n=game.seats_wanted)
    refusal = _refusal(game, user_id) if is_waiting and user_id is not None else ""
    return {
        "option_facts": option_facts(game) if is_waiting else [],
        "terms_words": terms_words(game) if is_waiting else "",
        "names": [seat.shown_name for seat in seats] if is_waiting else [],
        "taken": len(seats),
        "reason": (full or refusal) if is_waiting else over,
        "may_join": is_waiting and user_id is not None and not full and not refusal,
        "may_sign_in": is_waiting and user_id is None and not full,
    }


def option_facts(game: Game) -> list[tuple[str, str]]:
    """The options of a game with their labels, in words."""
    table, options = board_of(game.ruleset).options, game.options
    return [
        (say(table.label(name)), table.in_words(name, options[name])) for name in game.rules.menus if name in options
    ]


def create_context(form: CreateGameForm) -> dict[str, Any]:
    """Everything the page that creates a game shows."""
    rules, pace = form.rules, form["pace"].value()
    cards = game_cards(rules.key)
    presets = [_preset_card(form, preset) for preset in form.table.presets]
    fields, checks = form.option_fields(checks=False), form.option_fields(checks=True)
    return {
        "page": "create",
        "form": form,
        "rules": rules,
        "pitch": say(board_of(rules.key).pitch),
        "games": cards if len(cards) > 1 else [],
        "presets": presets,
        "note": say(form.table.note),
        "choice": say(form.table.choice),
        "has_spans": any(card["spans"] for card in presets),
        "paces": [{"key": key, "words": words_of(_flow(form), key), "checked": key == pace} for key in PACES],
        "clock": {
            "by": form["clock_by"],
            "ways": form.clock_fields(),
            "has_errors": any(form[name].errors for name in OWN if name in form.fields),
        },
        "table": {
            "fields": [form[name] for name in FILLED if name in form.fields],
            "checks": [form[name] for name in TICKED],
            "seats": seats_words(rules),
        },
        "rule_fields": fields,
        "rule_checks": checks,
        "rules_open": any(field.errors for field in (*fields, *checks)),
        "effect": _effect(form, str(pace)),
        "plan": plan_words(form),
    }


def _preset_card(form: CreateGameForm, preset: Preset) -> dict[str, Any]:
    is_checked = form["preset"].value() == preset.key
    told = {"title": say(preset.title), "means": say(preset.means)}
    return {"preset": preset, "checked": is_checked, "spans": spans_of(form.rules, preset), **told}


def _flow(form: CreateGameForm) -> Flow:
    return form.rules.flow(form.usual)


def _effect(form: CreateGameForm, pace: str) -> dict[str, Any]:
    """What the form would make: the game and its length, the pace, how long it takes, and every option."""
    meant, table = form.meant(), form.table
    title = ", ".join(filter(None, (form.rules.title, table.length_words(meant))))
    text = words_of(_flow(form), pace, form.timing_meant()).text if pace in Pace.values else ""
    told = [
        (say(table.label(name)), table.in_words(name, value), is_switch(form.menus[name]))
        for name, value in meant.items()
    ]
    return {
        "title": title,
        "text": text,
        "rows": [*plan_rows(form), *[(label, words) for label, words, is_yes_or_no in told if not is_yes_or_no]],
        "facts": [(label, words) for label, words, is_yes_or_no in told if is_yes_or_no],
        "warning": table.idle_words(meant),
    }


def _ratings_of(game: Game, seats: list[Seat]) -> Mapping[int, Shown]:
    """The ratings of those who sit there, where the game is about them."""
    return ratings_at(game.ruleset, [seat.user_id for seat in seats if seat.user_id]) if game.is_rated else {}


def _away_at(game: Game, seats: list[Seat]) -> dict[int, tuple[Away, ...]]:
    """The vacations of those who sit there, by seat, where the deadlines of this game would wait for them. They are
    shown to people with an account alone."""
    if not game.is_slow or game.status != Status.WAITING:
        return {}
    return {number: tuple(found) for number, found in groupby(declared_by(seats), key=attrgetter("seat"))}


def _rating_switch(game: Game, seats: list[Seat], *, is_host: bool) -> dict[str, Any]:
    """The host's button that lets the game count or not, as long as nobody else sits there."""
    is_alone = not any(seat.user_id not in (None, game.host_id) for seat in seats)
    if not (game.status == Status.WAITING and is_host and is_alone):
        return {}
    if game.is_rated:
        return {"label": say("Do not rate this game"), "value": "off"}
    may_be = game.pace not in UNRATED_PACES and not any(seat.bot for seat in seats)
    if may_be and is_preset(ruleset=game.ruleset, pace=game.pace, options=game.options):
        return {"label": say("Rate this game"), "value": "on"}
    return {}


def _room_seat(game: Game, seat: Seat, place: SeatBadge, is_host: bool, ratings: Mapping[int, Shown]) -> RoomSeat:
    is_hosts = seat.user_id is not None and seat.user_id == game.host_id
    role = _bot_words(game, seat.bot) if seat.bot else say_as("seat", "host") if is_hosts else say_as("seat", "player")
    rating = ratings.get(seat.user_id or 0)
    remove_url = reverse("remove_seat", args=[game.pk, seat.number]) if is_host and not is_hosts else ""
    return RoomSeat(place, role, remove_url, rating.said if rating else say("not rated yet") if game.is_rated else "")


def _bot_words(game: Game, bot: str) -> str:
    """What sits there, with its level where a host can choose."""
    board = board_of(game.ruleset)
    level = board.level(bot) if len(board.levels) > 1 else None
    if level is None:
        return say("bot")
    title = say(level.title)
    return say("{level} bot", level=title.lower() if spoken() is ENGLISH else title)


def _room(game: Game, taken: int, *, is_host: bool, is_seated: bool, is_known: bool) -> dict[str, Any]:
    is_waiting, is_full = game.status == Status.WAITING, taken >= game.seats_wanted
    free = game.seats_wanted - taken
    return {
        "taken": taken,
        "size": game.seats_wanted,
        "may_start": is_waiting and is_host and is_full,
        "start_label": say("Start the game"),
        "start_url": reverse("start_game", args=[game.pk]),
        "may_join": is_waiting and is_known and not is_seated and not is_full,
        "join_url": reverse("join_game", args=[game.pk]),
        "may_add_bot": is_waiting and is_host and not is_full and not game.is_rated,
        "add_bot_url": reverse("add_bot", args=[game.pk]),
        "levels": levels if len(levels := board_of(game.ruleset).levels) > 1 else (),
        "fill_url": reverse("fill_with_bots", args=[game.pk]),
        "may_leave": is_waiting and is_seated,
        "leave_label": say("Cancel this game") if is_host else say("Leave this game"),
        "leave_url": reverse("leave_game", args=[game.pk]),
        "reason": _reason(game, free, is_host=is_host),
    }


def _door(game: Game, *, is_host: bool, is_seated: bool, user_id: int | None) -> dict[str, Any]:
    """How others come in, for those who may bring them: an open game's address for all, a link for the host alone."""
    if game.status != Status.WAITING or user_id is None:
        return {}
    link = access.link_to(game.pk) if is_host and not game.is_open else ""
    if game.is_open and is_seated:
        link = settings.SITE_URL + game.get_absolute_url()
    removals = Removal.objects.filter(game=game).select_related("user").order_by("pk") if is_host else []
    return {
        "link": link,
        "renew_url": reverse("renew_invitation", args=[game.pk]) if is_host and not game.is_open else "",
        "removed": [
            (removal.user.username, reverse("invite_again", args=[game.pk, removal.pk])) for removal in removals
        ],
        "refusal": "" if is_seated else _refusal(game, user_id),
        "is_for_host": not game.is_open and is_seated and not is_host,
    }


def _refusal(game: Game, user_id: int) -> str:
    """Why somebody who does not sit there may not; empty where they may."""
    removed = access.is_removed(game_id=game.pk, user_id=user_id)
    reason = access.REMOVED if removed else households.why_not(game=game, user_id=user_id)
    return say(reason) if reason else ""


def _how_it_ended(game: Game) -> str:
    """Of a game that was closed before it began, as whoever was invited may know it."""
    return say(log_notes.NOBODY_CAME) if game.closes_at else say("The host cancelled this game.")


def _reason(game: Game, free: int, *, is_host: bool) -> str:
    if game.status == Status.ABANDONED:
        if game.held_reason:
            return say("A moderator removed this game: {reason}", reason=game.held_reason)
        return _how_it_ended(game)
    if not free:
        if is_host:
            return say("All seats are taken. You can start the game.")
        return say("All seats are taken. The host can start the game.")
    if is_host:
        return count(
            "{n} seat is free. You can start when all are taken.",
            "{n} seats are free. You can start when all are taken.",
            free,
        )
    return count(
        "{n} seat is free. The host can start when all are taken.",
        "{n} seats are free. The host can start when all are taken.",
        free,
    )
