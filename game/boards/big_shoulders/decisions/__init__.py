"""The decisions of City of the Big Shoulders, by phase."""

from __future__ import annotations

from collections.abc import Mapping

from game.boards.big_shoulders.decisions.building import Build
from game.boards.big_shoulders.decisions.operation import Operate
from game.boards.big_shoulders.decisions.placing import Act
from game.boards.big_shoulders.decisions.standing import Standing
from game.boards.big_shoulders.decisions.stock import Stock
from game.boards.decision import Decision

DECISIONS: Mapping[str, Decision] = {
    "first_company": Stock(),
    "stock": Stock(),
    "building": Build(),
    "action": Act(),
    "operation": Operate(),
    "standing": Standing(),
}
