"""The site's API in Python, for programs that play there.

A bot is the same function as in the kernel: from its seat's view, its offers and its own random stream to requests. It
plays against itself without a site (`game.engine.selfplay`) and over HTTP:

    with Client("https://sectors.example", token) as site:
        site.run(random_bot)
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Self

import msgspec
import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

from game.engine.chance import Chance
from game.engine.offers import Offer
from game.engine.referee import view_type_of
from game.engine.ruleset import Bot
from game.rulesets.registry import RULESETS

Request = dict[str, Any]
WAIT = 50  # seconds that the site may keep a question open
AGAIN = Retry(  # after 1, 2, 4, ... seconds or as long as the site says, for about five minutes
    total=14,
    status_forcelist=(429, 502, 503, 504),
    allowed_methods=("GET", "POST"),
    backoff_factor=0.5,
    backoff_max=30,
    raise_on_status=False,
)
NOT_MODIFIED, MOVED_ON = 304, 409
TRIES = 8  # attempts of a bot at one decision whose requests the rules refuse


class Problem(Exception):
    """The site's error response: the fields of RFC 9457, and under `errors` each refusal with its code, rule and
    numbers."""

    def __init__(self, status: int, fields: dict[str, Any]) -> None:
        super().__init__(fields.get("detail") or fields.get("title") or f"HTTP {status}")
        self.status = status
        self.kind = str(fields.get("type", "")).rsplit("/", 1)[-1]
        self.errors: list[dict[str, Any]] = fields.get("errors", [])


class Decision(msgspec.Struct, frozen=True):
    """A game that waits for a seat of yours, the earliest `deadline` first; None if it has no clock."""

    game: int
    name: str
    ruleset: str
    seat: int
    phase_serial: int
    step: int
    phase: str
    deadline: datetime | None


class Decisions(msgspec.Struct, frozen=True):
    items: list[Decision]


class Offers(msgspec.Struct, frozen=True):
    """What your seat may do now. `takes_ready`: whether the phase closes when all players are `ready`."""

    game: int
    phase_serial: int
    step: int
    seat: int
    waiting_for_you: bool
    takes_ready: bool
    offers: list[Offer]


class Position(msgspec.Struct, frozen=True):
    """The game as your seat sees it; the ruleset's schema defines the JSON in `view`."""

    game: int
    phase_serial: int
    seat: int | None
    view: msgspec.Raw
    offers: Offers | None = None


class Receipt(msgspec.Struct, frozen=True):
    """The result of a move. `replayed`: the site had it already, and this is its first receipt again."""

    phase_serial: int
    version: int
    phase_closed: bool
    replayed: bool


class Entry(msgspec.Struct, frozen=True):
    """One event, as `text`, and with the `facts` of its kind."""

    id: str
    version: int
    at: datetime
    turn: int
    phase: str
    kind: str
    text: str
    seats: tuple[int, ...]
    facts: dict[str, Any]


class Page(msgspec.Struct, frozen=True):
    items: list[Entry]
    next: str | None


