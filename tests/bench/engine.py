"""The rules alone: whole games among bots, and resolutions with the orders ready, beside the diplomacy package."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from game.engine import referee
from game.engine.chance import Chance
from game.engine.ruleset import Ruleset
from game.engine.selfplay import Watch, bot_actions, play_out
from game.rulesets.registry import RULESETS
from tests.bench.rows import Row
from tests.bench.sizes import size

SECTORS = RULESETS["sectors"]
IN_TURNS: tuple[tuple[str, dict[str, str], float], ...] = (
    ("power_up", {}, 0.15),
    ("big_shoulders", {}, 0.4),
    ("stock_market_tycoon", {"mode": "trader"}, 0.12),
    ("stock_market_tycoon", {"mode": "strategist"}, 0.25),
)
"""Games in turns: ruleset, options, and the most seconds of a whole game of four."""
SEATS_IN_TURNS = 4
SEATS, GAMES = 6, size(10, small=1)
RECORDED = {"phases_per_s_total": 345.0, "process_only_phases_per_s": 1440.0}
PEER_SECONDS = 300


def engine_rows(peer_file: str | None, peer_python: str | None) -> Iterator[Row]:
    """Whole games and bare resolutions, counting only phases with a decision."""
    peer, note = _peer(peer_file, peer_python)
    seconds, phases = _whole_games(SECTORS, SEATS)
    yield Row("whole game, 6 house bots, 8 turns", seconds * 1000, "ms", "", None, None, "≤ 100 ms", seconds <= 0.1)
    for key, options, most in IN_TURNS:
        yield _row_in_turns(RULESETS[key], options, most)
    theirs = peer["phases_per_s_total"]
    yield _faster("phases/s with bots", phases, "diplomacy self-play", theirs, 9, note)
    yield _faster(
        "phases/s, orders ready", _resolutions(), "diplomacy process()", peer["process_only_phases_per_s"], 4, note
    )


def _row_in_turns(rules: Ruleset, options: dict[str, str], most: float) -> Row:
    seconds, _ = _whole_games(rules, SEATS_IN_TURNS, **options)
    title = ", ".join((rules.title, *options.values()))
    name, goal = f"{title}: whole game, {SEATS_IN_TURNS} house bots", f"≤ {most * 1000:.0f} ms"
    return Row(name, seconds * 1000, "ms", "", None, None, goal, seconds <= most)


def _faster(name: str, ours: float, beside: str, theirs: float, goal: float, note: str) -> Row:
    return Row(name, ours, "/s", beside, theirs, ours / theirs, f"≥ {goal} ×", ours / theirs >= goal, note)


def _peer(file: str | None, python: str | None) -> tuple[dict[str, float], str]:
    """The peer's own figures when its script runs here, otherwise the recorded ones, said so."""
    if not file:
        return RECORDED, "the peer was not run (no --peer FILE); its recorded figures stand beside"
    if not Path(file).is_file():
        return RECORDED, f"the peer was not run: there is no file {file}; its recorded figures stand beside"
    ran = subprocess.run(
        [python or sys.executable, file], capture_output=True, text=True, timeout=PEER_SECONDS, check=False
    )
    if ran.returncode:
        reason = ran.stderr.strip().splitlines()[-1:] or ["no output"]
        return RECORDED, f"the peer was not run ({reason[0]}); its recorded figures stand beside"
    return json.loads(ran.stdout.strip().splitlines()[-1]), ""


def _whole_games(rules: Ruleset, seats: int, **options: Any) -> tuple[float, float]:
    """Median seconds of a game, and decision phases per second over all games."""
    bots = [rules.bots["house"]] * seats
    durations, decisions = [], 0
    for game in range(GAMES + 1):
        serials: set[int] = set()
        began = perf_counter()
        play_out(rules, rules.options_type(**options), bots, Chance(f"bench {game}"), _count_into(serials))
        if game:  # the first one warms up
            durations.append(perf_counter() - began)
            decisions += len(serials)
    return median(durations), decisions / sum(durations)


def _count_into(serials: set[int]) -> Watch:
    return lambda _, outcome: serials.add(outcome.position.cursor.serial)


def _resolutions() -> float:
    """Decision phases per second when everybody's actions are given: check, seal, resolve."""
    bots = [SECTORS.bots["house"]] * SEATS
    seconds, phases = 0.0, 0
    for game in range(GAMES):
        chance = Chance(f"bench {game}")
        position: Any = referee.start(SECTORS, SECTORS.options_type(), SEATS, chance).position
        while not position.is_over:
            waiting = sorted(referee.waiting_on(SECTORS, position))
            actions = bot_actions(SECTORS, position, waiting, [bots[seat] for seat in waiting], chance)
            began = perf_counter()
            outcome = referee.apply_all(SECTORS, position, actions, chance)
            seconds, phases = seconds + perf_counter() - began, phases + 1
            position = outcome.position
    return phases / seconds
