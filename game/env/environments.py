"""The environments: a PettingZoo `ParallelEnv` in which all seats choose at once, and an `AECEnv` in which agents are
asked in turn."""

from __future__ import annotations

from typing import Any

from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from game.env.table import Observation, Spaces, Table

ByAgent = dict[str, Any]


class GameInParallel(Spaces, ParallelEnv[str, Observation, int]):
    """Every agent remains until the end; one without a decision has only the choice 0. A reward is the change of the
    agent's own score, as it sees it."""

    render_mode = None

    def __init__(self, table: Table) -> None:
        self.metadata = {"name": f"{table.rules.key}_parallel_v1", "render_modes": []}
        self.table, self.possible_agents = table, list(table.agents)
        self.agents: list[str] = []
        self.np_random = seeding.np_random()[0]

    def reset(self, seed: int | None = None, options: ByAgent | None = None) -> tuple[ByAgent, ByAgent]:
        """Start a new game; equal seeds deal equal games. There are no options."""
        if seed is not None:
            self.np_random = seeding.np_random(seed)[0]
        self.table.deal(secret_from(self.np_random))
        self.agents = list(self.possible_agents)
        self.scores = [self.table.score(seat) for seat, _ in enumerate(self.agents)]
        return self._by_agent(self.table.observe), self._by_agent(self.table.info)

    def step(self, actions: dict[str, int]) -> tuple[ByAgent, ByAgent, ByAgent, ByAgent, ByAgent]:
        """Carry out one choice of each agent, the lowest seat first; a choice for a phase that has closed meanwhile
        does nothing."""
        serial = self.table.position.cursor.serial
        for seat, agent in enumerate(self.possible_agents):
            if agent in actions and self.table.position.cursor.serial == serial:
                self.table.choose(seat, int(actions[agent]))
        rewards = self._by_agent(self._reward_of)
        observations, infos = self._by_agent(self.table.observe), self._by_agent(self.table.info)
        over, cut_off = self.table.is_over, self.table.is_cut_off
        ends = (dict.fromkeys(self.agents, over), dict.fromkeys(self.agents, cut_off))
        if over or cut_off:
            self.agents = []
        return observations, rewards, *ends, infos

    def render(self) -> None:
        """Does nothing: only the site draws boards."""

    def close(self) -> None:
        """Does nothing: there are no resources to release."""

    def _reward_of(self, seat: int) -> float:
        before, self.scores[seat] = self.scores[seat], self.table.score(seat)
        return self.scores[seat] - before

    def _by_agent(self, read_seat: Any) -> ByAgent:
        return {agent: read_seat(seat) for seat, agent in enumerate(self.possible_agents) if agent in self.agents}


def secret_from(generator: Any) -> str:
    """The secret of a game's draws for a seed."""
    return str(generator.bytes(16).hex())


def parallel_env(ruleset: str = "sectors", seats: int | None = None, **options: Any) -> GameInParallel:
    """A game of a ruleset; without `seats`, with the fewest players it allows."""
    return GameInParallel(Table(ruleset, seats, options))


class GameInTurns(Spaces, AECEnv[str, Observation, int]):
    """Only seats with a decision are asked: the lowest first, each until it is ready or the phase is over. Sealed
    inputs stay sealed: `observe` shows what the rules show to that seat."""

    render_mode = None

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.metadata = {"name": f"{table.rules.key}_v1", "render_modes": [], "is_parallelizable": False}
        self.table, self.possible_agents = table, list(table.agents)
        self.np_random = seeding.np_random()[0]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; equal seeds deal equal games. There are no options."""
        if seed is not None:
            self.np_random = seeding.np_random(seed)[0]
        self.table.deal(secret_from(self.np_random))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.scores = {agent: self.table.score(seat) for seat, agent in enumerate(self.agents)}
        self._look()

    def observe(self, agent: str) -> Observation:
        return self.table.observe(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Carry out the choice of the selected agent; None if its game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.table.choose(self.possible_agents.index(agent), int(action))
        for seat, each in enumerate(self.possible_agents):
            before, self.scores[each] = self.scores[each], self.table.score(seat)
            self.rewards[each] = self.scores[each] - before
        self._accumulate_rewards()
        self._look()

    def render(self) -> None:
        """Does nothing: only the site draws boards."""

    def close(self) -> None:
        """Does nothing: there are no resources to release."""

    def _look(self) -> None:
        """Update the next agent, and whether the game has ended."""
        self.terminations = dict.fromkeys(self.agents, self.table.is_over)
        self.truncations = dict.fromkeys(self.agents, self.table.is_cut_off)
        self.infos = {agent: self.table.info(seat) for seat, agent in enumerate(self.possible_agents)}
        waiting = self.table.waiting
        self.agent_selection = self.possible_agents[waiting[0]] if waiting else self.agents[0]


def env(ruleset: str = "sectors", seats: int | None = None, **options: Any) -> GameInTurns:
    """A game of a ruleset; without `seats`, with the fewest players it allows."""
    return GameInTurns(Table(ruleset, seats, options))
