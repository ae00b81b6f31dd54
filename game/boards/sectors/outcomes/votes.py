"""What became of votes on revenue and on company actions: won, or outvoted by whom and with how many shares."""

from __future__ import annotations

from collections.abc import Sequence

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.boards.sectors.outcomes.scene import Scene, Tellers
from game.engine.phrases import capitalised, listed, plural
from game.rulesets.sectors.events.operations import ActionDone, ActionFailed, CompanyVoted, RevenueVoted, Tally

CHOSEN = {"full": "pays full dividends", "half": "pays half dividends", "retain": "retains its revenue"}


def revenue(event: RevenueVoted, scene: Scene) -> Outcome | None:
    """The reader's choice against the one with the most shares behind it."""
    mine = next((tally for tally in event.tallies if scene.me in tally.voters), None)
    chosen = CHOSEN[event.choice]
    if mine is None:
        return _unvoted(event.company, f"{event.company} {chosen}.", event.tallies, scene)
    if mine.action == event.choice:
        return scene.own(
            "vote",
            "Won",
            f"{event.company} {chosen}, as you voted.",
            reason=_weights(event.tallies, scene),
            tone=GOOD,
            weight=56,
        )
    winner = next(tally for tally in event.tallies if tally.action == event.choice)
    return scene.own(
        "vote",
        "Outvoted",
        f"{event.company} {chosen}; you voted {_aim(mine)}.",
        reason=_beaten(winner, mine, scene),
        rule="S 6.5",
        tone=BAD,
        weight=74,
    )


def actions(event: CompanyVoted, scene: Scene) -> Outcome | None:
    """The reader's actions against those that were chosen."""
    mine = [tally for tally in event.tallies if scene.me in tally.voters]
    chosen = f"{event.company} chose {listed(event.titles)}"
    if not mine:
        return _unvoted(event.company, f"{chosen}.", event.tallies, scene)
    lost = [tally for tally in mine if tally.action not in event.selected]
    if not lost:
        reason = _weights(event.tallies, scene)
        return scene.own("vote", "Won", f"{chosen}, as you voted.", reason=reason, tone=GOOD, weight=56)
    label = "Outvoted" if len(lost) == len(mine) else "Won in part"
    return scene.own(
        "vote",
        label,
        f"{chosen}; your vote for {listed(tally.title for tally in lost)} lost.",
        reason=_lost_to(event, lost[0], scene),
        rule="S 6.7",
        tone=BAD if label == "Outvoted" else NEUTRAL,
        weight=76 if label == "Outvoted" else 62,
    )


def _lost_to(event: CompanyVoted, lost: Tally, scene: Scene) -> str:
    others = [t for t in event.tallies if t.action in event.selected and scene.me not in t.voters]
    if others:
        return _beaten(others[-1], lost, scene)
    return _weights(event.tallies, scene)


def _beaten(winner: Tally, mine: Tally, scene: Scene) -> str:
    """Who outweighed whom; a tie is decided by the better player priority of the first of each."""
    them = f"{scene.opening(*winner.voters)} voted {_aim(winner)} with {plural(winner.shares, 'share')}"
    if winner.shares == mine.shares:
        return f"{them}, as many as yours; a tie goes to the better player priority."
    together = f"with {scene.who(*[s for s in mine.voters if s != scene.me])} " if len(mine.voters) > 1 else ""
    return f"{them}; you {together}had {mine.shares}."


def _weights(tallies: Sequence[Tally], scene: Scene) -> str:
    """All votes: `full dividends 6 shares (you and bob), to retain 2 (cid)`."""
    said = [f"{_short(tally)} {plural(tally.shares, 'share')} ({scene.who(*tally.voters)})" for tally in tallies]
    return f"{capitalised(', '.join(said))}."


def _aim(tally: Tally) -> str:
    return _short(tally, "to ") if tally.title.startswith("to ") else f"for {tally.title}"


def _short(tally: Tally, to: str = "") -> str:
    return to + tally.title.removesuffix(" the revenue").removeprefix("to ")


def _unvoted(company: str, text: str, tallies: Sequence[Tally], scene: Scene) -> Outcome | None:
    held = scene.held(company)
    if not held:
        return None
    without = f"Your {plural(held, 'share')} did not vote."
    reason = f"{without} {_weights(tallies, scene)}" if tallies else f"Nobody voted. {without}"
    return scene.told("company", "Company", text, reason=reason, weight=40)


def done(event: ActionDone, scene: Scene) -> Outcome | None:
    """What a company of the reader's carried out, and what it paid."""
    if not scene.held(event.company):
        return None
    figure = f"{event.company} −{event.cost}" if event.cost else ""
    return scene.told("company", "Company", f"{event.company} carried out {event.title}.", figure=figure, weight=24)


def failed(event: ActionFailed, scene: Scene) -> Outcome | None:
    """A chosen action that came to nothing."""
    if not scene.held(event.company):
        return None
    return scene.told(
        "company",
        "Failed",
        f"{event.company} could not carry out {event.title}.",
        reason=capitalised(event.reason),
        rule=event.rule,
        tone=BAD,
        weight=58,
    )


TELLERS: Tellers = {RevenueVoted: revenue, CompanyVoted: actions, ActionDone: done, ActionFailed: failed}
