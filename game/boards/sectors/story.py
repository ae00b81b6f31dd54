"""What decided a game of Sectors: its trades, its votes, its shorts and options."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from game.boards.sectors.stakes import Bet, Stake, Stakes, stakes_of
from game.boards.story.plain import storyteller
from game.boards.story.played import TRADING, Bookkeeping, Highlight, PlayedGame, PriceMove
from game.engine.events import Event, with_you
from game.engine.language import count, mark, say
from game.engine.phrases import decimal, listed, thousands
from game.rulesets.sectors.events.operations import BecameInsolvent, CompanyVoted, RevenueVoted, WentBankrupt
from game.rulesets.sectors.events.orders import PriceMoved

SHORTS = mark("short selling")
TRADES = ("market buy", "limit buy", "market sell", "limit sell", "divestment")
SHORT_REASONS = (
    "margin", "short sale", "short cover", "short interest", "short dividend", "short closed at bankruptcy",
)  # fmt: skip
SOURCES = (
    dict.fromkeys(TRADES, TRADING)
    | dict.fromkeys(SHORT_REASONS, SHORTS)
    | dict.fromkeys(("premium", "option payout"), mark("options"))
    | {"dividend": mark("dividends"), "tranche": mark("tranches"), "headline": mark("headlines")}
    | {"bankruptcy payout": mark("bankruptcy payouts"), "capital gains": mark("capital gains tax")}
    | {"contribution": mark("contributions")}
)

SALES, DIVIDENDS = mark("{amount} from sales"), mark("{amount} in dividends")
AT_THE_END = mark("{amount} in shares at the end")
BEST = {
    "short": (
        mark("Best short"),
        mark("{name} shorted {company} for {brought} and paid {cost} for covering and interest."),
        mark("You shorted {company} for {brought} and paid {cost} for covering and interest."),
    ),
    "option": (
        mark("Best option"),
        mark("{name} paid {cost} for an option on {company} and was paid {brought}."),
        mark("You paid {cost} for an option on {company} and were paid {brought}."),
    ),
}
"""The label of the best bet and its sentence, for all and for its player, by its kind."""


def price_move(event: Event) -> PriceMove | None:
    """A step of a price; for a bankrupt company, its loss."""
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
        yield _trade(game, say("Best trade"), best, bought[best])
        if bought[worst].gain < 0:
            yield _trade(game, say("Worst trade"), worst, bought[worst])
    yield from _worst_vote(game)
    for kind in ("short", "option"):
        bets = [bet for bet in stakes.bets.values() if bet.kind == kind]
        if bets and (best_bet := max(bets, key=lambda bet: bet.gain)).gain > 0:
            yield _bet(game, best_bet)


def _trade(game: PlayedGame, label: str, key: tuple[int, str], stake: Stake) -> Highlight:
    seat, company = key
    back = [
        say(text, amount=thousands(amount))
        for amount, text in ((stake.sold, SALES), (stake.dividends, DIVIDENDS), (stake.at_end, AT_THE_END))
        if amount
    ]
    facts = {
        "company": company,
        "paid": thousands(stake.paid),
        "back": listed(back) if back else say("nothing"),
        "each": decimal(stake.income / max(stake.paid, 1), 2),
    }
    if seat == game.own:
        text = count(
            "You bought {n} share of {company} for {paid} and got back {back}: {each} for each dollar.",
            "You bought {n} shares of {company} for {paid} and got back {back}: {each} for each dollar.",
            stake.bought,
            **facts,
        )
    else:
        text = count(
            "{player} bought {n} share of {company} for {paid} and got back {back}: {each} for each dollar.",
            "{player} bought {n} shares of {company} for {paid} and got back {back}: {each} for each dollar.",
            stake.bought,
            player=game.names[seat],
            **facts,
        )
    return Highlight(label, text, stake.gain, seat, stake.serial)


def _bet(game: PlayedGame, bet: Bet) -> Highlight:
    brought, cost = thousands(bet.brought), thousands(bet.cost)
    label, *texts = BEST[bet.kind]
    sentence = game.say_of(bet.seat, *texts, company=bet.company, brought=brought, cost=cost)
    return Highlight(say(label), sentence, bet.gain, bet.seat, bet.serial)


INSOLVENT, BANKRUPT = mark("{company} became insolvent."), mark("{company} went bankrupt.")


class Vote(msgspec.Struct):
    """A vote, and its company's fate until that company's next vote; `held` is what the winners held. `now` is 0 if the
    company went bankrupt."""

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
        """The cost of the falling price to that player, in whole dollars."""
        return self.held[self.loser] * (self.was - self.now)


def votes_of(game: PlayedGame) -> list[Vote]:
    """Every vote that somebody won."""
    stakes, prices = Stakes(), dict[str, int]()
    votes: list[Vote] = []
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
                    votes.append(vote)
                    latest[event.company] = vote
        _note_fate(latest, event)
    return votes


def _note_fate(latest: dict[str, Vote], event: Event) -> None:
    """Record what became of a company after its last vote."""
    vote = latest.get(getattr(event, "company", ""))
    if vote is None:
        return
    match event:
        case PriceMoved():
            vote.now = event.now
        case BecameInsolvent():
            vote.fate = INSOLVENT
        case WentBankrupt():
            vote.now, vote.fate = 0, BANKRUPT


def _vote(event: RevenueVoted | CompanyVoted, turn: int, serial: int, stakes: Stakes) -> Vote | None:
    """The vote with its winners; None if nobody voted for the chosen option."""
    chosen = {event.choice} if isinstance(event, RevenueVoted) else {*event.selected}
    won = [tally for tally in event.tallies if tally.action in chosen]
    winners = dict.fromkeys(seat for tally in won for seat in tally.voters)
    if not winners:
        return None
    held = {seat: stakes.held(seat, event.company) for seat in winners}
    return Vote(turn, serial, event.company, listed([say(tally.title) for tally in won]), held)


def _price_at(game: PlayedGame, turn: int, company: str) -> int:
    """The price at the end of the turn before, for a company whose price has not moved yet."""
    before = [moment.prices[company] for moment in game.course if moment.turn < turn and company in moment.prices]
    return before[-1] if before else 0


def _worst_vote(game: PlayedGame) -> Iterator[Highlight]:
    """The vote after which its winners lost most by the falling price."""
    bad = [vote for vote in votes_of(game) if vote.loss > 0]
    if not bad:
        return
    vote = max(bad, key=lambda vote: (vote.loss, vote.fate != ""))
    sentences = [
        _winners(game, vote),
        say(
            "Before its next vote the price fell from {was} to {now}.", was=thousands(vote.was), now=thousands(vote.now)
        ),
        say(vote.fate, company=vote.company) if vote.fate else "",
        game.say_of(vote.loser, mark("{name} lost most from it."), mark("You lost most from it.")),
    ]
    text = " ".join(sentence for sentence in sentences if sentence)
    yield Highlight(say("Worst vote"), text, -vote.loss, vote.loser, vote.serial, vote.turn)


def _winners(game: PlayedGame, vote: Vote) -> str:
    """The sentence that names the winners of a vote and their choice."""
    seats, names = sorted(vote.held), game.names.__getitem__
    facts = {"company": vote.company, "chosen": vote.chosen, "turn": vote.turn}
    if len(seats) == 1:
        return game.say_of(
            seats[0],
            mark("{name} won the vote of {company} for {chosen} in turn {turn}."),
            mark("You won the vote of {company} for {chosen} in turn {turn}."),
            **facts,
        )
    if game.own in seats:
        players = with_you(game.own, seats, names)
        return say(
            "{you_and_others} won the vote of {company} for {chosen} in turn {turn}.", you_and_others=players, **facts
        )
    players = listed(map(names, seats))
    return say("{players} won the vote of {company} for {chosen} in turn {turn}.", players=players, **facts)


BOOKS = Bookkeeping(sources=SOURCES, rest=SHORTS, counts_shares=True, price_move=price_move, company=str)
story = storyteller(BOOKS, awards)
