"""The vote on a company's actions, now and ahead. (S 6.7)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import BadField, Decision, Filled, Question, Request, Values, offer_of
from game.boards.sectors.decisions.ballot_preview import (
    ABSTAIN,
    REST,
    abstention,
    changed_words,
    given_ahead,
    income_of,
    is_ahead,
    next_words,
    preview_of,
    tickers_of,
    words_of,
)
from game.boards.sectors.decisions.ticks import MOST_ROWS
from game.boards.sectors.decisions.vote_table import VoteTable, Weight, table_of_actions, weights_of
from game.boards.shapes import Option, Preview, Say, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Offer, Several
from game.engine.phrases import thousands

NUMBER_KEYS = 9


class Ballot(msgspec.Struct, frozen=True):
    """One company's ballot, now or ahead."""

    company: Any
    held: int
    most: int
    lines: tuple[Option, ...]
    weights: tuple[Weight, ...]
    is_ahead: bool
    ready: bool
    refused: str = ""
    rule: str = ""
    abstains: bool = False
    is_open: bool = False
    counts: str = ""
    reach: Say | None = None

    @property
    def says(self) -> str:
        """The vote that counts now for a company that votes later, in words."""
        return say("Counts now: {vote}", vote=self.counts) if self.counts else say("No vote yet")

    @property
    def count(self) -> str:
        """The number of ticked actions."""
        if self.abstains:
            return say("you abstain")
        return say("{n} of {most} chosen", n=sum(line.checked for line in self.lines), most=self.most)

    @property
    def is_single(self) -> bool:
        """True if exactly one action is chosen, for the open vote."""
        return self.most == 1 and not self.is_ahead


class BallotForm(msgspec.Struct, frozen=True):
    """The acting company's ballot and those that can be cast ahead."""

    now: Ballot | None
    ahead: tuple[Ballot, ...]
    table: VoteTable | None
    abstains_rest: bool = False

    @property
    def current_words(self) -> str:
        """The number of later companies for which a ballot counts."""
        votes_cast = sum(bool(ballot.counts) for ballot in self.ahead)
        return count(
            "{done} of {n} later vote cast", "{done} of {n} later votes cast", len(self.ahead), done=votes_cast
        )


class CompanyVote(Decision):
    """Phase 25: vote on what a company does. (S 6.7)"""

    prompt = mark("Choose what {company} does")
    names = frozenset({"actions_", "ready_", REST})
    lists = frozenset({"actions_"})
    is_vote = True
    choice = ("actions_", mark("Choose an action."))

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return [
            _ballot(form, ticker, offer_of(offers, "vote_actions", company=ticker))
            for ticker in tickers_of(form, offers)[:MOST_ROWS]
        ]

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        later = [offer.fixed["company"] for offer in offers if is_ahead(offer)]
        return [request for request in self.read(form, offers) if request["company"] in later]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        ticker = request.get("company")
        ready = {f"ready_{ticker}": ["on"]} if request.get("ready") else {}
        actions = [str(action) for action in request.get("actions", [])] or [ABSTAIN]
        return {f"actions_{ticker}": actions} | ready

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return f"{request['company']}: {words_of(request, view.acting)}"

    def ticket(self, question: Question) -> Ticket:
        """Phase 25: the company's actions. (S 6.7)"""
        form = ballot_form(question)
        now = form.now
        if now is None:
            return Ticket(
                "boards/sectors/panel/lens.html",
                say("You can already vote, if you like."),
                form,
                Preview(),
                mark("Later companies"),
                say("sealed"),
                say("Submit votes in advance"),
                "",
                form,
            )
        title = say("Choose what {company} does.", company=now.company.name)
        preview = preview_of(question, now.company, now.lines)
        several = say("up to {most} actions, most shares win", most=now.most)
        hint = several if now.most > 1 else say("one action, most shares win")
        return Ticket(
            "boards/sectors/panel/lens.html",
            title,
            form,
            preview,
            mark("Who decides"),
            hint,
            count("Vote with {n} share", "Vote with {n} shares", now.held),
            say("Abstain"),
            form,
        )


