"""What a ballot shows beside its actions: costs, what they do, and what would fail today; all of it public."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from game.engine.offers import Offer
from game.rulesets.sectors.offers import BallotLine, ballot_lines


def ballots_of(state: Any, offers: Iterable[Offer]) -> dict[str, list[BallotLine]]:
    """The lines of every ballot on offer, by ticker."""
    tickers = [str(offer.fixed["company"]) for offer in offers if offer.kind == "vote_actions"]
    return {ticker: ballot_lines(state, ticker) for ticker in tickers}
