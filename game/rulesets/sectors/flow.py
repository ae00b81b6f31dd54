"""The sequence of play of both editions. (S 4.1, 4.2)"""

from __future__ import annotations

from game.engine.actions import Ready, Withdraw
from game.engine.flow import Flow, Mode, Phase, Predicate, Round
from game.engine.language import mark, mark_as
from game.rulesets.sectors import sequence as at
from game.rulesets.sectors.actions import (
    BidInfluence,
    Contribute,
    CoverShort,
    DistributeTranche,
    ExerciseOption,
    PledgeHeadline,
    VoteActions,
    VoteFullRevenue,
    VoteRevenue,
    VoteTranche,
)
from game.rulesets.sectors.options import Options
from game.rulesets.sectors.orders import StopOrdering
from game.rulesets.sectors.phases import contributions, derivatives, opening, operations, stock, tranches, upkeep, votes
from game.rulesets.sectors.standing_orders import ORDERS

SEALED, OPEN, AUTOMATIC = Mode.SEALED, Mode.OPEN, Mode.AUTOMATIC
TRANCHE_SHEET = (VoteTranche, DistributeTranche, *ORDERS, StopOrdering, VoteFullRevenue)
TURN_SHEET = (PledgeHeadline, *TRANCHE_SHEET)
"""The actions of phases 4 and 3: their own answer first, then what can be given ahead on the same sheet."""

# fmt: off
INFLUENCE = Round("influence", mark("Influence"), (
    Phase("1", "influence_bid", mark("Influence bid"), SEALED, "bid", (BidInfluence,), at.everybody,
          close=opening.take_bids,
          default=mark("you bid 0 and keep every point as a dollar"),
          instead=mark("you bid 0 and kept every point as a dollar")),
    Phase("2", "influence_resolve", mark("Influence bid resolve"), AUTOMATIC, "review", enter=opening.resolve_bids),
))

HEADLINES = Round("start", mark("Start of turn"), (
    Phase("3", "start_turn", mark("Start turn"), SEALED, "bid", TURN_SHEET,
          at.headline_payers, at.everybody, when=at.is_later_turn, enter=opening.start_turn, close=opening.take_pledges,
          default=mark("you pay for no headline"),
          instead=mark("you paid for no headline")),
    Phase("3b", "headline_resolve", mark("Headline resolve"), AUTOMATIC, "review", when=at.has_headlines,
          enter=opening.resolve_headlines),
))

QUIET_START = Round("start", mark("Start of turn"), (
    Phase("3", "start_turn", mark("Start turn"), AUTOMATIC, "review", when=at.is_later_turn, enter=opening.start_turn),
))


def tranches_played(distribution: Predicate) -> Round:
    """The tranche phases of every third turn; `distribution` says when 6 and 7 are played. (D19)"""
    return Round("tranches", mark("Tranches"), (
        Phase("4", "tranche_vote", mark("Tranche vote"), SEALED, "votes", TRANCHE_SHEET,
              at.everybody,
              when=at.is_tranche_turn,
              close=tranches.take_votes,
              default=mark("you vote for no tranche"),
              instead=mark("you voted for no tranche")),
        Phase("5", "tranche_vote_resolve", mark("Resolve tranche vote"), AUTOMATIC, "review", when=at.is_tranche_turn,
              enter=tranches.resolve_votes),
        Phase("6", "tranche_distribution", mark("Distribute tranches"), SEALED, "distribution", (DistributeTranche,),
              at.tranche_winners, when=distribution, close=tranches.take_distributions,
              default=mark("the cash is yours, prestige and ability are lost"),
              instead=mark("the cash was yours, prestige and ability were lost")),
        Phase("7", "tranche_distribution_resolve", mark("Resolve tranche distribution"), AUTOMATIC, "review",
              when=distribution,
              enter=tranches.resolve_distributions),
    ))


PLACING = (
    Phase("9", "stock_orders", mark("Place stock orders"), SEALED, "orders", (*ORDERS, StopOrdering), at.investors,
          close=stock.take_orders,
          default=mark("you place no order"),
          instead=mark("you placed no order")),
    Phase("10", "order_review", mark("Review concealed orders"), AUTOMATIC, "review", when=at.has_orders,
          enter=stock.review_orders),
)

RESOLVING = (
    Phase("11", "order_reveal", mark("Reveal orders"), AUTOMATIC, "review", when=at.has_hidden_orders,
          enter=stock.reveal_orders),
    Phase("12", "market_orders", mark("Resolve market orders"), AUTOMATIC, "review", when=at.has_market_orders,
          enter=stock.resolve_market_orders),
)

RESOLVED_EACH = (Round("sub_round", mark("Sub-round"), (*PLACING, *RESOLVING), again=at.stock_round_goes_on),)
RESOLVED_AT_LAST = (Round("sub_round", mark("Sub-round"), PLACING, again=at.stock_round_goes_on), *RESOLVING)


