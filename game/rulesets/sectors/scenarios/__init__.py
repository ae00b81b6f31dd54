"""Rules as data: scenarios of given, when and then that anybody can read, run and check."""

from game.rulesets.sectors.scenarios.language import ScenarioError
from game.rulesets.sectors.scenarios.manual import vocabulary
from game.rulesets.sectors.scenarios.running import Scenario, Told, read, run

__all__ = ["Scenario", "ScenarioError", "Told", "read", "run", "vocabulary"]
