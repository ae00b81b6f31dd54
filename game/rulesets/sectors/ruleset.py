"""The ruleset of Sectors for the kernel and the site."""

from __future__ import annotations

from typing import Any, Union

from game.engine.codec import Codec
from game.engine.language import mark
from game.engine.ruleset import Caretaker, Ruleset
from game.rulesets.sectors.actions import ACTIONS, SectorsAction
from game.rulesets.sectors.bots import BOTS
from game.rulesets.sectors.bots.aids import TIME_SAVERS
from game.rulesets.sectors.bots.expert import expert_of
from game.rulesets.sectors.breakdowns import BREAKDOWNS
from game.rulesets.sectors.determinise import determinise
from game.rulesets.sectors.effects import ABILITIES, COMPANY_ACTIONS, PRESTIGE_SPACES, RESEARCH_CARDS
from game.rulesets.sectors.events import EVENTS
from game.rulesets.sectors.flow import flow
from game.rulesets.sectors.money import MONEY
from game.rulesets.sectors.occurrences import facts, occurrences
from game.rulesets.sectors.offers import explain, offers
from game.rulesets.sectors.options import MENUS, SHEET_SECONDS, Options, live_seconds, parse_options
from game.rulesets.sectors.scenarios import WORDS
from game.rulesets.sectors.scoring import standings
from game.rulesets.sectors.sector_figures import SUBJECTS
from game.rulesets.sectors.setup import deal, setup
from game.rulesets.sectors.state import ORDER_KINDS, SectorsState
from game.rulesets.sectors.tables.sectors import SECTORS as SECTOR_CARDS
from game.rulesets.sectors.traces import TRACES
from game.rulesets.sectors.upgrades import CHANGES, EARLIER, UPGRADES
from game.rulesets.sectors.view import Viewer, opened

AnyEvent: Any = Union[tuple(EVENTS.values())]  # noqa: UP007  (a union made of a list)

SECTORS = Ruleset(
    key="sectors",
    title="Sectors",
    version=6,
    schema=2,
    seats=range(2, 9),
    options_type=Options,
    menus=MENUS,
    actions=ACTIONS,
    codec=Codec(SectorsState, SectorsAction, AnyEvent),
    flow=flow,
    options_of=lambda state: state.options,
    parse_options=parse_options,
    setup=setup,
    deal=deal,
    viewer=Viewer,
    opened=opened,
    breakdowns=BREAKDOWNS,
    traces=TRACES,
    subjects=SUBJECTS,
    offers=offers,
    standings=standings,
    end_reason=lambda state: state.end,
    live_seconds=live_seconds,
    sheet_seconds=SHEET_SECONDS,
    bots=BOTS,
    registries={
        "actions": ACTIONS,
        "cards": RESEARCH_CARDS,
        "company_actions": COMPANY_ACTIONS,
        "prestige": PRESTIGE_SPACES,
        "abilities": ABILITIES,
        "events": EVENTS,
        "orders": {kind: kind for kind in ORDER_KINDS},
        "sectors": SECTOR_CARDS,
        "ends": {"bank": mark("the bank broke"), "turns": mark("the last turn was played")},
    },
    occurrences=occurrences,
    facts=facts,
    money=MONEY,
    explain=explain,
    determinise=determinise,
    upgrades=UPGRADES,
    changes=CHANGES,
    earlier=EARLIER,
    words=WORDS,
    aids=TIME_SAVERS,
    caretaker=Caretaker(
        resigned="house",
        while_away=mark("it passes (no bid, no order, no vote, no pledge and no contribution)"),
        once_resigned=mark("it decides as a bot does"),
    ),
    cites={"seats": "A2", "over": "S 4.5", "phase": "S 4.4 phase {number}", "request": "S 5.1", "withdraw": "revise"},
)
BOTS["expert"] = expert_of(SECTORS)  # it continues positions, so it needs the complete rules