def stock_round(sub_rounds: tuple[Round | Phase, ...]) -> Round:
    """Phases 8–20: orders resolved after each sub-round, or after all of them. (D3)"""
    return Round("stock", mark("Stock round"), (
        Phase("8", "limit_settlement", mark("Resolve limit orders"), AUTOMATIC, "review", when=at.has_triggered_limits,
              enter=stock.settle_limits),
        *sub_rounds,
        Phase("13", "short_interest", mark("Charge short interest"), AUTOMATIC, "review", when=at.has_open_short,
              enter=derivatives.charge_short_interest),
        Phase("14", "cover_shorts", mark("Cover shorts"), SEALED, "orders", (CoverShort,), at.short_holders,
              when=at.has_open_short,
              close=derivatives.cover_shorts,
              default=mark("your shorts stay open"),
              instead=mark("your shorts stayed open")),
        Phase("15", "open_shorts", mark("Open pending shorts"), AUTOMATIC, "review", when=at.has_pending_short,
              enter=derivatives.open_shorts),
        Phase("16", "expire_contracts", mark("Expire contracts"), AUTOMATIC, "review", when=at.has_bought_contract,
              enter=derivatives.expire_contracts),
        Phase("17", "open_options", mark("Open pending options"), AUTOMATIC, "review", when=at.has_pending_option,
              enter=derivatives.open_options),
        Phase("18", "exercise_options", mark("Exercise options"), SEALED, "orders", (ExerciseOption,),
              at.contract_holders, when=at.has_exercisable_contract, close=derivatives.exercise_options,
              default=mark("your contracts stay as they are"),
              instead=mark("your contracts stayed as they were")),
        Phase("19", "open_limits", mark("Open pending limit orders"), AUTOMATIC, "review", when=at.has_pending_limit,
              enter=derivatives.open_limits),
        Phase("20", "stock_results", mark("Stock round results"), AUTOMATIC, "review", enter=stock.show_stock_results),
    ))


COMPANIES = Round("company", mark("Company"), again=at.company_round_goes_on, phases=(
    Phase("25", "company_vote", mark("Company vote"), SEALED, "votes", (VoteActions,), at.shareholders_of_acting,
          at.shareholders_of_later,
          when=at.is_company_active,
          close=votes.take_ballots,
          default=mark("you do not vote; if nobody votes the company chooses Veto"),
          instead=mark("you did not vote; if nobody voted the company chose Veto")),
    Phase("26", "company_vote_result", mark("Company vote result"), AUTOMATIC, "review", when=at.is_company_active,
          enter=votes.count_ballots),
    Phase("27", "company_action", mark("Resolve company action"), AUTOMATIC, "review", when=at.is_company_active,
          enter=votes.carry_out_actions),
    Phase("25", "contributions", mark("Insolvency contributions"), OPEN, "votes", (Contribute, VoteActions),
          at.shareholders_of_acting,
          at.shareholders_of_later, when=at.is_company_insolvent, common=(Ready, Withdraw),
          default=mark("you give nothing; below its shortfall the company goes bankrupt"),
          instead=mark("you gave nothing; below its shortfall the company went bankrupt")),
    Phase("26", "contribution_result", mark("Contribution result"), AUTOMATIC, "review", when=at.is_company_insolvent,
          enter=contributions.judge_contributions),
))

OPERATING = Round("operating", mark("Operating round"), (
    Phase("21", "production", mark("Production"), AUTOMATIC, "review", enter=operations.produce),
    Phase("22", "revenue_vote", mark("Vote on revenue distribution"), SEALED, "votes", (VoteRevenue, VoteFullRevenue),
          at.revenue_voters, when=at.has_revenue, close=operations.take_revenue_votes,
          default=mark("your shares do not vote; if nobody votes the revenue is retained"),
          instead=mark("your shares did not vote; if nobody voted the revenue was retained")),
    Phase("23", "revenue_distribution", mark("Resolve revenue distribution"), AUTOMATIC, "review", when=at.has_revenue,
          enter=operations.distribute_revenue),
    Phase("24", "price_adjustment", mark("Stock price adjustment"), AUTOMATIC, "review",
          enter=operations.adjust_prices),
    COMPANIES,
))

UPKEEP = Round("upkeep", mark("Upkeep"), (
    Phase("28", "capital_gains", mark("Capital gains"), AUTOMATIC, "review", enter=upkeep.tax_gains),
    Phase("29", "divestment", mark("Divestment"), AUTOMATIC, "review", enter=upkeep.divest),
    Phase("30", "end_turn", mark("End turn"), AUTOMATIC, "review", enter=upkeep.end_turn),
))

FIRST_EDITION = Round("turn", mark_as("turn", "Turn"), again=at.game_goes_on, phases=(
    QUIET_START, tranches_played(at.is_tranche_turn), stock_round(RESOLVED_AT_LAST), OPERATING, UPKEEP,
))
SECOND_EDITION = Round("turn", mark_as("turn", "Turn"), again=at.game_goes_on, phases=(
    HEADLINES, tranches_played(at.has_tranche_winner), stock_round(RESOLVED_EACH), OPERATING, UPKEEP,
))
# fmt: on

FLOWS = {1: Flow(INFLUENCE, FIRST_EDITION), 2: Flow(INFLUENCE, SECOND_EDITION)}


def flow(options: Options) -> Flow:
    """The sequence of play of a game with these options."""
    return FLOWS[options.edition]
