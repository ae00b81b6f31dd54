"""Turns decided ahead: entries with conditions, the plan for the year, and the list for a sub-round. (T-30, T-37)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Self

from msgspec import Meta, structs

from game.engine.actions import TURN, Action, Refused
from game.engine.language import mark
from game.engine.phrases import thousands
from game.engine.play import Play
from game.rulesets.stock_market_tycoon.finance import AnnounceBuyback, BuyOption, DeclareDividend, SellShort, premium_of
from game.rulesets.stock_market_tycoon.state import TycoonState
from game.rulesets.stock_market_tycoon.tables import LOT, SUB_ROUNDS, Company
from game.rulesets.stock_market_tycoon.trading import (
    Buy,
    EndTurn,
    FollowRights,
    PlayDebenture,
    PlayLoan,
    PlayRights,
    Sell,
    most_rights,
    title,
)
from game.rulesets.stock_market_tycoon.turns import act_for

MOST_ENTRIES = 12
ANY = 0
"""The sub-round of an entry that applies to every turn."""
SubRound = Annotated[int, Meta(ge=ANY, le=SUB_ROUNDS)]
Limit = Annotated[int, Meta(ge=0, le=999_999_999)]
"""Dollars per share, 0 for any price: the highest price of a purchase or a call, the lowest for everything else."""


class PlannedBuy(Buy, frozen=True, kw_only=True, tag="buy"):
    """A planned purchase; `is_up_to`: as many shares as are possible, at most `shares`."""

    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedSell(Sell, frozen=True, kw_only=True, tag="sell"):
    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedRights(PlayRights, frozen=True, kw_only=True, tag="play_rights"):
    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedFollow(FollowRights, frozen=True, kw_only=True, tag="follow_rights"):
    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedShort(SellShort, frozen=True, kw_only=True, tag="sell_short"):
    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedOption(BuyOption, frozen=True, kw_only=True, tag="buy_option"):
    sub_round: SubRound = ANY
    is_up_to: bool = False
    limit: Limit = 0


class PlannedLoan(PlayLoan, frozen=True, kw_only=True, tag="play_loan"):
    sub_round: SubRound = ANY


class PlannedDebenture(PlayDebenture, frozen=True, kw_only=True, tag="play_debenture"):
    sub_round: SubRound = ANY


class PlannedDividend(DeclareDividend, frozen=True, kw_only=True, tag="declare_dividend"):
    sub_round: SubRound = ANY


class PlannedBuyback(AnnounceBuyback, frozen=True, kw_only=True, tag="announce_buyback"):
    sub_round: SubRound = ANY


class PlannedPass(EndTurn, frozen=True, kw_only=True, tag="end_turn"):
    """Pass if nothing before it was possible, in every such turn."""

    sub_round: SubRound = ANY


Priced = PlannedBuy | PlannedSell | PlannedRights | PlannedFollow | PlannedShort | PlannedOption
PRICED = (PlannedBuy, PlannedSell, PlannedRights, PlannedFollow, PlannedShort, PlannedOption)
IN_LOTS = (PlannedBuy, PlannedShort, PlannedOption)
Entry = Priced | PlannedLoan | PlannedDebenture | PlannedDividend | PlannedBuyback | PlannedPass
Entries = Annotated[list[Entry], Meta(min_length=1, max_length=MOST_ENTRIES)]


def fitted(entry: Entry, state: TycoonState) -> Entry:
    """The entry as it is played now. Raises `Refused` if it is not for this turn, or not legal."""
    if entry.sub_round not in (ANY, state.sub_round):
        raise Refused(
            "This is for sub-round {other}.", "T-37", other=entry.sub_round, code="other_sub_round", field="entries"
        )
    if isinstance(entry, PRICED):
        _check_limit(entry, state)
        if entry.is_up_to:
            most = min(entry.shares, _most(entry, state))
            entry = structs.replace(entry, shares=(lots(most) if isinstance(entry, IN_LOTS) else most) or entry.shares)
    entry.check(state)
    return entry


def _check_limit(entry: Priced, state: TycoonState) -> None:
    price = state.prices[entry.company]
    if not entry.limit:
        return
    is_most = isinstance(entry, PlannedBuy) or (isinstance(entry, PlannedOption) and entry.contract == "call")
    if price > entry.limit if is_most else price < entry.limit:
        raise Refused(
            "The price of {company} is {price}; your limit is {limit}.",
            "T-30",
            company=title(entry.company),
            price=thousands(price),
            limit=thousands(entry.limit),
            code="beyond_limit",
            field="entries",
        )


def _most(entry: Priced, state: TycoonState) -> int:
    """The most shares that are possible now; 0 if none are. (T-30)"""
    seat, company, price = entry.actor, entry.company, state.prices[entry.company]
    match entry:
        case PlannedBuy():
            return lots(min(state.pool(company), state.cash(seat) // price)) if price else 0
        case PlannedSell():
            return state.held(seat, company)
        case PlannedRights() | PlannedFollow():
            return most_rights(state, seat, company)
        case PlannedShort():
            return state.short_left(company)
        case PlannedOption():
            return most_options(state, seat, company)


def lots(shares: int) -> int:
    """These shares rounded down to whole lots."""
    return shares // LOT * LOT


def most_options(state: TycoonState, seat: int, company: Company) -> int:
    """The most shares for which a seat can buy options: by those left, and by its cash."""
    premium = premium_of(state, company, LOT)
    return lots(min(state.options_left(company), state.cash(seat) * LOT // premium)) if premium else 0


class TurnsAhead(Action, frozen=True, kw_only=True):
    """Entries in order: in one’s own turn the first legal one is played at once. Only their seat ever sees them."""

    entries: Entries
    may_stand: ClassVar[bool] = True
    is_conditional: ClassVar[bool] = True

    def first_legal(self, state: TycoonState) -> tuple[Entry, Entry] | None:
        """The entry that is played now, as it was given and as it is played."""
        for entry in self.entries:
            try:
                return entry, fitted(entry, state)
            except Refused:
                continue
        return None

    def without(self, played: Entry) -> Self:
        """The entries without this one."""
        return structs.replace(self, entries=[entry for entry in self.entries if entry is not played])


class Plan(TurnsAhead, frozen=True, kw_only=True, tag="plan"):
    """Entries for the turns of this year, each played once; if none is legal, its seat must decide. (T-37)"""

    title: ClassVar[str] = mark("Plan for the year")
    phases: ClassVar[frozenset[str]] = frozenset({"trade"})
    lasts: ClassVar[str] = TURN

    def serves(self, state: TycoonState) -> bool:
        return is_to_act(state, self.actor)

    def check(self, state: TycoonState) -> None:
        sub_rounds = list(sub_rounds_left(state, self.actor))
        if not sub_rounds:
            raise Refused("You have no turn left this year.", "T-37", code="no_turn_left", field="entries")
        for entry in self.entries:
            if entry.sub_round not in (ANY, *sub_rounds):
                raise Refused(
                    "Your turn of sub-round {past} is over.",
                    "T-37",
                    past=entry.sub_round,
                    code="sub_round_over",
                    field="entries",
                )

    def check_ahead(self, state: TycoonState) -> None:
        """Check a plan given ahead; entries of past turns are accepted."""

    def doubt(self, state: TycoonState) -> Refused | None:
        """Why no entry for this turn is possible, by the first of them."""
        reasons: list[Refused] = []
        for entry in self.entries:
            try:
                fitted(entry, state)
            except Refused as refused:
                reasons += [] if refused.code == "other_sub_round" else [refused]
            else:
                return None
        return reasons[0] if reasons else Refused("Your plan has nothing for this turn.", "T-37", code="not_planned")

    def carry_out(self, play: Play[TycoonState]) -> None:
        if chosen := self.first_legal(play.state):
            chosen[1].carry_out(play)

    def remainder(self, state: TycoonState) -> Plan:
        """The entries without the one that is played; a pass applies to every turn."""
        chosen = self.first_legal(state)
        return self.without(chosen[0]) if chosen and not isinstance(chosen[0], PlannedPass) else self

    def is_kept(self, state: TycoonState) -> bool:
        sub_rounds = list(sub_rounds_left(state, self.actor))
        return bool(sub_rounds) and any(entry.sub_round in (ANY, *sub_rounds) for entry in self.entries)


class Batch(TurnsAhead, frozen=True, kw_only=True, tag="batch"):
    """Entries for the turn of this sub-round, each played once; if none is legal, the seat passes. Where following
    rights is free, other entries come after it. (T-29, T-30)"""

    title: ClassVar[str] = mark("List for the sub-round")
    phases: ClassVar[frozenset[str]] = frozenset({"orders", "trade"})

    def serves(self, state: TycoonState) -> bool:
        return state.acting is None or is_to_act(state, self.actor)

    def carry_out(self, play: Play[TycoonState]) -> None:
        left = self
        while is_to_act(play.state, self.actor):
            if chosen := left.first_legal(play.state):
                left = left.without(chosen[0])
                chosen[1].carry_out(play)
            else:
                act_for(play, self.actor)


def is_to_act(state: TycoonState, seat: int) -> bool:
    """True if the seat must decide about its turn."""
    return state.acting == seat and not state.has_acted


def sub_rounds_left(state: TycoonState, seat: int) -> Iterator[int]:
    """The sub-rounds of this year in which the seat still has a turn."""
    if is_to_act(state, seat) or seat in state.queue:
        yield state.sub_round
    yield from range(state.sub_round + 1, SUB_ROUNDS + 1)


def take_lists(play: Play[TycoonState]) -> None:
    """Record the seats that have filed a list; the rules act for all others. (T-30)"""
    play.state.filed = [batch.actor for batch in play.inputs_of(Batch)]
