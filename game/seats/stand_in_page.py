"""What pages say about seats that a proxy plays."""

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
        """The last day, in the reader's words."""
        return day_words(self.until)


class Standing(NamedTuple):
    """What a proxy reads about the seat that they play; `url` gives it back."""

    text: str
    url: str


def day_words(until: datetime) -> str:
    """The day on which the time of a proxy ends, in the reader's words and zone."""
    return date_words(timezone.localtime(until), FULL_DATE)


def stand_ins_of(game: Game) -> tuple[StandIn, ...]:
    """Those of a game by seat: one statement, none where nobody plays for somebody."""
    if not game.proxies:
        return ()
    people = {told[role] for told in game.proxies.values() for role in ("owner", "user")}
    names = dict(User.objects.filter(pk__in=people).values_list("pk", "username"))
    return tuple(
        StandIn(
            int(number), told["owner"], names.get(told["owner"], "?"), told["user"], names.get(told["user"], "?"),
            datetime.fromisoformat(told["until"]),
        )
        for number, told in sorted(game.proxies.items())
    )  # fmt: skip


def with_stand_ins(places: Sequence[SeatBadge], found: Sequence[StandIn]) -> tuple[SeatBadge, ...]:
    """The seats, with for whom and until when somebody plays one."""
    told: Mapping[int, str] = {
        each.number: say("for {owner} until {day}", owner=each.owner, day=each.day) for each in found
    }
    return tuple(
        msgspec.structs.replace(place, stands_in=told[place.number]) if place.number in told else place
        for place in places
    )


def kept_for(game: Game, found: Sequence[StandIn], user_id: int | None) -> Kept | None:
    """What the owner of a seat reads about their proxy."""
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
    """What a proxy reads."""
    own = next((each for each in found if user_id is not None and each.user_id == user_id), None)
    if own is None or game.status not in PLAYED:
        return None
    text = say("You play this seat for {owner} until {day}, in their name.", owner=own.owner, day=own.day)
    return Standing(text, reverse("give_seat_back", args=[game.pk]))


def told_of(
    game: Game, places: Sequence[SeatBadge], keeper: str, user_id: int | None
) -> tuple[tuple[SeatBadge, ...], dict[str, Any]]:
    """The seats with who stands in there, and what this reader is told: that somebody or the caretaker, for the reason
    `keeper`, plays for them, or that they play for somebody."""
    found = stand_ins_of(game)
    kept = kept_for(game, found, user_id) or kept_of(game, keeper)
    return with_stand_ins(places, found), {"kept": kept, "stands_in": standing_of(game, found, user_id)}
