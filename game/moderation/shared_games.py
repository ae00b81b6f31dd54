"""For the desk of a person: whom they play with how often, and how reliable they are."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.db.models import Count, Max, Q, Sum

from accounts.models import Bounce, User
from game.reputation.reliability import reliability_of
from game.store.game import Seat
from game.store.tenure_models import Sitting

MOST = 20


class Companion(NamedTuple):
    """A person with whom someone played: how often, and how often one of the two won. `fair` is the expected number of
    those wins if all seats won equally often: two fifths for each finished game with five seats."""

    user_id: int
    name: str
    games: int
    finished: int
    won: int
    won_together: int
    fair: Fraction

    @property
    def percent(self) -> int | None:
        """The share of finished games that one of them won."""
        return round(100 * self.won_together / self.finished) if self.finished else None

    @property
    def fair_percent(self) -> int | None:
        return round(100 * self.fair / self.finished) if self.finished else None


class _Shared(NamedTuple):
    """A game of two people: both places at its end, and its number of seats."""

    place: int | None
    other: int | None
    seats: int


def companions_of(person: User) -> list[Companion]:
    """The people they played with most, in two queries."""
    own = dict(Seat.objects.filter(user=person).values_list("game_id", "place"))
    others = Seat.objects.filter(game__in=own, user__isnull=False, user__is_bot=False).exclude(user=person)
    rows = others.values_list("user_id", "user__username", "game_id", "place", "game__seats_wanted")
    games_by_person: dict[tuple[int, str], list[_Shared]] = {}
    for user_id, name, game_id, place, seats in rows:
        games_by_person.setdefault((user_id or 0, name or ""), []).append(_Shared(own[game_id], place, seats))
    ranked = [_companion(*who, games) for who, games in games_by_person.items()]
    return sorted(ranked, key=lambda each: (-each.games, each.name))[:MOST]


def _companion(user_id: int, name: str, games: list[_Shared]) -> Companion:
    finished = [game for game in games if game.place is not None]
    won = sum(game.place == 1 for game in finished)
    together = sum(1 in (game.place, game.other) for game in finished)
    fair = sum((Fraction(2, game.seats) for game in finished), Fraction())
    return Companion(user_id, name, len(games), len(finished), won, together, fair)


def standing_of(person: User) -> dict[str, Any]:
    """Sessions, the email address, decisions made and missed in all games, and the reliability in open games. No IP
    address and no password."""
    sessions = UserSession.objects.filter(user=person).aggregate(n=Count("pk"), last=Max("last_seen_at"))
    address = EmailAddress.objects.filter(user=person, primary=True).first()
    bounce = Bounce.objects.filter(address=person.email.lower()).first() if person.email else None
    decision_counts = Sitting.objects.filter(user=person).aggregate(
        decisions=Sum("decisions"), missed=Sum("missed"), excused=Sum("excused"), sat=Count("pk"),
        given_up=Count("pk", filter=~Q(end="")),
    )  # fmt: skip
    return {
        "sessions": sessions["n"],
        "last_day": sessions["last"].date() if sessions["last"] else None,
        "is_verified": bool(address and address.verified),
        "bounce": bounce,
        "reliability": reliability_of([person.pk]).get(person.pk),
        **decision_counts,
    }
