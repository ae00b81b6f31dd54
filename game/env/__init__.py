"""Games for learning programs: PettingZoo environments around the rules, without site, database or network."""

from game.env.environments import env, parallel_env

__all__ = ["env", "parallel_env"]
