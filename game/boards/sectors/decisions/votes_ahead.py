"""The votes of one operating round on one sheet: what is given ahead for companies that vote later. (Decision
*votes*)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import BadField, Filled, Request, has_field
from game.engine.language import say
from game.engine.offers import Offer
from game.engine.phrases import inside, listed
from game.rulesets.sectors.effects import COMPANY_ACTIONS

ABSTAIN = "abstain"  # the value that chooses no action of one company
REST = "abstain_rest"  # the field that abstains wherever nothing is chosen


def is_ahead(offer: Offer | None) -> bool:
    """Whether an offer is for a company that votes later: such a ballot has its own ready mark."""
    return has_field(offer, "ready")


def tickers_of(form: Filled, offers: Sequence[Offer]) -> list[str]:
    """The companies that a form has a ballot for: those ticked, and all later ones where the rest abstains."""
    ticked = form.under("actions_")
    rest = [offer.fixed["company"] for offer in offers if form.get(REST) and is_ahead(offer)]
    return list(dict.fromkeys([*ticked, *rest]))


def abstention(ticker: str, actions: Sequence[str]) -> Request | None:
    """The request to abstain, where that or nothing is ticked; None where actions are. Raises `BadField`."""
    if actions and actions != [ABSTAIN]:
        if ABSTAIN in actions:
            raise BadField(
                f"actions_{ticker}",
                "You cannot abstain for {company} and choose an action. Untick one.",
                "S 6.7",
                company=ticker,
            )
        return None
    return {"kind": "vote_actions", "company": ticker, "actions": [], "ready": True}


def words_of(request: Mapping[str, Any], acting: str | None) -> str:
    """A ballot in words; one ahead says when its voter is still waited for."""
    keys = request["actions"]
    titles = [inside(COMPANY_ACTIONS[key].title if key in COMPANY_ACTIONS else key) for key in keys]
    vote = listed(titles) if titles else say("abstain")
    if request["company"] != acting and not request.get("ready"):
        return say("{vote} (you are asked again)", vote=vote)
    return vote


def given_ahead(view: Any, ticker: str) -> Mapping[str, Any] | None:
    """The viewer's ballot that counts now for a company; None where nothing was given."""
    ballots = (held for held in view.mine.values() if held.get("kind") == "vote_actions")
    return next((held for held in ballots if held["company"] == ticker), None)
