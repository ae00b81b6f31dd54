"""The ruleset of Stock Market Tycoon for the kernel and the site."""

from __future__ import annotations

from game.engine.codec import Codec
from game.engine.language import mark
from game.engine.ruleset import Money, Ruleset, Unlock
from game.rulesets.stock_market_tycoon.actions import ACTIONS, TycoonAction
from game.rulesets.stock_market_tycoon.bots import BOTS
from game.rulesets.stock_market_tycoon.bots.ahead import TIME_SAVERS
from game.rulesets.stock_market_tycoon.bots.sharp import sharp_of
from game.rulesets.stock_market_tycoon.determinise import determinise
from game.rulesets.stock_market_tycoon.events import ENDS, EVENTS, AnyEvent
from game.rulesets.stock_market_tycoon.flow import flow_of
from game.rulesets.stock_market_tycoon.occurrences import CARDS, occurrences
from game.rulesets.stock_market_tycoon.offers import offers
from game.rulesets.stock_market_tycoon.options import MENUS, Options, live_seconds, parse_options
from game.rulesets.stock_market_tycoon.scenarios import WORDS
from game.rulesets.stock_market_tycoon.scoring import standings, worth_parts
from game.rulesets.stock_market_tycoon.setup import deal, setup
from game.rulesets.stock_market_tycoon.state import ESCROW, TycoonState
from game.rulesets.stock_market_tycoon.tables import COMPANIES, MODES
from game.rulesets.stock_market_tycoon.turns import remove_voted_out
from game.rulesets.stock_market_tycoon.view import viewer

STOCK_MARKET_TYCOON = Ruleset(
    key="stock_market_tycoon",
    title="Stock Market Tycoon",
    version=3,
    schema=1,
    changes={
        2: mark(
            "“Up to” a number in plans and lists means as many whole lots as fit. Where following rights is free,"
            " the list then continues with its next entry. (T-29, T-30)"
        ),
        3: mark("The last phase of a year now has that year’s number, not the next year’s. (ST 3)"),
    },
    seats=range(2, 13),
    options_type=Options,
    menus=MENUS,
    actions=ACTIONS,
    codec=Codec(TycoonState, TycoonAction, AnyEvent),
    flow=lambda options: flow_of(options.mode, options.trade_mode),
    options_of=lambda state: state.options,
    parse_options=parse_options,
    setup=setup,
    deal=deal,
    viewer=viewer,
    remove_voted_out=remove_voted_out,
    offers=offers,
    standings=standings,
    end_reason=lambda state: state.end,
    live_seconds=live_seconds,
    breakdowns={"score": worth_parts},
    bots=BOTS,
    aids=TIME_SAVERS,
    determinise=determinise,
    registries={
        "actions": ACTIONS,
        "events": EVENTS,
        "cards": CARDS,
        "companies": {str(key): row for key, row in COMPANIES.items()},
        "ends": ENDS,
    },
    occurrences=occurrences,
    words=WORDS,
    unlocks={
        ("mode", "investor"): Unlock(after="trader", games=3),
        ("mode", "strategist"): Unlock(after="investor", games=2, is_won=True),
    },
    ladder=lambda options: options.mode,
    ladders=MODES,
    seats_for=lambda options: options.numbers.seats,
    cites={
        "seats": "ST 1.4",
        "over": "ST 6",
        "phase": "ST 3",
        "request": "ST 4",
        "withdraw": "ST 4.11",
        "undo": "T-16",
    },
    money=Money(
        is_public=True,
        accounts={ESCROW: mark("Escrow of the buyback")},
        sources=frozenset({mark("set-up")}),
        sinks=frozenset({mark("forfeit")}),
        bank_pays=frozenset(
            {
                mark("sale"),
                mark("forced sale"),
                mark("loan"),
                mark("debenture"),
                mark("dividend"),
                mark("currency gain"),
                mark("short gain"),
                mark("option"),
            }
        ),
        bank_gets=frozenset(
            {
                mark("purchase"),
                mark("rights"),
                mark("premium"),
                mark("currency loss"),
                mark("short loss"),
                mark("debt"),
            }
        ),
    ),
)
BOTS["sharp"] = sharp_of(STOCK_MARKET_TYCOON)  # it plays positions to their end, so it needs the complete rules
