"""One game among agents: who must decide, what each can do and see, and the results of their choices. A view becomes a
fixed number of features: every number and word in it, hashed by its position in the view."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from math import log1p
from typing import Any
from zlib import crc32

import msgspec
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from game.engine import referee
from game.engine.actions import Ready, Refused
from game.engine.chance import Chance
from game.engine.flow import Mode
from game.engine.offers import Offer
from game.engine.ruleset import Ruleset
from game.env.choices import Request, requests_of
from game.rulesets.registry import RULESETS

WIDTH = 1024
WORDS_ALONE = frozenset({"rail", "title", "default", "label", "text", "name"})  # they tell people what other fields say


def observe(view: Any) -> NDArray[np.float32]:
    """The features of one seat's view, which contains only what the seat may know. Numbers are logarithms."""
    numbers = np.zeros(WIDTH, dtype=np.float32)
    for place, value in _leaves(msgspec.to_builtins(view), ""):
        at, sign = _place(place)
        numbers[at] += sign * value
    return numbers


def _leaves(value: Any, place: str) -> Iterator[tuple[str, float]]:
    match value:
        case None:
            return
        case bool() | int() | float():
            yield place, log1p(value) if value >= 0 else -log1p(-value)
        case str():
            yield f"{place}={value}", 1.0
        case dict():
            for name, inner in value.items():
                if name not in WORDS_ALONE:
                    yield from _leaves(inner, f"{place}/{name}")
        case _:
            for at, inner in enumerate(value):
                yield from _leaves(inner, f"{place}/{at}")


@lru_cache(maxsize=100_000)
def _place(place: str) -> tuple[int, int]:
    digest = crc32(place.encode())
    return digest % WIDTH, 1 if digest >> 31 else -1


CHOICES = 512
READY = 0
MOST_OF_A_PHASE = 12  # requests of one seat; after them it is ready
MAX_CHOICES = 50_000  # choices in a game, after which it is cut off
Observation = dict[str, Any]


class Table:
    """A game of `ruleset` with its own options; every seat is an agent to the end. Raises `Refused` for unknown options
    and for a number of seats that the rules do not allow."""

    def __init__(self, ruleset: str, seats: int | None, options: Mapping[str, Any]) -> None:
        self.rules: Ruleset = RULESETS[ruleset]
        self.options = self.rules.parse_options(options)
        possible = self.rules.seats_with(self.options)
        self.seats = min(possible) if seats is None else seats
        if self.seats not in possible:
            raise ValueError(f"{self.rules.title} is for {list(possible)} players, not for {self.seats}.")
        self.agents = [f"seat_{number}" for number in range(self.seats)]
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (WIDTH,), np.float32),
                "action_mask": spaces.Box(0, 1, (CHOICES,), np.int8),
            }
        )

    def deal(self, secret: str) -> None:
        """Begin a game whose draws all follow from `secret`."""
        self.chance, self.choice_count = Chance(secret), 0
        self.position = referee.start(self.rules, self.options, self.seats, self.chance).position
        self._start_phase()

    @property
    def is_over(self) -> bool:
        return bool(self.position.is_over)

    @property
    def is_cut_off(self) -> bool:
        return self.choice_count >= MAX_CHOICES and not self.is_over

    @property
    def waiting(self) -> list[int]:
        """The seats that must decide now; in phases with turns, only one."""
        seats = sorted(referee.waiting_on(self.rules, self.position))
        return seats[:1] if self._mode is Mode.TURNS else seats

    def requests(self, seat: int) -> list[Request]:
        """The requests numbered from 1; each is legal now."""
        if seat not in self._requests:
            self._requests[seat] = self._find_requests(seat) if seat in self.waiting else []
        return self._requests[seat]

    def choose(self, seat: int, number: int) -> None:
        """Carry out a choice. A number without a request means ready, and in turns leaves the turn to the stand-in. A
        seat that need not decide does nothing."""
        if self.is_over or seat not in self.waiting:
            return
        requests = self.requests(seat)
        self.choice_count += 1
        if not 0 < number <= len(requests) or not self._send(seat, requests[number - 1]):
            self._be_ready(seat)

    def observe(self, seat: int) -> Observation:
        """The seat's features, and the numbers it can choose."""
        mask = np.zeros(CHOICES, dtype=np.int8)
        requests = self.requests(seat)
        mask[1 : len(requests) + 1] = 1
        mask[READY] = not requests or self._mode is not Mode.TURNS
        return {"observation": observe(self._view(seat)), "action_mask": mask}

    def score(self, seat: int) -> float:
        """The score, as the seat sees it now."""
        return float(self._view(seat).player(seat).score)

    def info(self, seat: int) -> dict[str, Any]:
        """The meaning of the numbers, and at the end the place."""
        info: dict[str, Any] = {"requests": [{"kind": "ready"}, *self.requests(seat)], "waiting": seat in self.waiting}
        if self.is_over:
            info["place"] = next(each.place for each in self.rules.standings(self.position.state) if each.seat == seat)
        return info

    @property
    def _mode(self) -> Mode | None:
        phase = referee.phase_of(self.rules, self.position)
        return phase.mode if phase else None

    def _view(self, seat: int) -> Any:
        if seat not in self._views:
            self._views[seat] = self.rules.view(self.position, seat)
        return self._views[seat]

    def _find_requests(self, seat: int) -> list[Request]:
        if self._sent[seat] >= MOST_OF_A_PHASE and self._mode is not Mode.TURNS:
            return []
        offers = [offer for offer in referee.offers(self.rules, self.position, seat) if self._is_open(seat, offer)]
        return requests_of(self.rules, self.position, seat, offers, CHOICES - 1)

    def _is_open(self, seat: int, offer: Offer) -> bool:
        """True if the request can be made now. Sealed actions are not revised: a game among learners would never
        end."""
        return not offer.refused and offer.slot not in self._filled[seat]

    def _send(self, seat: int, request: Request) -> bool:
        """Returns False if the rules refuse it: another seat's action may have changed what is legal."""
        try:
            action = self.rules.parse(request, seat)
            outcome = referee.apply(self.rules, self.position, action, self.chance)
        except Refused:
            return False
        if outcome.position.cursor == self.position.cursor:
            self._filled[seat].add(action.slot())
        self._sent[seat] += 1
        self._go_to(outcome.position)
        return True

    def _be_ready(self, seat: int) -> None:
        try:
            outcome = referee.apply(self.rules, self.position, Ready(actor=seat), self.chance)
        except Refused:  # phases played in turns know no "ready"
            outcome = referee.close(self.rules, self.position, self.chance)
        self._go_to(outcome.position)

    def _go_to(self, position: Any) -> None:
        is_new = position.cursor.serial != self.position.cursor.serial
        self.position = position
        if is_new:
            self._start_phase()
        self._requests.clear()
        self._views.clear()

    def _start_phase(self) -> None:
        self._filled: defaultdict[int, set[str]] = defaultdict(set)
        self._sent: defaultdict[int, int] = defaultdict(int)
        self._requests: dict[int, list[Request]] = {}
        self._views: dict[int, Any] = {}


class Spaces:
    """The spaces of an environment around `table`."""

    table: Table

    @cache  # noqa: B019  (tools ask for one and the same space each time)
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_space

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(CHOICES)
