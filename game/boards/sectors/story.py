"""What decided a game of Sectors: its trades, its votes, its shorts and options."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from game.boards.sectors.stakes import Bet, Stake, Stakes, stakes_of
from game.boards.story import TRADING, Bookkeeping, Highlight, PlayedGame, PriceMove
from game.boards.story_plain import storyteller
from game.engine.events import Event
from game.engine.phrases import listed, plural, thousands
from game.rulesets.sectors.events.operations import BecameInsolvent, CompanyVoted, RevenueVoted, WentBankrupt
from game.rulesets.sectors.events.orders import PriceMoved

SHORTS = "short selling"
TRADES = ("market buy", "limit buy", "market sell", "limit sell", "divestment")
SHORT_REASONS = (
    "margin", "short sale", "short cover", "short interest", "short dividend", "short closed at bankruptcy",
)  # fmt: skip
SOURCES = (
    dict.fromkeys(TRADES, TRADING)
    | dict.fromkeys(SHORT_REASONS, SHORTS)
    | {"premium": "options", "option payout": "options", "dividend": "dividends", "tranche": "tranches"}
    | {"headline": "headlines", "bankruptcy payout": "bankruptcy payouts", "capital gains": "capital gains tax"}
    | {"contribution": "contributions"}
)


def price_move(event: Event) -> PriceMove | None:
    """A step of a price; of a bankrupt company it is lost."""
    match event:
        case PriceMoved(company=company, was=was, now=now):
            return company, was, now
        case WentBankrupt(company=company):
            return company, 1000, 0  # more than any price: this is what was lost
    return None


def awards(game: PlayedGame) -> Iterator[Highlight]:
    """The best and the worst trade, the worst vote, the best short and the best option."""
    stakes = stakes_of(game)
    bought = {key: stake for key, stake in stakes.shares.items() if stake.bought}
    if bought:
        best, worst = (choose(bought, key=lambda key: bought[key].gain) for choose in (max, min))
        yield _trade(game, "Best trade", best, bought[best])
        if bought[worst].gain < 0:
            yield _trade(game, "Worst trade", worst, bought[worst])
    yield from _worst_vote(game)
    for kind in ("short", "option"):
        bets = [bet for bet in stakes.bets.values() if bet.kind == kind]
        if bets and (best_bet := max(bets, key=lambda bet: bet.gain)).gain > 0:
            yield _bet(game, best_bet)


def _trade(game: PlayedGame, label: str, key: tuple[int, str], stake: Stake) -> Highlight:
    seat, company = key
    back = [
        f"{thousands(amount)} {what}"
        for amount, what in (
            (stake.sold, "from sales"), (stake.dividends, "in dividends"), (stake.at_end, "in shares at the end"),
        )
        if amount
    ]  # fmt: skip
    text = (
        f"{game.names[seat]} bought {plural(stake.bought, 'share')} of {company} for {thousands(stake.paid)} and got "
        f"{listed(back) if back else 'nothing'} back: {stake.got / max(stake.paid, 1):.2f} for each dollar."
    )
    return Highlight(label, text, stake.gain, seat, stake.serial)


def _bet(game: PlayedGame, bet: Bet) -> Highlight:
    brought, cost = thousands(bet.brought), thousands(bet.cost)
    who = game.names[bet.seat]
    text = {
        "short": f"{who} shorted {bet.company} for {brought} and paid {cost} for covering and interest.",
        "option": f"{who} paid {cost} for an option on {bet.company} and was paid {brought}.",
    }[bet.kind]
    return Highlight(f"Best {bet.kind}", text, bet.gain, bet.seat, bet.serial)


class Vote(msgspec.Struct):
    """A vote and what became of its company until the next vote of that company; `held` is what its winners held.

    `now` is 0 where the company went bankrupt."""

    turn: int
    serial: int
    company: str
    chosen: str
    held: dict[int, int]
    was: int = 0
    now: int = 0
    fate: str = ""

    @property
    def loser(self) -> int:
        """The winner of the vote who held most of the company, the first of equals."""
        return max(self.held, key=lambda seat: self.held[seat])

    @property
    def loss(self) -> int:
        """What the fall of the price cost that player, in whole dollars."""
        return self.held[self.loser] * (self.was - self.now)


def votes_of(game: PlayedGame) -> list[Vote]:
    """Every vote that somebody carried."""
    stakes, prices = Stakes(), dict[str, int]()
    found: list[Vote] = []
    latest: dict[str, Vote] = {}
    for turn, scene, event in game.events():
        stakes.note(event, scene.serial)
        match event:
            case PriceMoved():
                prices[event.company] = event.now
            case RevenueVoted() | CompanyVoted():
                latest.pop(event.company, None)
                vote = _vote(event, turn, scene.serial, stakes)
                if vote is not None:
                    vote.was = vote.now = prices.get(event.company, _price_at(game, turn, event.company))
                    found.append(vote)
                    latest[event.company] = vote
        _note_fate(latest, event)
    return found


def _note_fate(latest: dict[str, Vote], event: Event) -> None:
    """Enter what became of a company after its last vote."""
    vote = latest.get(getattr(event, "company", ""))
    if vote is None:
        return
    match event:
        case PriceMoved():
            vote.now = event.now
        case BecameInsolvent():
            vote.fate = "became insolvent"
        case WentBankrupt():
            vote.now, vote.fate = 0, "went bankrupt"


def _vote(event: RevenueVoted | CompanyVoted, turn: int, serial: int, stakes: Stakes) -> Vote | None:
    """The vote with those who carried it; none where nobody voted for what was chosen."""
    chosen = {event.choice} if isinstance(event, RevenueVoted) else {*event.selected}
    won = [tally for tally in event.tallies if tally.action in chosen]
    winners = dict.fromkeys(seat for tally in won for seat in tally.voters)
    if not winners:
        return None
    held = {seat: stakes.held(seat, event.company) for seat in winners}
    return Vote(turn, serial, event.company, listed([tally.title for tally in won]), held)


def _price_at(game: PlayedGame, turn: int, company: str) -> int:
    """The price at the end of the turn before, for a company whose price has not moved yet."""
    before = [moment.prices[company] for moment in game.course if moment.turn < turn and company in moment.prices]
    return before[-1] if before else 0


def _worst_vote(game: PlayedGame) -> Iterator[Highlight]:
    """The vote after which those who carried it lost most by the fall of the price."""
    bad = [vote for vote in votes_of(game) if vote.loss > 0]
    if not bad:
        return
    vote = max(bad, key=lambda vote: (vote.loss, vote.fate != ""))
    who = listed(_by_name(game, sorted(vote.held)))
    fate = f" {vote.company} {vote.fate}." if vote.fate else ""
    text = (
        f"{who} carried {vote.chosen} for {vote.company} in turn {vote.turn}. Before its next vote the price fell "
        f"from {thousands(vote.was)} to {thousands(vote.now)}.{fate} {game.names[vote.loser]} lost most by it."
    )
    yield Highlight("Worst vote", text, -vote.loss, vote.loser, vote.serial, vote.turn)


def _by_name(game: PlayedGame, seats: Sequence[int]) -> list[str]:
    return [game.names[seat] for seat in seats]


BOOKS = Bookkeeping(sources=SOURCES, rest=SHORTS, counts_shares=True, price_move=price_move, company=str)
story = storyteller(BOOKS, awards)