class Client:
    """The connection of one token to one site. After a broken connection, a reached limit (429) or an answer that the
    site is busy (502–504), a request is sent again, a POST with the same key, as often and as slowly as `again`
    says."""

    def __init__(self, address: str, token: str, *, again: Retry = AGAIN) -> None:
        self.root = address.rstrip("/") + "/api/v1/"
        self._http = requests.Session()
        for scheme in ("https://", "http://"):
            self._http.mount(scheme, HTTPAdapter(max_retries=again))
        self._http.headers["Authorization"] = f"Bearer {token}"
        self._tag = ""
        self._secret = secrets.token_hex(16)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def decisions(self, wait: int = 0) -> list[Decision] | None:
        """Your open decisions; None if nothing has changed within `wait` seconds (0..50) since the last call."""
        headers = {"Prefer": f"wait={wait}", "If-None-Match": self._tag} if wait else {}
        answer = self._ask("GET", "me/decisions", headers=headers)
        if answer.status_code == NOT_MODIFIED:
            if wait and "Preference-Applied" not in answer.headers:
                time.sleep(min(wait, 5))
            return None
        self._tag = answer.headers.get("ETag", "")
        return msgspec.json.decode(answer.content, type=Decisions).items

    def offers(self, game: int) -> Offers:
        """The offers of your seat in a game. Raises `Problem`."""
        return msgspec.json.decode(self._ask("GET", f"games/{game}/offers").content, type=Offers)

    def position(self, game: int) -> Position:
        """A game as your seat sees it, with its offers. Raises `Problem`."""
        return msgspec.json.decode(self._ask("GET", f"games/{game}/position?include=offers").content, type=Position)

    def play(self, game: int, *actions: Request, ready: bool = True, at: Offers | None = None) -> Receipt:
        """Submit actions for your seat, all or none; unless `ready` is False, also that you are ready. `at` are the
        offers that they answer, by default the current ones. Raises `Problem`: 409 if the game has moved on, 422 if it
        refuses."""
        at = at or self.offers(game)
        ready_action = [{"kind": "ready"}] if ready and at.takes_ready else []
        move = {"phase_serial": at.phase_serial, "step": at.step, "actions": [*actions, *ready_action]}
        return msgspec.json.decode(self._ask("POST", f"games/{game}/moves", move).content, type=Receipt)

    def log(self, game: int, after: int = 0) -> Iterator[Entry]:
        """The events after a public version, oldest first, page by page. Raises `Problem`."""
        path: str | None = f"games/{game}/log?after={after}&limit=100"
        while path:
            page = msgspec.json.decode(self._ask("GET", path).content, type=Page)
            yield from page.items
            path = page.next.split("/api/v1/")[-1] if page.next else None

    def run(self, bot: Bot, *, until: Callable[[], bool] = lambda: False, wait: int = WAIT) -> None:
        """Play every game of the token's owner, until `until` says so; it is asked at least every `wait` seconds
        (1..50)."""
        while not until():
            for decision in self.decisions(wait=wait) or ():
                if not self.decide(bot, decision):
                    self._tag = ""  # what was not taken is asked again

    def decide(self, bot: Bot, decision: Decision) -> bool:
        """Let a bot answer one decision. Returns whether anything was accepted, or the game has moved on."""
        try:
            seen = self.position(decision.game)
            offers = seen.offers
            if offers is None or not offers.waiting_for_you:
                return True
            view = msgspec.json.decode(seen.view, type=_view_type(decision.ruleset))
            return any(self._try(bot, view, offers, attempt) for attempt in range(TRIES))
        except Problem as problem:
            if problem.status != MOVED_ON:
                raise
            return True

    def _try(self, bot: Bot, view: Any, offers: Offers, attempt: int) -> bool:
        """Submit a bot's requests; if they are refused as a whole, submit those that the rules accept, as in
        self-play."""
        chance = Chance(
            self._secret, serial=offers.phase_serial * 100 + offers.seat, step=offers.step * TRIES + attempt
        )
        wanted = bot(view, lambda: offers.offers, chance)
        if not offers.takes_ready:  # seats act in turns, one action each time
            return self._is_taken(offers, *wanted[:1])
        if self._is_taken(offers, *wanted):
            return True
        for request in wanted:
            self._is_taken(offers, request, ready=False)
        return self._is_taken(offers)

    def _is_taken(self, offers: Offers, *actions: Request, ready: bool = True) -> bool:
        if not actions and not (ready and offers.takes_ready):
            return False
        try:
            self.play(offers.game, *actions, ready=ready, at=offers)
        except Problem as problem:
            if problem.kind != "refused":
                raise
            return False
        return True

    def _ask(
        self, method: str, path: str, body: Request | None = None, headers: Mapping[str, str] | None = None
    ) -> requests.Response:
        headers = headers or {"Idempotency-Key": secrets.token_hex(16)}
        answer = self._http.request(method, self.root + path, json=body, headers=headers, timeout=WAIT + 20)
        if not answer.ok:
            raise Problem(answer.status_code, _told(answer))
        return answer


@cache
def _view_type(ruleset: str) -> type[Any]:
    return view_type_of(RULESETS[ruleset])


def _told(answer: requests.Response) -> dict[str, Any]:
    """The members of a problem; empty if a proxy answered in HTML instead of the site."""
    try:
        fields = answer.json()
    except requests.JSONDecodeError:
        return {}
    return fields if isinstance(fields, dict) else {}
