"""How the prices of what a player has moved, and why: one line a company, however often it moved."""

from __future__ import annotations

from collections.abc import Iterator

from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome, Story
from game.boards.sectors.outcomes.scene import stakes
from game.engine.language import count, mark, say
from game.engine.phrases import thousands
from game.rulesets.sectors import causes
from game.rulesets.sectors.events.orders import PriceMoved

MOST_REASONS = 2


def price_moves(story: Story) -> list[Outcome]:
    """Companies of which the seat has shares, a short, an option or a limit order."""
    moves: dict[str, list[tuple[int, PriceMoved]]] = {}
    for serial, event in _moves(story):
        moves.setdefault(event.company, []).append((serial, event))
    holdings, others = story.view.player(story.seat).holdings, stakes(story.view, story.seat)
    return [
        price_line(ticker, held, others.get(ticker, ""), found)
        for ticker, found in moves.items()
        if (held := holdings.get(ticker, 0)) or ticker in others
        if found[0][1].was != found[-1][1].now
    ]


def _moves(story: Story) -> Iterator[tuple[int, PriceMoved]]:
    for part in story.parts:
        for event in part.events:
            if isinstance(event, PriceMoved):
                yield part.serial, event


def price_line(ticker: str, held: int, stake: str, moves: list[tuple[int, PriceMoved]]) -> Outcome:
    """One company's way from the first price to the last; a fall is good news for a short alone."""
    was, now = moves[0][1].was, moves[-1][1].now
    rose, effect = now > was, held * (now - was)
    is_good = (rose == (stake != "short")) if not held else rose
    reasons = list(dict.fromkeys(move.why for _, move in moves))
    told = "; ".join(causes.told(reason) for reason in reasons[:MOST_REASONS])
    hidden = len(reasons) - MOST_REASONS
    why = (
        say("Why: {reasons} and {n} more.", reasons=told, n=hidden)
        if hidden > 0
        else say("Why: {reasons}.", reasons=told)
    )
    what = count("You hold {n} share.", "You hold {n} shares.", held) if held else say(_STAKES[stake])
    text = mark("{company} rose from {was} to {now}.") if rose else mark("{company} fell from {was} to {now}.")
    return Outcome(
        kind="price",
        label=say("Price up") if rose else say("Price down"),
        text=say(text, company=ticker, was=thousands(was), now=thousands(now)),
        reason=f"{what} {why}",
        figure=(f"+{thousands(effect)}" if effect > 0 else thousands(effect)) if held else "",
        tone=(GOOD if is_good else BAD) if held or stake != "limit" else NEUTRAL,
        weight=30 + min(abs(now - was) * max(held, 1) // 4, 30),
        serial=moves[-1][0],
    )


_STAKES = {
    "short": mark("You have a short on it."),
    "option": mark("You have an option on it."),
    "limit": mark("You have a limit order on it."),
    "": mark("You have a stake on it."),
}
