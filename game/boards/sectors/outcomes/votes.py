"""The results of votes on revenue and on company actions: won, or outvoted by whom and with how many shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers
from game.engine.events import Event
from game.engine.language import count, mark, say
from game.engine.phrases import capitalised, listed, thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.operations import (
    ActionDone,
    ActionFailed,
    CompanyVoted,
    DividendPaid,
    RevenueVoted,
    Tally,
)

CHOSEN = {
    "full": mark("{company} pays full dividends."),
    "half": mark("{company} pays half dividends."),
    "retain": mark("{company} retains its revenue."),
}
AS_YOU_VOTED = {
    "full": mark("{company} pays full dividends, as you voted."),
    "half": mark("{company} pays half dividends, as you voted."),
    "retain": mark("{company} retains its revenue, as you voted."),
}
OTHERWISE = {
    "full": mark("{company} pays full dividends; you voted {aim}."),
    "half": mark("{company} pays half dividends; you voted {aim}."),
    "retain": mark("{company} retains its revenue; you voted {aim}."),
}
RETAIN = "retain"


def revenue(event: RevenueVoted, scene: Scene) -> Outcome | None:
    """The reader's choice against the one with the most shares behind it."""
    mine = next((tally for tally in event.tallies if scene.me in tally.voters), None)
    if mine is None:
        return _unvoted(event.company, say(CHOSEN[event.choice], company=event.company), event.tallies, scene)
    if mine.action == event.choice:
        return scene.own(
            "vote",
            say("Won"),
            say(AS_YOU_VOTED[event.choice], company=event.company),
            reason=_weights(event.tallies, scene),
            figure=f"+{thousands(amount)}" if (amount := _dividend(event.company, scene)) else "",
            tone=GOOD,
            weight=56,
        )
    winner = next(tally for tally in event.tallies if tally.action == event.choice)
    return scene.own(
        "vote",
        say("Outvoted"),
        say(OTHERWISE[event.choice], company=event.company, aim=_aim(mine)),
        reason=_beaten(winner, mine, scene),
        rule="S 6.5",
        tone=BAD,
        weight=74,
    )


def _dividend(company: str, scene: Scene) -> int:
    """The dividend that the company paid the reader after the vote."""
    return sum(
        event.amount
        for event in scene.story.events()
        if isinstance(event, DividendPaid) and event.seat == scene.me and event.company == company
    )


def has_won(event: Event, company: str, seat: int) -> bool:
    """True if the event is a vote on the company's revenue that went as the seat wanted."""
    if not isinstance(event, RevenueVoted) or event.company != company:
        return False
    return any(tally.action == event.choice and seat in tally.voters for tally in event.tallies)


def actions(event: CompanyVoted, scene: Scene) -> Outcome | None:
    """The reader's actions against the chosen ones."""
    mine = [tally for tally in event.tallies if scene.me in tally.voters]
    facts = {"company": event.company, "actions": listed(say(title) for title in event.titles)}
    if not mine:
        return _unvoted(event.company, say("{company} chose {actions}.", **facts), event.tallies, scene)
    lost = [tally for tally in mine if tally.action not in event.selected]
    if not lost:
        reason = _weights(event.tallies, scene)
        text = say("{company} chose {actions}, as you voted.", **facts)
        return scene.own("vote", say("Won"), text, reason=reason, tone=GOOD, weight=56)
    has_lost_all = len(lost) == len(mine)
    own = listed(say(tally.title) for tally in lost)
    return scene.own(
        "vote",
        say("Outvoted") if has_lost_all else say("Partly won"),
        say("{company} chose {actions}; your vote for {own} lost.", **facts, own=own),
        reason=_lost_to(event, lost[0], scene),
        rule="S 6.7",
        tone=BAD if has_lost_all else NEUTRAL,
        weight=76 if has_lost_all else 62,
    )


