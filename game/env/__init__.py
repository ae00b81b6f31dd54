"""Games for programs that learn: PettingZoo environments around the rules, without site, database or network."""

from game.env.parallel import parallel_env
from game.env.turns import env

__all__ = ["env", "parallel_env"]
