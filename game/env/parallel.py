"""All seats choose at once: a PettingZoo `ParallelEnv`."""

from __future__ import annotations

from typing import Any

from gymnasium.utils import seeding
from pettingzoo import ParallelEnv

from game.env.spaces import Spaces
from game.env.table import Observation, Table

Told = dict[str, Any]


class GameInParallel(Spaces, ParallelEnv[str, Observation, int]):
    """Every agent remains until the end; one without a decision has only the choice 0. A reward is the change of the
    agent's own score, as it sees it."""

    render_mode = None

    def __init__(self, table: Table) -> None:
        self.metadata = {"name": f"{table.rules.key}_parallel_v1", "render_modes": []}
        self.table, self.possible_agents = table, list(table.agents)
        self.agents: list[str] = []
        self.np_random = seeding.np_random()[0]

    def reset(self, seed: int | None = None, options: Told | None = None) -> tuple[Told, Told]:
        """A new game; the same seed deals the same one. There are no options."""
        if seed is not None:
            self.np_random = seeding.np_random(seed)[0]
        self.table.deal(secret_from(self.np_random))
        self.agents = list(self.possible_agents)
        self.scores = [self.table.score(seat) for seat, _ in enumerate(self.agents)]
        return self._told(self.table.observe), self._told(self.table.info)

    def step(self, actions: dict[str, int]) -> tuple[Told, Told, Told, Told, Told]:
        """One choice of each, the lowest seat first; whoever's phase is over meanwhile does nothing."""
        serial = self.table.position.cursor.serial
        for seat, agent in enumerate(self.possible_agents):
            if agent in actions and self.table.position.cursor.serial == serial:
                self.table.choose(seat, int(actions[agent]))
        rewards = self._told(self._gained)
        observations, infos = self._told(self.table.observe), self._told(self.table.info)
        over, cut_off = self.table.is_over, self.table.is_cut_off
        ends = (dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut_off))
        if over or cut_off:
            self.agents = []
        return observations, rewards, *ends, infos

    def render(self) -> None:
        """There is nothing to be looked at here: the site draws boards."""

    def close(self) -> None:
        """Nothing is held open."""

    def _gained(self, seat: int) -> float:
        before, self.scores[seat] = self.scores[seat], self.table.score(seat)
        return self.scores[seat] - before

    def _told(self, tell: Any) -> Told:
        return {agent: tell(seat) for seat, agent in enumerate(self.possible_agents) if agent in self.agents}


def secret_from(generator: Any) -> str:
    """What a game's draws follow from."""
    return str(generator.bytes(16).hex())


def parallel_env(ruleset: str = "sectors", seats: int | None = None, **options: Any) -> GameInParallel:
    """A game of one of the rulesets: by as few players as it takes where `seats` is left out."""
    return GameInParallel(Table(ruleset, seats, options))
