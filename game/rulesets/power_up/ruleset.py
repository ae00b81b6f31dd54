"""The ruleset of Power Up for the kernel and the site."""

from __future__ import annotations

from collections.abc import Iterator

from game.engine.codec import Codec
from game.engine.events import Event
from game.engine.language import mark
from game.engine.ruleset import Caretaker, Money, Ruleset
from game.rulesets.power_up.actions import ACTIONS, PowerUpAction
from game.rulesets.power_up.bots import BOTS
from game.rulesets.power_up.breakdowns import BREAKDOWNS
from game.rulesets.power_up.events import ENDS, EVENTS, AnyEvent, CompanyFounded, GameEnded
from game.rulesets.power_up.flow import FLOW
from game.rulesets.power_up.offers import offers
from game.rulesets.power_up.options import MENUS, Options, live_seconds, parse_options
from game.rulesets.power_up.scenarios import WORDS
from game.rulesets.power_up.scoring import standings
from game.rulesets.power_up.setup import deal, setup
from game.rulesets.power_up.state import DOE, PowerUpState
from game.rulesets.power_up.tables import COMPANIES
from game.rulesets.power_up.view import viewer


def occurrences(event: Event) -> Iterator[tuple[str, str]]:
    """The companies that were founded, and the reason for the end."""
    if isinstance(event, CompanyFounded):
        yield "companies", event.company
    if isinstance(event, GameEnded):
        yield "ends", event.end


POWER_UP = Ruleset(
    key="power_up",
    title="Power Up",
    version=1,
    schema=1,
    seats=range(2, 5),
    options_type=Options,
    menus=MENUS,
    actions=ACTIONS,
    codec=Codec(PowerUpState, PowerUpAction, AnyEvent),
    flow=lambda options: FLOW,
    options_of=lambda state: state.options,
    parse_options=parse_options,
    setup=setup,
    deal=deal,
    viewer=viewer,
    offers=offers,
    standings=standings,
    end_reason=lambda state: state.end,
    live_seconds=live_seconds,
    breakdowns=BREAKDOWNS,
    bots=BOTS,
    registries={"actions": ACTIONS, "events": EVENTS, "companies": COMPANIES, "ends": ENDS},
    occurrences=occurrences,
    words=WORDS,
    caretaker=Caretaker(
        while_away=mark("it plays your tile that changes least, fills your hand and buys nothing"),
        once_resigned=mark("it plays the tile that changes least, fills the hand and buys nothing"),
    ),
    cites={"seats": "PU 1", "over": "PU 5", "phase": "PU 3", "request": "PU 3", "withdraw": "PU 3", "undo": "P-18"},
    money=Money(
        is_public=True,
        accounts={DOE: mark("Department of Energy")},
        sources=frozenset({mark("set-up")}),
        bank_pays=frozenset({mark("bonus"), mark("sale")}),
        bank_gets=frozenset({mark("purchase")}),
    ),
)