def _lost_to(event: CompanyVoted, lost: Tally, scene: Scene) -> str:
    others = [t for t in event.tallies if t.action in event.selected and scene.me not in t.voters]
    if others:
        return _beaten(others[-1], lost, scene)
    return _weights(event.tallies, scene)


def _beaten(winner: Tally, mine: Tally, scene: Scene) -> str:
    """The words on who outweighed whom; a tie is decided by the better player priority of the first voter of each
    side."""
    facts = {"aim": _aim(winner), "shares": _shares(winner), "mine": mine.shares}
    them = scene.opening(*winner.voters)
    beside = [seat for seat in mine.voters if seat != scene.me]
    if winner.shares == mine.shares:
        return _tied(them, len(winner.voters), facts)
    if beside:
        return _beaten_together(them, len(winner.voters), scene.who(*beside), facts)
    if len(winner.voters) == 1:
        return say("{player} voted {aim} with {shares}; you had {mine}.", player=them, **facts)
    return say("{players} voted {aim} with {shares}; you had {mine}.", players=them, **facts)


def _tied(them: str, number: int, facts: Mapping[str, object]) -> str:
    if number == 1:
        return say(
            "{player} voted {aim} with {shares}, as many as yours; a tie goes to the better player priority.",
            player=them,
            **facts,
        )
    return say(
        "{players} voted {aim} with {shares}, as many as yours; a tie goes to the better player priority.",
        players=them,
        **facts,
    )


def _beaten_together(them: str, number: int, beside: str, facts: Mapping[str, object]) -> str:
    if number == 1:
        return say(
            "{player} voted {aim} with {shares}; you with {others} had {mine}.", player=them, others=beside, **facts
        )
    return say(
        "{players} voted {aim} with {shares}; you with {others} had {mine}.", players=them, others=beside, **facts
    )


def _shares(tally: Tally) -> str:
    return count("{n} share", "{n} shares", tally.shares)


def _weights(tallies: Sequence[Tally], scene: Scene) -> str:
    """All votes: `full dividends: 6 shares (you and bob), retain: 2 shares (cid)`."""
    votes = [
        say(
            "{choice}: {shares} ({players})",
            choice=say("retain") if tally.action == RETAIN else say(tally.title),
            shares=_shares(tally),
            players=scene.who(*tally.voters),
        )
        for tally in tallies
    ]
    return f"{capitalised(', '.join(votes))}."


def _aim(tally: Tally) -> str:
    """The choice of these voters."""
    return say("to retain") if tally.action == RETAIN else say("for {choice}", choice=say(tally.title))


def _unvoted(company: str, text: str, tallies: Sequence[Tally], scene: Scene) -> Outcome | None:
    held = scene.held(company)
    if not held:
        return None
    without = count("Your {n} share did not vote.", "Your {n} shares did not vote.", held)
    reason = f"{without} {_weights(tallies, scene)}" if tallies else f"{say('Nobody voted.')} {without}"
    return scene.outcome("company", say("Company"), text, reason=reason, weight=40)


def done(event: ActionDone, scene: Scene) -> Outcome | None:
    """The actions of a company of the reader's, and what it paid."""
    if not scene.held(event.company):
        return None
    figure = f"{event.company} −{event.cost}" if event.cost else ""
    text = say("{company} carried out {action}.", company=event.company, action=say(event.title))
    return scene.outcome("company", say("Company"), text, figure=figure, weight=24)


def failed(event: ActionFailed, scene: Scene) -> Outcome | None:
    """A chosen action that had no effect."""
    if not scene.held(event.company):
        return None
    return scene.outcome(
        "company",
        say("Failed"),
        say("{company} could not carry out {action}.", company=event.company, action=say(event.title)),
        reason=capitalised(causes.cause_words(event.reason)),
        rule=event.rule,
        tone=BAD,
        weight=58,
    )


TELLERS: Tellers = {RevenueVoted: revenue, CompanyVoted: actions, ActionDone: done, ActionFailed: failed}