def _ballot(form: Filled, ticker: str, offer: Offer | None) -> Request:
    actions = list(dict.fromkeys(form.several(f"actions_{ticker}")))
    if (abstains := abstention(ticker, actions)) is not None:
        return abstains
    most = next((field.most for field in offer.fields if isinstance(field, Several)), 3) if offer else 3
    if len(actions) > most:
        raise BadField(
            f"actions_{ticker}",
            "{company} takes up to 1 action; you ticked {ticked}."
            if most == 1
            else "{company} takes up to {most} different actions; you ticked {ticked}.",
            "S 6.7",
            company=ticker,
            most=most,
            ticked=len(actions),
        )
    request: Request = {"kind": "vote_actions", "company": ticker, "actions": actions}
    return request | ({"ready": True} if form.get(f"ready_{ticker}") and is_ahead(offer) else {})


def ballot_form(question: Question) -> BallotForm:
    ballots = [_ballot_of(question, offer) for offer in question.of("vote_actions")]
    now = next((b for b in ballots if not b.is_ahead), None)
    later = tuple(b for b in ballots if b.is_ahead)
    return BallotForm(now, later, _table(question, now) if now else None, bool(question.filled.get(REST)))


def _ballot_of(question: Question, offer: Offer) -> Ballot:
    company = question.view.company(offer.fixed["company"])
    ticked = question.filled.several(f"actions_{company.ticker}")
    most = next((field.most for field in offer.fields if isinstance(field, Several)), 1)
    is_hopeless = most == 1 and company.is_acting
    lines = tuple(
        _line(line, ticked, is_hopeless, income_of(question.view, company, line.key)) for line in offer.details
    )
    lines = _with_keys(lines) if company.is_acting else lines
    ready = bool(question.filled.get(f"ready_{company.ticker}")) or not (ticked or question.is_sent)
    held = company.holdings.get(question.view.seat, 0)
    ballot = Ballot(
        company,
        held,
        most,
        lines,
        weights_of(question, company),
        not company.is_acting,
        ready,
        offer.refused,
        offer.rule,
    )
    return _ahead(question, ballot, ticked) if ballot.is_ahead else ballot


def _ahead(question: Question, ballot: Ballot, ticked: list[str]) -> Ballot:
    """A ballot for a company that votes later, with the ballot that counts now and how far the viewer's shares carry;
    unfolded if the form differs from that ballot."""
    current = given_ahead(question.view, ballot.company.ticker)
    return msgspec.structs.replace(
        ballot,
        abstains=ABSTAIN in ticked,
        is_open=ticked != (current["actions"] or [ABSTAIN] if current else []),
        counts=words_of(current, question.view.acting) if current else "",
        reach=_table(question, ballot).pivot,
    )


def _line(line: Any, ticked: list[str], is_hopeless: bool, income: int) -> Option:
    """One line of a ballot. An action that would fail now can still be chosen, because another action, or time, may
    make it possible."""
    cost = thousands(line.cost)
    if line.prestige:
        cost = say("{cost} and {tokens} prestige", cost=cost, tokens=line.prestige)
    treasury_after = thousands(line.treasury_left + income) if not line.refused else ""
    return Option(
        line.key,
        say(line.title),
        say(line.text),
        cost,
        treasury_after,
        line.key in ticked,
        line.refused,
        line.rule,
        is_hopeless,
        next_words(line.next),
        does=changed_words(line.next),
    )


def _with_keys(lines: tuple[Option, ...]) -> tuple[Option, ...]:
    """The first nine lines that can be chosen, each with its number key."""
    free = [line.value for line in lines if not (line.refused and line.extra)]
    keys = {value: str(key) for key, value in enumerate(free[:NUMBER_KEYS], 1)}
    return tuple(msgspec.structs.replace(line, key=keys[line.value]) if line.value in keys else line for line in lines)


def _table(question: Question, now: Ballot) -> VoteTable:
    """The result of a company's vote for each way the others may vote."""
    chosen = [line.value for line in now.lines if line.checked]
    return table_of_actions(question, now.company, chosen, [line.value for line in now.lines], now.most)
