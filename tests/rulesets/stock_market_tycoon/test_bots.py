"""The house bot beats chance in every seat, uses everything its mode has, and leads a company where that pays."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import Any

import pytest

from game.engine import referee
from game.engine.actions import Action, tag_of
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.selfplay import play_out
from game.engine.simulation.survey import Survey
from game.rulesets.stock_market_tycoon.bots.inference import InformedOutlook
from game.rulesets.stock_market_tycoon.bots.outlook import Outlook
from game.rulesets.stock_market_tycoon.cards import BLANK, deck_of
from game.rulesets.stock_market_tycoon.flow import ACTIONS_BY_MODE
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON
from game.rulesets.stock_market_tycoon.scenarios.positions import (
    CompanyWords,
    ContractWords,
    PlayerWords,
    ShortWords,
    TycoonGiven,
    stand,
)
from game.rulesets.stock_market_tycoon.state import PriceChange, YearEnd

HOUSE, RANDOM = STOCK_MARKET_TYCOON.bots["house"], STOCK_MARKET_TYCOON.bots["random"]
GAMES = 12


@pytest.mark.parametrize("games", [6, pytest.param(200, marks=pytest.mark.trial)])
def test_the_house_bot_beats_the_random_one(games: int) -> None:
    """In two-player Trader games, alternately from either seat."""
    won = 0
    for game in range(games):
        seat = game % 2
        bots = [HOUSE, RANDOM] if seat == 0 else [RANDOM, HOUSE]
        outcome = play_out(STOCK_MARKET_TYCOON, Options(), bots, Chance(f"bots {game}"))
        first, second = STOCK_MARKET_TYCOON.standings(outcome.position.state)
        won += first.seat == seat and first.score > second.score
    assert won >= 0.95 * games


@pytest.mark.parametrize("mode", ACTIONS_BY_MODE)
def test_house_bots_use_everything_that_a_mode_has(mode: str) -> None:
    uses: Counter[str] = Counter()

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        uses.update(map(tag_of, actions))

    for seed in range(GAMES):
        options = Options(mode=mode)  # type: ignore[arg-type]
        play_out(STOCK_MARKET_TYCOON, options, [HOUSE] * 4, Chance(f"uses {seed}"), watch)
    assert not [tag_of(action) for action in ACTIONS_BY_MODE[mode] if not uses[tag_of(action)]]


def test_a_report_counts_every_card_and_company() -> None:
    survey = Survey(STOCK_MARKET_TYCOON, Options(mode="strategist"))
    for seed in range(GAMES):
        survey.play(["house"] * 4, f"report {seed}")
    counted = survey.report()["occurrences"]
    assert set(counted["cards"]) == set(deck_of("standard")) - {BLANK}
    assert [card for card, uses in counted["cards"].items() if not uses] == []
    assert min(counted["companies"].values()) > GAMES
    assert counted["ends"] == {"years": GAMES, "survivor": 0}


def choice(price: int, cash: int, *contracts: ContractWords) -> dict[str, Any]:
    """What the house bot does as the Chairman of Atlas Bank with 150,000 shares, of which ben has the rest."""
    given = TycoonGiven(
        phase="trade",
        acting="ada",
        players={"ada": PlayerWords(cash=cash), "ben": PlayerWords(cash=0)},
        companies={"AB": CompanyWords(price=price, shares={"ada": 150_000, "ben": 50_000})},
        contracts=list(contracts),
        options=Options(mode="strategist"),
    )
    position = stand(given).position
    offered = partial(referee.offers, STOCK_MARKET_TYCOON, position, 0)
    (request,) = HOUSE(STOCK_MARKET_TYCOON.view(position, 0), offered, Chance("choice"))
    return request


def test_a_buyback_pays_while_the_shares_are_cheap() -> None:
    """A block of 10,000 at 15 costs 150,000 and lifts 150,000 shares by 5 each, 750,000 together. (ST 4.10)"""
    request = choice(10, 1_000_000)
    assert request["kind"] == "announce_buyback"
    assert request["shares"] % 10_000 == 0
    assert choice(200, 1_000_000)["kind"] != "announce_buyback"


def test_a_dividend_pays_off_for_a_holder_of_puts() -> None:
    """It lowers the price, and puts gain by as much. (ST 4.9)"""
    put = ContractWords(player="ada", kind="put", company="AB", strike=60, shares=30_000)
    assert choice(60, 0, put) == {"kind": "declare_dividend", "company": "AB", "dividend": 20}
    assert choice(60, 0)["kind"] != "declare_dividend"


def outlook_with(*hand: str) -> Outlook:
    """What ada expects with this hand, against ben and cid."""
    players = {"ada": PlayerWords(hand=list(hand)), "ben": PlayerWords(), "cid": PlayerWords()}
    position = stand(TycoonGiven(phase="trade", acting="ada", players=players)).position
    return Outlook(STOCK_MARKET_TYCOON.view(position, 0))


def test_a_strike_saves_the_lowest_card_that_will_be_shown() -> None:
    """The bot is certain of its own card only; no card of Atlas Bank is lower than −10. (ST 4.11)"""
    assert outlook_with("AB-10").lowest_card("AB") == 10
    assert 5 < outlook_with("AB-5").lowest_card("AB") < 10
    assert 0 < outlook_with().lowest_card("AB") < outlook_with("AB-5").lowest_card("AB")
    assert outlook_with().lowest_card("NT") > outlook_with().lowest_card("AB")


def informed_move(ben: int = 0, bens_short: int = 0, last_year: int = 0) -> float:
    """The rise of Titan Steel that ada expects, if ben holds or sold short so many shares, and held some last year."""
    shorts = [ShortWords(player="ben", company="TS", entry=25, shares=bens_short)] if bens_short else []
    given = TycoonGiven(
        phase="trade",
        acting="ada",
        players={"ada": PlayerWords(), "ben": PlayerWords()},
        companies={"TS": CompanyWords(price=500, shares={"ben": ben} if ben else {})},
        shorts=shorts,
        options=Options(mode="investor"),
    )
    position = stand(given).position
    change = PriceChange("TS", 500, 0, 500, (0, last_year))
    position.state.year_end = YearEnd(year=1, withheld=[], worths=[0, 0], changes=[change])
    return InformedOutlook(STOCK_MARKET_TYCOON.view(position, 0)).mean("TS")


def test_the_sharp_bot_reads_the_trades_of_the_others() -> None:
    """Who bought a company this year probably holds good cards of it; who sold it, or sold it short, bad ones."""
    shorted, sold, bought = informed_move(bens_short=5000), informed_move(3000, last_year=4000), informed_move(5000)
    assert shorted < sold < 0 < bought
    assert informed_move(4000, last_year=4000) == informed_move() == pytest.approx(0)
    assert bought == informed_move(5000, last_year=1000), "shares of last year say nothing"
