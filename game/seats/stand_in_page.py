"""Context of pages for seats that a proxy plays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game.engine.language import say
from game.i18n import FULL_DATE, date_words
from game.seats.actions import PLAYED, Kept, kept_of
from game.store.badges import SeatBadge
from game.store.game import Game


class StandIn(NamedTuple):
    """Who plays a seat for whom, and until when."""

    number: int
    owner_id: int | None
    owner: str
    user_id: int | None
    name: str
    until: datetime

    @property
    def day(self) -> str:
        """The last day, in the reader's language."""
        return day_words(self.until)


class Standing(NamedTuple):
    """The message to a proxy about the seat that they play; `url` gives it back."""

    text: str
    url: str


def day_words(until: datetime) -> str:
    """The day on which a proxy's time ends, in the reader's language and zone."""
    return date_words(timezone.localtime(until), FULL_DATE)


def stand_ins_of(game: Game) -> tuple[StandIn, ...]:
    """The stand-ins of a game, by seat; one query, or none if there are no stand-ins."""
    if not game.proxies:
        return ()
    people = {entry[role] for entry in game.proxies.values() for role in ("owner", "user")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        StandIn(
            int(number), entry["owner"], names.get(entry["owner"], "?"), entry["user"], names.get(entry["user"], "?"),
            datetime.fromisoformat(entry["until"]),
        )
        for number, entry in sorted(game.proxies.items())
    )  # fmt: skip


def with_stand_ins(places: Sequence[SeatBadge], found: Sequence[StandIn]) -> tuple[SeatBadge, ...]:
    """Add to the seats for whom and until when somebody plays them."""
    texts: Mapping[int, str] = {
        each.number: say("for {owner} until {day}", owner=each.owner, day=each.day) for each in found
    }
    return tuple(
        msgspec.structs.replace(place, stands_in=texts[place.number]) if place.number in texts else place
        for place in places
    )


def kept_for(game: Game, found: Sequence[StandIn], user_id: int | None) -> Kept | None:
    """The message to the owner of a seat about their proxy."""
    own = next((each for each in found if user_id is not None and each.owner_id == user_id), None)
    if own is None:
        return None
    text = say("Until {day} only {name} sees it. Take it back and you decide again.", day=own.day, name=own.name)
    lead = say("{name} plays your seat for you.", name=own.name)
    if game.is_played_for(own.number):
        lead = say("The caretaker plays your seat.")
        text = say(
            "{name}, who plays it for you, missed two decisions in a row. Take it back and you decide again.",
            name=own.name,
        )
    return Kept(lead, text, reverse("take_seat_back", args=[game.pk]))


def standing_of(game: Game, found: Sequence[StandIn], user_id: int | None) -> Standing | None:
    """The message to a proxy."""
    own = next((each for each in found if user_id is not None and each.user_id == user_id), None)
    if own is None or game.status not in PLAYED:
        return None
    text = say("You play this seat for {owner} until {day}, in their name.", owner=own.owner, day=own.day)
    return Standing(text, reverse("give_seat_back", args=[game.pk]))


def told_of(
    game: Game, places: Sequence[SeatBadge], keeper: str, user_id: int | None
) -> tuple[tuple[SeatBadge, ...], dict[str, Any]]:
    """The seats with their stand-ins, and the reader's messages: that somebody, or the caretaker for the reason
    `keeper`, plays for them, or that they play for somebody."""
    stand_ins = stand_ins_of(game)
    messages = {
        "kept": kept_for(game, stand_ins, user_id) or kept_of(game, keeper),
        "stands_in": standing_of(game, stand_ins, user_id),
    }
    return with_stand_ins(places, stand_ins), messages
