"""The appeal track: moving along it, and the bonuses that it grants in the middle of other effects. (BS 1.5)"""

from __future__ import annotations

from game.engine.ledger import BANK, treasury_of
from game.engine.play import Play
from game.rulesets.big_shoulders.building import gain_partner
from game.rulesets.big_shoulders.company_events import AppealRaised, BonusDeclined, BonusTaken
from game.rulesets.big_shoulders.state import Owed, ShouldersState
from game.rulesets.big_shoulders.tables import (
    APPEAL_BONUSES,
    COMPANIES,
    DECLINED_BONUS,
    GOODS_TOKENS,
    MOST_APPEAL,
    VALUES,
    Company,
)


def enter_track(state: ShouldersState, company: Company) -> None:
    """Put a new company behind all others on its space. (B-4)"""
    appeal = state.companies[company].appeal
    ahead = sum(state.companies[other].appeal >= appeal for other in state.track)
    state.track.insert(ahead, company)


def raise_appeal(play: Play[ShouldersState], company: Company, steps: int) -> None:
    """Raise a company's appeal, up to 16. It goes ahead of all others on its new space, and it is owed every bonus that
    it passed or reached. (B-48)"""
    state, own = play.state, play.state.companies[company]
    was, own.appeal = own.appeal, min(MOST_APPEAL, own.appeal + steps)
    if own.appeal == was:
        return
    state.track.remove(company)
    ahead = sum(state.companies[other].appeal > own.appeal for other in state.track)
    state.track.insert(ahead, company)
    play.emit(AppealRaised(company=company, appeal=own.appeal))
    state.owed += [Owed(company, space) for space in APPEAL_BONUSES if was < space <= own.appeal]
    settle_bonuses(play)


def settle_bonuses(play: Play[ShouldersState]) -> None:
    """Grant the bonuses owed in ascending order, up to the first one that needs an answer of the owner. (B-82)"""
    state = play.state
    while state.owed:
        owed = state.owed[0]
        if APPEAL_BONUSES[owed.space] == "partner":
            state.owed.pop(0)
            _give_partner(play, state.companies[owed.company].director)
        elif not is_possible(state, owed):
            state.owed.pop(0)
            pay_instead(play, owed, is_automatic=True)
        else:
            return


def _give_partner(play: Play[ShouldersState], seat: int) -> None:
    """Give the director the partner of the track, once for each player; later arrivals bring nothing. (B-37)"""
    if seat not in play.state.appeal_partners:
        play.state.appeal_partners.append(seat)
        gain_partner(play, seat, "appeal")


def is_possible(state: ShouldersState, owed: Owed) -> bool:
    """Whether a bonus could be carried out now. (B-83)"""
    own = state.companies[owed.company]
    match APPEAL_BONUSES[owed.space]:
        case "worker":
            return any(state.free_spaces(owed.company))
        case "salesperson":
            return own.salespeople < COMPANIES[owed.company].most_salespeople
        case "automation":
            return any(state.workers_in(owed.company))
        case "goods_token":
            return sum(company.tokens for company in state.companies.values()) < GOODS_TOKENS
    return own.value < len(VALUES) - 1


def pay_instead(play: Play[ShouldersState], owed: Owed, *, is_automatic: bool) -> None:
    """Pay the company $25 in place of the bonus. (BS 1.5)"""
    play.pay(BANK, treasury_of(owed.company), DECLINED_BONUS, why="declined bonus")
    bonus = APPEAL_BONUSES[owed.space]
    play.emit(BonusDeclined(company=owed.company, bonus=bonus, amount=DECLINED_BONUS, is_automatic=is_automatic))


def note_taken(play: Play[ShouldersState], owed: Owed) -> None:
    play.emit(BonusTaken(company=owed.company, bonus=APPEAL_BONUSES[owed.space]))
