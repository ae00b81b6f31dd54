"""What waits for the user: games with an open decision (count and next one, in one lazy query), and open proposals."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, QuerySet
from django.templatetags.static import static

from accounts.models import User
from game.infra.compiled import CompiledQuery
from game.store.game import Game, Seat, Status
from game.store.proposals import VoteTopic, open_proposal

MOST_SHOWN = 9
UNDECIDED = "untouched"
ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="4" fill="#11503a"/>'
    '<path d="M5 25V19h7v-6h7V7h8" fill="none" stroke="#f8faf5" stroke-width="3.2"/>'
    '<circle cx="21" cy="21" r="11" fill="#b3261e"/><text x="21" y="{y}" font-family="sans-serif" font-size="{size}"'
    ' font-weight="700" fill="#fff" text-anchor="middle">{text}</text></svg>'
)


class PendingDecision(NamedTuple):
    """A game that waits for the reader's decision."""

    game_id: int
    name: str
    deadline_at: datetime | None


class PendingDecisions:
    """The games in which a reader has not decided yet, nearest deadline first."""

    def __init__(self, user: User | AnonymousUser | None, games: list[PendingDecision] | None = None) -> None:
        self._user_id = user.pk if user is not None and user.is_authenticated else None
        self._games = games

    @cached_property
    def games(self) -> list[PendingDecision]:
        """The games, read once, at first use, unless the caller knew them."""
        if self._games is not None:
            return self._games
        return [] if self._user_id is None else pending_decisions_of(self._user_id)

    @property
    def count(self) -> int:
        """The number of games."""
        return len(self.games)

    @property
    def prefix(self) -> str:
        """The prefix of every page's title."""
        return f"({self.count}) " if self.games else ""

    @property
    def icon(self) -> str:
        """The URL of the icon that shows the number."""
        return icon_of(self.count)

    def after(self, game_id: int) -> PendingDecision | None:
        """The next game after this one: later deadlines first, then from the nearest again; never this game itself."""
        at = next((place for place, need in enumerate(self.games) if need.game_id == game_id), -1)
        return next((need for need in [*self.games[at + 1 :], *self.games] if need.game_id != game_id), None)


def pending_decisions_of(user_id: int) -> list[PendingDecision]:
    """The games in which a person must decide and has submitted nothing."""
    needs = [
        PendingDecision(game_id, name, deadline_at)
        for number, game_id, name, deadline_at, states in _undecided_seats.rows(user_id)
        if number < len(states) and states[number] == UNDECIDED
    ]
    return sorted(needs, key=_by_deadline)


@lru_cache(maxsize=MOST_SHOWN + 2)
def icon_of(count: int) -> str:
    """The site's icon, with the number if there is one; “9+” from ten on."""
    if count > MOST_SHOWN + 1:
        return icon_of(MOST_SHOWN + 1)
    if not count:
        return static("favicon.svg")
    text, size = (str(count), 18) if count <= MOST_SHOWN else (f"{MOST_SHOWN}+", 14)
    return "data:image/svg+xml," + quote(ICON.format(text=text, size=size, y=21 + size * 0.36))


def _by_deadline(need: PendingDecision) -> tuple[bool, float, int]:
    at = need.deadline_at
    return at is None, at.timestamp() if at else 0, need.game_id


@CompiledQuery
def _undecided_seats(user_id: int) -> QuerySet[Seat, Any]:
    seats = Seat.objects.filter(user_id=user_id, keeper="", game__status=Status.RUNNING)
    own_seats = seats.filter(game__lesson="").order_by("game_id")
    columns = ("game__name", "game__deadline_at", "game__seat_states")
    return own_seats.values_list("number", F("game_id"), *columns)


def waits_for(*, game: Game, topic: VoteTopic, number: int, seat: int) -> bool:
    """True if the proposal with this number is open and the seat has neither agreed nor declined."""
    proposal = open_proposal(game, topic)
    if proposal is None or proposal.number != number:
        return False
    return seat not in (*proposal.agreed, *proposal.declined)
