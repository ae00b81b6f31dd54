"""The commands for those who tune and examine games take every ruleset, not one by name."""

import re
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from game.engine.flow import Flow, Round
from game.engine.ledger import BANK, cash_of
from game.engine.random_bot import random_bot
from game.lobby import lobby
from game.rulesets.registry import RULESETS
from game.store.game import Status
from tests.management.test_reports import read
from tests.servers import ROOT
from tests.tables import clock_runs_out, fresh, person
from tests.toy.flow import BIDDING, END, TURNS
from tests.toy.ruleset import TOY

each_ruleset = pytest.mark.parametrize("key", ["sectors", "toy"])
SCENARIOS = {
    "sectors": ROOT / "tests" / "rulesets" / "sectors" / "scenarios" / "1_setup.yaml",
    "toy": ROOT / "tests" / "toy" / "scenarios",
}


def said(command: str, *words: str, **given: Any) -> str:
    """What a command prints."""
    out = StringIO()
    call_command(command, *words, stdout=out, stderr=StringIO(), **given)
    return out.getvalue()


@each_ruleset
def test_the_sequence_of_play_is_shown(key: str) -> None:
    phase = {"sectors": "Influence bid", "toy": "Bidding"}[key]
    assert phase in said("show_flow", key)


def test_the_sequence_of_play_follows_the_options() -> None:
    assert "Headline resolve" in said("show_flow", "sectors")
    assert "Headline resolve" not in said("show_flow", "sectors", option=["edition=1"])
    with pytest.raises(CommandError, match="Edition cannot be"):
        said("show_flow", "sectors", option=["edition=9"])
    with pytest.raises(CommandError, match=r"no ruleset chess\. Choose one of sectors"):
        said("show_flow", "chess")


@each_ruleset
def test_games_are_simulated(key: str) -> None:
    assert "2 games, 2 with money and shares conserved" in said("simulate", key, seats=2, games=2, bots="mixed")
    with pytest.raises(CommandError, match=r"no bot oracle\. Choose one of house, .*random, .*mixed"):
        said("simulate", key, bots="oracle")


def test_bots_that_play_against_each_other_are_named_one_a_seat() -> None:
    result = said("simulate", "power_up", seats=3, games=3, bots="house,random,random")
    assert re.search(r"^wins: random \d+ % with 6 of 9 seats, house \d+ % with 3 of 9 seats$", result, re.MULTILINE)
    with pytest.raises(CommandError, match="it names 2 for 3 seats"):
        said("simulate", "power_up", seats=3, bots="house,random")


def test_a_game_on_its_first_day_is_simulated_among_random_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no house bot yet."""
    monkeypatch.setitem(RULESETS, "young", replace(TOY, key="young", bots={"random": random_bot}))
    assert "2 games, 2 with money and shares conserved" in said("simulate", "young", seats=2, games=2)


def test_a_ledger_that_does_not_balance_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """It used to show as a `KeyError`."""

    def unsound(play: Any) -> None:
        play.pay(cash_of(1), BANK, 999, why="bid")

    flow = Flow(Round("turn", "Round", phases=(replace(BIDDING, close=unsound), TURNS, END)))
    monkeypatch.setitem(RULESETS, "unsound", replace(TOY, key="unsound", flow=lambda options: flow))
    assert "broken: cash:1 cannot pay 999 to bank: 10 there" in said("simulate", "unsound", seats=2, games=1)


def test_a_turn_that_never_ends_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(view: Any, offered: Any, chance: Any) -> list[dict[str, Any]]:
        place = {"kind": "place", "card": min(view.player(view.seat).hand, default=1), "cell": "A1"}
        return [{"kind": "undo"}] if view.can_undo else [place]

    monkeypatch.setitem(RULESETS, "endless", replace(TOY, key="endless", bots={"random": endless}))
    result = said("simulate", "endless", seats=2, games=1)
    assert "broken: endless: more than 500 actions in one turn of phase 2" in result


def test_requests_of_bots_that_are_refused_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """An action that was forgotten in the union is refused, and its turns end as an absent player's."""
    bots = {"random": lambda view, offered, chance: [{"kind": "keep"}]}
    monkeypatch.setitem(RULESETS, "forgotten", replace(TOY, key="forgotten", bots=bots))
    result = said("simulate", "forgotten", seats=2, games=1)
    assert "requests of bots refused: 8\n  8 keep: There is no action" in result


