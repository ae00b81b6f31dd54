"""Trades in Haymarket and uses of assets, which cost no partner. (BS 6.5, BS 1.11)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.big_shoulders.decisions.changes import changes
from game.boards.big_shoulders.decisions.course import ACT, Course, answers_in, company_of
from game.boards.decision import BadField, Filled, Missing, Question, Request, Values
from game.boards.shapes import Option, Preview, Say
from game.engine.language import mark, say
from game.engine.offers import Choice, Offer
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.tables import CUBE_TITLES

DEED = "deed"


def deeds(offers: Sequence[Offer]) -> dict[str, Request]:
    """What can be done freely, by its value in the form: `asset:swift`, `trade:swift:coal:wood`."""
    requests: dict[str, Request] = {}
    for offer in offers:
        if offer.refused:
            continue
        if offer.kind == "use_asset":
            requests[f"asset:{offer.fixed['company']}"] = {"kind": "use_asset", **offer.fixed}
        elif offer.kind == "trade":
            for take in _takes(offer):
                requests[f"trade:{offer.fixed['company']}:{offer.fixed['give']}:{take}"] = {
                    "kind": "trade", **offer.fixed, "take": take
                }  # fmt: skip
    return requests


def _takes(offer: Offer) -> list[str]:
    return [str(value) for field in offer.fields if isinstance(field, Choice) for value, _ in field.values]


def read_deed(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """The deed and the bonuses that it brings. Raises `BadField`."""
    requests = deeds(offers)
    if not form.get(DEED):
        raise Missing(DEED, "Choose an asset or a trade.", "BS 6.5")
    if form.get(DEED) not in requests:
        raise BadField(DEED, "That is not possible now.", "BS 6.5")
    return [requests[form.get(DEED)], *answers_in(form, 0)]


def fill_deed(request: Mapping[str, Any]) -> Values:
    """The form values of a deed."""
    parts = [request["company"], *(request[name] for name in ("give", "take") if name in request)]
    return {ACT: ["free"], DEED: [":".join(["asset" if request["kind"] == "use_asset" else "trade", *parts])]}


def deed_options(question: Question) -> tuple[Option, ...]:
    """Each deed in words."""
    return tuple(
        Option(value, *_words(question, request), checked=question.filled.get(DEED) == value)
        for value, request in deeds(question.offers).items()
    )


def _words(question: Question, request: Request) -> tuple[str, str]:
    company = company_of(question.view, request["company"])
    if request["kind"] == "use_asset":
        assert company.asset is not None
        return ASSETS[company.asset].title, company.title
    give, take = say(CUBE_TITLES[request["give"]]), say(CUBE_TITLES[request["take"]])
    return say("2 {give} for 1 {take}", give=give, take=take), company.title


def deed_course(question: Question) -> Course:
    """The deed that is chosen, tried."""
    course = Course(question)
    request = deeds(question.offers).get(question.filled.get(DEED))
    if request is not None:
        course.do(request)
    return course


def deed_preview(question: Question, course: Course) -> Preview:
    if not course.requests:
        return Preview(hint=say("These cost no partner and do not end your turn."))
    if course.after is None:
        return Preview(says=(Say(course.refusal.text, course.refusal.rule),)) if course.refusal else Preview()
    rows = changes(question, course.after, course.requests[0]["company"])
    return Preview(say("If you do this"), rows, (Say(say("Your turn goes on."), "BS 6.2", "ok"),))


SEND = mark("Do it, then go on")
