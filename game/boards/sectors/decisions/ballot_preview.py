"""Costs and effects of a company's actions if they win (S 6.7–6.10), and votes ahead for companies that vote later
(decision *votes*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

from game.boards.decision import BadField, Filled, Question, Request, has_field
from game.boards.shapes import Option, Preview, Row, Say
from game.engine.language import count, mark, say, spoken
from game.engine.offers import Offer
from game.engine.phrases import inside, listed, thousands
from game.rulesets.sectors.effects import COMPANY_ACTIONS
from game.rulesets.sectors.tables.common import LOAN

LOAN_KEY, TRACK_KEY, OUTSOURCE_KEY, VETO_KEY = "loan", "spend_prestige", "outsource", "veto"
OWN_ROW_LABELS = (mark("Treasury"), mark("Prestige"))  # rows of their own
ABSTAIN = "abstain"  # the value that chooses no action of one company
REST = "abstain_rest"  # the field that abstains wherever nothing is chosen


def preview_of(question: Question, company: Any, ballot: Sequence[Option]) -> Preview:
    """What would follow from the ticked lines."""
    chosen = [line for line in ballot if line.checked]
    if not chosen:
        return Preview()
    offers = [offer for offer in question.of("vote_actions") if offer.fixed["company"] == company.ticker]
    lines = {line.key: line for offer in offers for line in offer.details}
    cost, income = (
        sum(lines[c.value].cost for c in chosen),
        sum(income_of(question.view, company, c.value) for c in chosen),
    )
    treasury, keys = company.treasury, [line.value for line in chosen]
    rows = [Row(say("Cost"), thousands(cost)), *_income_rows(question.view, company, keys)]
    rows.append(Row(say("Treasury"), thousands(treasury - cost + income), thousands(treasury)))
    rows += _prestige_rows(question.view, company, keys, sum(lines[key].prestige for key in keys))
    rows += (
        _foreseen(company, lines[keys[0]].next)
        if len(keys) == 1
        else [Row(line.label, does) for line in chosen if (does := changed_words(lines[line.value].next))]
    )
    actions = listed(say("“{choice}”", choice=line.label) for line in chosen)
    caption = say("If {actions} wins" if len(chosen) == 1 else "If {actions} win", actions=actions)
    return Preview(caption, tuple(rows), tuple(_says(company, chosen, cost, income)))


def income_of(view: Any, company: Any, key: str) -> int:
    """The foreseeable dollars that an action brings the treasury at once. (S 1.8, R-4)"""
    if key == LOAN_KEY:
        return 0 if company.has_loan else LOAN
    return int(view.track.injection) if key == TRACK_KEY and company.prestige >= view.track.cost else 0


def changed_words(forecast: Any) -> str:
    """The effect of an action on its company, in figures; treasury and costs have columns of their own."""
    if forecast is None:
        return ""
    return ", ".join(
        say("{figure} {was} to {now}", figure=change.figure, was=change.was, now=change.now)
        for change in forecast.changes
        if change.figure != say("Treasury")
    )


def next_words(forecast: Any) -> str:
    """The next production in words; empty for an action that draws, which cannot be foreseen."""
    if forecast is None:
        return ""
    return say("Gap {gap}: {effect}", gap=forecast.throughput, effect=_effect(forecast))


def _effect(forecast: Any) -> str:
    if not forecast.throughput:
        return say("cost halved")
    return (
        count("price falls {n} step", "price falls {n} steps", forecast.steps) if forecast.steps else say("no effect")
    )


def _income_rows(view: Any, company: Any, keys: Sequence[str]) -> list[Row]:
    rows = []
    if LOAN_KEY in keys and not company.has_loan:
        percent = view.options["loan_interest_percent"]
        interest = ceil(LOAN * Fraction(percent) / 100)
        note = say("{percent}% of {loan}, rounded up", percent=str(percent).replace(".", spoken().point), loan=LOAN)
        rows.append(Row(say("The loan brings"), thousands(LOAN), note=say("once a game, never repaid")))
        rows.append(Row(say("Interest per turn"), thousands(interest), note=note))
    if TRACK_KEY in keys and (injected := income_of(view, company, TRACK_KEY)):
        rows.append(Row(say("{title} brings", title=say(view.track.title)), thousands(injected)))
    return rows


def _prestige_rows(view: Any, company: Any, keys: Sequence[str], tokens: int) -> list[Row]:
    """Tokens paid for an action or a space of the track; outsourcing loses them all. (S 1.8, 6.9, 6.10)"""
    tokens_after = company.prestige - tokens
    tokens_after -= view.track.cost if TRACK_KEY in keys and tokens_after >= view.track.cost else 0
    tokens_after = 0 if OUTSOURCE_KEY in keys else tokens_after
    note = (
        say("too few for the space: the track moves on")
        if TRACK_KEY in keys and company.prestige - tokens < view.track.cost
        else ""
    )
    return (
        [Row(say("Prestige"), str(tokens_after), str(company.prestige), note)]
        if tokens_after != company.prestige or note
        else []
    )


def _says(company: Any, chosen: Sequence[Option], cost: int, income: int) -> list[Say]:
    says = [Say(_hopeless(line), line.rule) for line in chosen if line.refused]
    if cost > company.treasury:
        too_much = say(
            "Together they cost {cost}; the treasury holds {treasury} and would get {income}. Later ones may fail."
            if income
            else "Together they cost {cost}; the treasury holds {treasury}. Later ones may fail.",
            cost=thousands(cost),
            treasury=thousands(company.treasury),
            income=thousands(income),
        )
        says.append(Say(too_much, "S 6.7"))
    if len(chosen) > 1 and any(line.value == VETO_KEY for line in chosen):
        says.append(Say(say("Veto counts only if it ranks first; otherwise it is ignored."), "VETO"))
    return says


def _hopeless(line: Option) -> str:
    return say(
        "{action}: {reason} It will have no effect unless an action before it fixes this.",
        action=line.label,
        reason=line.refused,
    )


def _foreseen(company: Any, forecast: Any) -> list[Row]:
    """The immediate effects of the action, and the figures from which the next production would start. (S 6.2)"""
    if forecast is None:
        return [Row(say("Consumers it gets"), say("is not known yet"))]
    others = [change for change in forecast.changes if change.figure not in map(say, OWN_ROW_LABELS)]
    changed = [Row(change.figure, change.now, change.was) for change in others]
    note = _effect(forecast)
    return [*changed, Row(say("Next gap"), str(forecast.throughput), str(company.throughput), note=note)]


def is_ahead(offer: Offer | None) -> bool:
    """True if an offer is for a company that votes later: such a ballot has its own ready mark."""
    return has_field(offer, "ready")


def tickers_of(form: Filled, offers: Sequence[Offer]) -> list[str]:
    """The companies for which a form has a ballot: those with a tick, and all later ones if the voter abstains for the
    rest."""
    ticked = form.under("actions_")
    rest = [offer.fixed["company"] for offer in offers if form.get(REST) and is_ahead(offer)]
    return list(dict.fromkeys([*ticked, *rest]))


def abstention(ticker: str, actions: Sequence[str]) -> Request | None:
    """The request to abstain, if that or nothing is ticked; None if actions are. Raises `BadField`."""
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
    """A ballot in words; a ballot ahead says when its voter is still waited for."""
    keys = request["actions"]
    titles = [inside(COMPANY_ACTIONS[key].title if key in COMPANY_ACTIONS else key) for key in keys]
    vote = listed(titles) if titles else say("abstain")
    if request["company"] != acting and not request.get("ready"):
        return say("{vote} (you are asked again)", vote=vote)
    return vote


def given_ahead(view: Any, ticker: str) -> Mapping[str, Any] | None:
    """The viewer's ballot that counts now for a company; None without one."""
    ballots = (held for held in view.mine.values() if held.get("kind") == "vote_actions")
    return next((held for held in ballots if held["company"] == ticker), None)