def test_commands_know_the_game_that_is_playable_on_this_machine_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULESETS, "toy")
    assert "Bidding" in said("show_flow", "toy")
    result = said("simulate", "toy", seats=2, games=2)
    assert "ends: rounds 2, points 0" in result


def test_waits_are_counted() -> None:
    """With all that spares questions a table is waited for half as often, and nobody who comes once a day is late."""
    result = said("simulate", "sectors", seats=3, games=2, pace=True, option=["max_sub_rounds=3"])
    counted = {
        name: float(windows) for name, windows in re.findall(r"^(.+?): ([\d.]+)(?: windows| \()", result, re.MULTILINE)
    }
    assert set(counted) == {"windows a turn", *RULESETS["sectors"].aids, "all of them"}
    assert all(windows < counted["windows a turn"] for name, windows in counted.items() if name != "windows a turn")
    assert counted["all of them"] < counted["windows a turn"] * 2 / 3
    days = {kind: float(days) for kind, days in re.findall(r"^(without|with all): ([\d.]+) days", result, re.MULTILINE)}
    assert days["with all"] < days["without"]
    assert "0.0% of answers missed" in result
    with pytest.raises(CommandError, match="one bot for all seats"):
        said("simulate", "sectors", pace=True, bots="house,random")


def test_waits_are_counted_where_nothing_spares_a_question() -> None:
    result = said("simulate", "power_up", seats=3, games=1, pace=True)
    assert "windows a turn: 1.00 (take_turn 1.00)" in result
    assert "with all" not in result


@each_ruleset
def test_scenarios_are_run(key: str) -> None:
    out = said("scenario", str(SCENARIOS[key]), ruleset=key, failures=True)
    assert "0 scenarios failed" in out
    assert "### Words of `given`" in said("scenario", ruleset=key, vocabulary=True)


def test_a_report_holds_runs_of_several_games(tmp_path: Path) -> None:
    """Each run has the sections of its own game, and the index has them all."""
    for key in ("sectors", "toy"):
        said("simulate", key, seats=2, games=2, report=tmp_path)
    index = (tmp_path / "index.html").read_text(encoding="utf-8")
    for key, title in (("sectors", "Sectors"), ("toy", "Toy")):
        assert f'href="{key}-2-seats.html">{title}: 2 seats' in index
    sectors, toy = (read(tmp_path / f"{name}-2-seats.html") for name in ("sectors", "toy"))
    assert {"sectors", "mixes", "counted"} <= set(sectors)
    assert not {"sectors", "mixes", "counted"} & set(toy)
    assert [row[0] for row in toy["ends"]] == ["rounds", "points"]
    assert float(next(row for row in toy["length"] if row[0] == "Decisions of a seat a turn")[2]) > 1
    text = (tmp_path / "toy-2-seats.html").read_text(encoding="utf-8")
    assert "Net worth" not in text
    assert '<h2 id="h-worth">Score</h2>' in text


@pytest.mark.django_db
def test_the_log_of_a_game_of_turns_is_replayed() -> None:
    game = lobby.create_game(host=person("Ada"), name="Cards", seats=2, pace="demo", ruleset="toy")
    lobby.join_game(game_id=game.pk, user=person("Bob"))
    lobby.start_game(game_id=game.pk, user=person("Ada"))
    game = fresh(game)
    while game.status == Status.RUNNING:
        game = clock_runs_out(game)
    assert "all equal" in said("replay_game", str(game.pk))
