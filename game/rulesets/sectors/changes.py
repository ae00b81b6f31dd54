"""What each version of these rules changed, in the players' words: their games tell them when they follow it."""

from __future__ import annotations

from game.engine.language import mark

CHANGES: dict[int, str] = {
    2: mark(
        "A game of the first edition can be played with open orders. If all companies are bankrupt, phase 9 waits for "
        "nobody."
    ),
    3: mark(
        "If a company goes bankrupt, its shares are paid for before shorts of it are closed. The log names the company "
        "actions that insolvency drops. Orders can be larger than 100 shares, and bids higher than 10,000. Contracts "
        "are shown only in games with option orders."
    ),
    4: mark(
        "If a company cannot pay for what you voted ahead once it votes, you are asked again; your vote still counts. "
        "You can distribute a tranche ahead."
    ),
    5: mark(
        "An order given ahead counts only at the stock price of then, whatever its kind, with or without the mark to "
        "be ready. If an order ahead stops counting, you are asked, even if you are done for the stock round. You can "
        "be done after one of your orders was rejected. You can withdraw in any phase what you gave ahead. If a "
        "company cannot pay for what you voted ahead once it votes, your vote counts, you alone are told, and the game "
        "does not wait for you."
    ),
}
