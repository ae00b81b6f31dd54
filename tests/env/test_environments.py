"""The environments pass PettingZoo's own conformance suites for every ruleset, and show no seat another's secrets."""

import ast
import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from game.engine import referee
from game.env import env, parallel_env
from game.env.table import CHOICES
from game.rulesets.registry import RULESETS
from tests.servers import ROOT

SHORT: dict[str, dict[str, Any]] = {"sectors": {"max_turns": 8}}
KEYS = sorted(RULESETS)


def options(key: str) -> dict[str, Any]:
    return {"ruleset": key, **SHORT.get(key, {})}


@pytest.fixture(autouse=True)
def warnings_are_faults() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        # The suites advise ranges of numbers that suit pictures.
        warnings.filterwarnings(
            "ignore", message=".*(infinity|maximum and minimum|probably should be|NumPy array|num_moves).*"
        )
        yield


@pytest.mark.parametrize("key", KEYS)
def test_all_seats_at_once_as_the_suites_want_it(key: str) -> None:
    parallel_api_test(parallel_env(**options(key)), num_cycles=60)
    parallel_seed_test(partial(parallel_env, **options(key)), num_cycles=20)


@pytest.mark.parametrize("key", KEYS)
def test_one_seat_after_the_other_as_the_suites_want_it(key: str) -> None:
    api_test(env(**options(key)), num_cycles=60)
    seed_test(partial(env, **options(key)), num_cycles=30)


def first_allowed(observation: Any, generator: Any) -> int:
    """Any choice of the mask, to be ready every other time."""
    allowed = np.flatnonzero(observation["action_mask"])
    return 0 if allowed[0] == 0 and generator.random() < 0.5 else int(generator.choice(allowed))


@pytest.mark.parametrize("key", KEYS)
def test_a_whole_game_ends_with_places_and_rewards_that_add_up_to_the_scores(key: str) -> None:
    game, generator = parallel_env(**options(key)), np.random.default_rng(7)
    observations, _ = game.reset(seed=7)
    began, gained, widest = list(game.scores), dict.fromkeys(game.possible_agents, 0.0), 0
    infos: dict[str, Any] = {}
    while game.agents:
        widest = max(widest, *(int(each["action_mask"].sum()) for each in observations.values()))
        actions = {agent: first_allowed(observations[agent], generator) for agent in game.agents}
        observations, rewards, ends, cut_off, infos = game.step(actions)
        for agent, reward in rewards.items():
            gained[agent] += reward
    assert set(ends.values()) == {True}
    assert set(cut_off.values()) == {False}
    assert min(info["place"] for info in infos.values()) == 1
    for seat, agent in enumerate(game.possible_agents):
        assert gained[agent] == pytest.approx(game.scores[seat] - began[seat])
    assert 1 < widest <= CHOICES


@pytest.mark.parametrize("key", KEYS)
def test_what_the_mask_allows_the_rules_take(key: str) -> None:
    game, generator = env(**options(key)), np.random.default_rng(3)
    game.reset(seed=3)
    for _ in range(150):
        if not game.agents or game.terminations[game.agent_selection]:
            break
        seat, table = game.possible_agents.index(game.agent_selection), game.table
        observation = game.observe(game.agent_selection)
        requests = game.infos[game.agent_selection]["requests"]
        assert observation["action_mask"].sum() == len(requests) - (observation["action_mask"][0] == 0)
        for request in requests[1:6]:
            referee.apply(table.rules, table.position, table.rules.parse(request, seat), table.chance)
        game.step(first_allowed(observation, generator))


@pytest.mark.parametrize("key", ["sectors", "toy"])  # they begin with a sealed bid
def test_a_rivals_sealed_choice_changes_nothing_that_a_seat_observes(key: str) -> None:
    seen = []
    for pick in (0, -1):
        game = env(**options(key))
        game.reset(seed=5)
        own, table = game.possible_agents[1], game.table
        requests = table.requests(0)
        assert requests[0] != requests[-1]
        table.choose(0, requests.index(requests[pick]) + 1)
        seen.append(game.observe(own)["observation"])
    assert np.array_equal(*seen)


def test_a_seed_deals_one_game_and_another_seed_another() -> None:
    game = parallel_env(ruleset="power_up")
    dealt = [game.reset(seed=seed)[0]["seat_0"]["observation"] for seed in (1, 1, 2)]
    assert np.array_equal(dealt[0], dealt[1])
    assert not np.array_equal(dealt[1], dealt[2])


def test_a_number_of_seats_that_a_game_does_not_take_is_refused() -> None:
    with pytest.raises(ValueError, match="Sectors is for"):
        parallel_env(seats=40)


def test_the_example_of_the_documentation_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "docs" / "training.md").read_text(encoding="utf-8")
    exec(text.partition("```python\n")[2].partition("```")[0], {})
    assert set(ast.literal_eval(capsys.readouterr().out)) == {"seat_0", "seat_1"}
