"""Toy as the kernel and the site know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from game.engine.actions import Refused
from game.engine.ahead import TODAY
from game.engine.chance import Chance
from game.engine.codec import Codec
from game.engine.language import mark
from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.engine.offers import Cells
from game.engine.play import Play
from game.engine.random_bot import Request, random_bot
from game.engine.ruleset import Money, Offered, Ruleset, Unlock
from tests.toy.actions import ACTIONS, ToyAction
from tests.toy.events import EVENTS, AnyEvent
from tests.toy.flow import flow_of, remove_voted_out
from tests.toy.scoring import end_reason, score, standings
from tests.toy.state import CARDS, Options, ToyState
from tests.toy.view import ToyView, offers, viewer
from tests.toy.words import WORDS

MENUS: Mapping[str, tuple[Any, ...]] = {"rounds": (2, 1, 3), "edition": (1, 2)}
MONEY = Money(
    sources=frozenset({"set-up"}),
    bank_pays=frozenset({"wager won"}),
    bank_gets=frozenset({"set-up", "bid", "wager", "forfeit"}),
)
ENDS = {"rounds": mark("the last round was played"), "points": mark("somebody had enough points")}
COINS, BANK_COINS, CARDS_DEALT = 10, 100, 3


def parse_options(raw: Mapping[str, Any]) -> Options:
    """Options from untrusted input. Raises `Refused`."""
    for name, value in raw.items():
        if name not in MENUS or value not in MENUS[name]:
            raise Refused(
                "{option} cannot be {value}. Choose one of {menus}.",
                "T 1",
                code="unknown_option_value",
                field="options",
                option=f"{name!r:.20}",
                value=f"{value!r:.20}",
                menus=str(MENUS),
            )
    return Options(**raw)


def setup(options: Options, seats: int) -> ToyState:
    return ToyState(
        seats=seats, options=options, hands=[[] for _ in range(seats)], deck=list(CARDS), points=[0] * seats
    )


def deal(play: Play[ToyState]) -> None:
    """Ten coins and three cards for everybody. (T 1)"""
    state = play.state
    play.pay(OUTSIDE, BANK, BANK_COINS, why="set-up")
    for seat in range(state.seats):
        play.pay(OUTSIDE, cash_of(seat), COINS, why="set-up")
        for card in play.chance.order("hand", state.deck)[:CARDS_DEALT]:
            state.deck.remove(card)
            state.hands[seat].append(card)


def house_bot(view: ToyView, offered: Offered, chance: Chance) -> list[Request]:
    """Places its highest card while it can, draws otherwise, and bids nothing."""
    offers = {offer.kind: offer for offer in offered() if not offer.refused}
    if "place" in offers:
        cells = next(field for field in offers["place"].fields if isinstance(field, Cells))
        card = max(view.player(view.seat or 0).hand)
        return [{"kind": "place", "card": card, "cell": chance.pick("cell", cells.values)[0]}]
    return [{"kind": kind} for kind in ("draw", "stop") if kind in offers]


TOY = Ruleset(
    key="toy",
    title="Toy",
    version=1,
    schema=1,
    seats=range(2, 5),
    unlocks={("edition", 2): Unlock(after=1, games=2)},
    ladder=lambda options: "long" if options.edition == 2 else "",
    ladders={"": mark("Short edition"), "long": mark("Long edition")},
    seats_for=lambda options: range(2, 4) if options.edition == 2 else range(2, 5),
    options_type=Options,
    menus=MENUS,
    actions=ACTIONS,
    codec=Codec(ToyState, ToyAction, AnyEvent),
    flow=flow_of,
    options_of=lambda state: state.options,
    parse_options=parse_options,
    setup=setup,
    deal=deal,
    viewer=viewer,
    offers=offers,
    standings=standings,
    end_reason=end_reason,
    live_seconds=lambda options, phase: 0 if phase == "end_round" else 60,
    bots={"house": house_bot, "random": random_bot},
    registries={"actions": ACTIONS, "events": EVENTS, "ends": ENDS},
    occurrences=lambda event: (),
    money=MONEY,
    promises=replace(TODAY, rest_in_hand=True),
    remove_voted_out=remove_voted_out,
    breakdowns={"score": score},
    words=WORDS,
    cites={
        "seats": "T 1",
        "over": "T 7",
        "phase": "T phase {number}",
        "request": "T 0",
        "withdraw": "T 2",
        "undo": "T 3",
    },
)
