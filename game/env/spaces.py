"""What may be seen and chosen at a table, as tools ask for it: the same for every agent."""

from __future__ import annotations

from functools import cache
from typing import Any

from gymnasium import spaces

from game.env.table import CHOICES, Table


class Spaces:
    """The spaces of an environment around `table`."""

    table: Table

    @cache  # noqa: B019  (tools ask for one and the same space each time)
    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.table.observation_space

    @cache  # noqa: B019
    def action_space(self, agent: str) -> spaces.Space[Any]:
        return spaces.Discrete(CHOICES)
