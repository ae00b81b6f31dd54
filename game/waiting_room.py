"""What the page of a game that has not begun shows, and the page that creates one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.models import User
from game.lobby_forms import CreateGameForm, is_switch, label_of, option_words
from game.lobby_lists import pace_words, rules_words
from game.models import Game, Invitation, Pace, Removal, Seat, Status
from game.places import Place, places_of
from game.rulesets.sectors.options import MENUS
from game.selectors import Reader, version_of
from game.services import doors

PACES = (
    (Pace.DAILY, "Once a day", "some weeks", "A day for orders and bids, half a day for votes. Five minutes each evening."),
    (Pace.DEMO, "Quick", "an evening", "Three minutes a phase, sooner when all are ready. Alone against bots, no pace has a clock."),
    (Pace.LIVE, "One sitting", "3 to 4 hours", "Everybody present, with the rulebook's seconds and a look at every result."),
)
TOLD = ("edition", "max_turns", "bank", "starting_cash", "consumers", "max_sub_rounds")


@dataclass(frozen=True)
class Chair:
    """A place of the waiting room, taken or not."""

    place: Place | None
    role: str = ""
    remove_url: str = ""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.place, name)

    @property
    def is_empty(self) -> bool:
        """Whether nobody sits here yet."""
        return self.place is None


def waiting_context(*, game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """Everything the waiting room shows this reader."""
    user_id = user.pk if isinstance(user, User) else None
    places = places_of(seats, user_id=user_id)
    is_host = user_id is not None and game.host_id == user_id
    mine = next((seat for seat in seats if user_id is not None and seat.user_id == user_id), None)
    chairs = [_chair(game, seat, place, is_host) for seat, place in zip(seats, places, strict=True)]
    return {
        "game": game,
        "seats": places,
        "chairs": [*chairs, *[Chair(None)] * (game.seats_wanted - len(seats))],
        "room": _room(game, len(seats), is_host=is_host, is_seated=mine is not None, is_known=user_id is not None),
        "rules_words": rules_words(game),
        "pace_words": pace_words(game),
        "option_facts": option_facts(game.options),
        "door": _door(game, is_host=is_host, is_seated=mine is not None, user_id=user_id),
        "how_to_play_url": f"{reverse('rulebook', args=[game.ruleset])}?edition={game.read_options().edition}#how-to-play",
        "live_url": game.get_absolute_url(),
        "socket_url": f"/ws/games/{game.pk}/",
        "version": version_of(game, mine),
    }


def invitation_context(*, game: Game, user: Reader, seats: list[Seat]) -> dict[str, Any]:
    """What somebody who has the link is shown: as little as lets them decide, and nothing of a game that has begun."""
    is_waiting, user_id = game.status == Status.WAITING, user.pk if isinstance(user, User) else None
    free = game.seats_wanted - len(seats)
    over = "This game was given up by its host." if game.status == Status.ABANDONED else "This game has already begun."
    full = "" if free else f"All {game.seats_wanted} seats are taken."
    removed = doors.REMOVED if user_id is not None and doors.is_removed(game_id=game.pk, user_id=user_id) else ""
    return {
        "game": game,
        "host": game.host.username if game.host else "",
        "rules_words": rules_words(game),
        "pace_words": pace_words(game),
        "option_facts": option_facts(game.options) if is_waiting else [],
        "names": [seat.shown_name for seat in seats] if is_waiting else [],
        "taken": len(seats),
        "reason": (full or removed) if is_waiting else over,
        "may_join": is_waiting and user_id is not None and not full and not removed,
        "may_sign_in": is_waiting and user_id is None and not full,
    }


def option_facts(options: dict[str, Any]) -> list[tuple[str, str]]:
    """The options with their labels, in words."""
    return [(label_of(name), option_words(name, options[name])) for name in MENUS if name in options]


def create_context(form: CreateGameForm) -> dict[str, Any]:
    """Everything the page that creates a game shows."""
    pace = form["pace"].value()
    options = {"title": "Rules", "text": "", "fields": form.option_fields(checks=False), "checks": form.option_fields(checks=True)}
    return {
        "page": "create",
        "form": form,
        "paces": [
            {"key": key, "title": title, "length": length, "text": text, "checked": key == pace} for key, title, length, text in PACES
        ],
        "sections": [
            {
                "title": "The table",
                "text": "",
                "fields": [form["name"], form["seats"], form["bots"], form["length"]],
                "checks": [form["is_open"]],
            },
            options,
        ],
        "effect": _effect(form, str(pace)),
    }


def _effect(form: CreateGameForm, pace: str) -> dict[str, Any]:
    title, text = next(((title, text) for key, title, _, text in PACES if key == pace), ("A game", ""))
    rows = [(label_of(name), option_words(name, form.meant(name))) for name in TOLD]
    switches = [(label_of(name), option_words(name, bool(form[name].value()))) for name, menu in MENUS.items() if is_switch(menu)]
    return {"title": title, "text": text, "rows": rows, "facts": switches, "warning": ""}


def _chair(game: Game, seat: Seat, place: Place, is_host: bool) -> Chair:
    is_hosts = seat.user_id is not None and seat.user_id == game.host_id
    role = "bot" if seat.bot else "host" if is_hosts else "player"
    return Chair(place, role, reverse("remove_seat", args=[game.pk, seat.number]) if is_host and not is_hosts else "")


def _room(game: Game, taken: int, *, is_host: bool, is_seated: bool, is_known: bool) -> dict[str, Any]:
    is_waiting, is_full = game.status == Status.WAITING, taken >= game.seats_wanted
    free = game.seats_wanted - taken
    return {
        "taken": taken,
        "size": game.seats_wanted,
        "may_start": is_waiting and is_host and is_full,
        "start_label": "Start the game",
        "start_url": reverse("start_game", args=[game.pk]),
        "may_join": is_waiting and is_known and not is_seated and not is_full,
        "join_url": reverse("join_game", args=[game.pk]),
        "may_add_bot": is_waiting and is_host and not is_full,
        "add_bot_url": reverse("add_bot", args=[game.pk]),
        "fill_url": reverse("fill_with_bots", args=[game.pk]),
        "may_leave": is_waiting and is_seated,
        "leave_label": "Give up this table" if is_host else "Leave the table",
        "leave_url": reverse("leave_game", args=[game.pk]),
        "reason": _reason(game, free),
    }


def _door(game: Game, *, is_host: bool, is_seated: bool, user_id: int | None) -> dict[str, Any]:
    """How others come in, for those who may bring them: an open game's address for all, a link for the host alone."""
    if game.status != Status.WAITING or user_id is None:
        return {}
    token = Invitation.objects.filter(game=game).values_list("token", flat=True).first() if is_host and not game.is_open else None
    link = reverse("invitation", args=[game.pk, token]) if token else game.get_absolute_url() if game.is_open and is_seated else ""
    removals = Removal.objects.filter(game=game).select_related("user").order_by("pk") if is_host else []
    return {
        "link": settings.SITE_URL + link if link else "",
        "renew_url": reverse("renew_invitation", args=[game.pk]) if is_host and not game.is_open else "",
        "removed": [(removal.user.username, reverse("invite_again", args=[game.pk, removal.pk])) for removal in removals],
        "refusal": doors.REMOVED if not is_seated and doors.is_removed(game_id=game.pk, user_id=user_id) else "",
        "is_for_host": not game.is_open and is_seated and not is_host,
    }


def _reason(game: Game, free: int) -> str:
    if game.status == Status.ABANDONED:
        return f"A moderator removed this table: {game.held_reason}" if game.held_reason else "This table was given up by its host."
    return f"It starts when all chairs are taken: {free} to go." if free else "Everybody is here; the host starts the game."
