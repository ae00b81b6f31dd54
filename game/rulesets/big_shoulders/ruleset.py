"""The ruleset of City of the Big Shoulders for the kernel and the site."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from game.engine.ahead import TODAY
from game.engine.codec import Codec
from game.engine.events import Event
from game.engine.language import mark
from game.engine.ruleset import Money, Ruleset
from game.rulesets.big_shoulders.actions import ACTIONS, ShouldersAction
from game.rulesets.big_shoulders.bots import BOTS
from game.rulesets.big_shoulders.bots.ahead import TIME_SAVERS
from game.rulesets.big_shoulders.bots.sharp import sharp_of
from game.rulesets.big_shoulders.determinise import determinise
from game.rulesets.big_shoulders.events import ENDS, EVENTS, AnyEvent, GameEnded
from game.rulesets.big_shoulders.flow import flow_of
from game.rulesets.big_shoulders.offers import offers
from game.rulesets.big_shoulders.options import MENUS, Options, live_seconds, parse_options
from game.rulesets.big_shoulders.scenarios import WORDS
from game.rulesets.big_shoulders.scoring import score_parts, standings
from game.rulesets.big_shoulders.setup import deal, setup
from game.rulesets.big_shoulders.state import ShouldersState
from game.rulesets.big_shoulders.tables import COMPANIES
from game.rulesets.big_shoulders.view import viewer


def occurrences(event: Event) -> Iterator[tuple[str, str]]:
    """The end."""
    if isinstance(event, GameEnded):
        yield "ends", event.end


BIG_SHOULDERS = Ruleset(
    key="big_shoulders",
    title="City of the Big Shoulders",
    version=2,
    schema=1,
    changes={
        2: mark(
            "If you act in your turn yourself, or take something back, your standing orders leave the rest of that turn"
            " to you. The recipe of a company ends once somebody else directs it, and its player is told. (B-77, B-79,"
            " B-80)"
        )
    },
    promises=replace(TODAY, lapse=True, rest_in_hand=True),
    earlier={1: TODAY},
    seats=range(2, 5),
    options_type=Options,
    menus=MENUS,
    actions=ACTIONS,
    codec=Codec(ShouldersState, ShouldersAction, AnyEvent),
    flow=lambda options: flow_of(options.advanced),
    options_of=lambda state: state.options,
    parse_options=parse_options,
    setup=setup,
    deal=deal,
    viewer=viewer,
    offers=offers,
    standings=standings,
    end_reason=lambda state: state.end,
    live_seconds=live_seconds,
    breakdowns={"score": score_parts},
    bots=BOTS,
    aids=TIME_SAVERS,
    determinise=determinise,
    registries={
        "actions": ACTIONS,
        "events": EVENTS,
        "companies": {str(key): row for key, row in COMPANIES.items()},
        "ends": ENDS,
    },
    occurrences=occurrences,
    cites={
        "seats": "B-6",
        "over": "BS 9",
        "phase": "BS 3",
        "request": "BS 3",
        "withdraw": "B-19",
        "undo": "B-80",
    },
    words=WORDS,
    money=Money(
        is_public=True,
        sources=frozenset({mark("set-up")}),
        bank_pays=frozenset(
            {
                mark("sale"),
                mark("fund raising"),
                mark("bank's fee"),
                mark("declined bonus"),
                mark("idle partners"),
                mark("dividend"),
                mark("treasury's dividend"),
                mark("revenue"),
                mark("certificates raised"),
            }
        ),
        bank_gets=frozenset(
            {
                mark("purchase from the pool"),
                mark("space"),
                mark("capital asset"),
                mark("extra dividend"),
                mark("asset use"),
                mark("cubes"),
            }
        ),
    ),
)
BOTS["sharp"] = sharp_of(BIG_SHOULDERS)  # it continues positions, so it needs the complete rules
