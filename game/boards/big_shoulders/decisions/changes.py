"""What commands would change, from one view to another: at the company, for the reader, and for the others."""

from __future__ import annotations

from collections.abc import Iterator

from game.boards.big_shoulders.decisions.course import Course, company_of
from game.boards.decision import Question
from game.boards.shapes import Preview, Row, Say
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.effects import ASSETS
from game.rulesets.big_shoulders.telling import cubes_in_words
from game.rulesets.big_shoulders.view import CompanyView, FactoryView, ShouldersView

NUMBERS = {
    "cash": mark("Its cash"),
    "appeal": mark("Appeal"),
    "good_price": mark("Price of a good"),
    "goods": mark("Goods"),
    "tokens": mark("Goods tokens"),
}
NOTHING = mark("none")


def changes(question: Question, after: ShouldersView, company: str = "") -> tuple[Row, ...]:
    """The lines that differ, what concerns the company first."""
    before = question.view
    rows = [*_of_company(before, after, company)] if company else []
    for was, now in zip(before.companies, after.companies, strict=True):
        if was.is_started and was.price != now.price:
            label = say("Value") if was.key == company else say("Value of {company}", company=was.title)
            rows.append(_money(label, was.price, now.price))
        if was.is_started and was.director_seat != now.director_seat:
            rows.append(_director(question, was, now))
    return (*rows, *_of_players(question, after), *_of_market(before, after))


def command_preview(question: Question) -> Preview:
    """What a single command would change."""
    course, company = Course(question), question.requests[0].get("company", "")
    if question.view.operation is not None:
        company = question.view.operation.company
    if not course.do(question.requests[0]):
        return Preview(says=(Say(course.refusal.text, course.refusal.rule),)) if course.refusal else Preview()
    assert course.after is not None
    return Preview(say("If you do this"), changes(question, course.after, company))


def _of_company(before: ShouldersView, after: ShouldersView, key: str) -> Iterator[Row]:
    was, now = company_of(before, key), company_of(after, key)
    for name, label in NUMBERS.items():
        if getattr(was, name) != getattr(now, name) and was.is_started:
            yield _money(say(label), getattr(was, name), getattr(now, name))
    for number, (old, new) in enumerate(zip(was.factories, now.factories, strict=True), 1):
        if staff_words(old) != staff_words(new):
            yield Row(say("Factory {number}", number=number), staff_words(new), staff_words(old))
    if was.cubes != now.cubes:
        nothing = say(NOTHING)
        yield Row(say("Cubes"), cubes_in_words(now.cubes) or nothing, cubes_in_words(was.cubes) or nothing)
    if was.asset != now.asset and now.asset:
        yield Row(say("Asset"), ASSETS[now.asset].title, _asset_words(was))


def _director(question: Question, was: CompanyView, now: CompanyView) -> Row:
    """The row about a change of director: the new one and the former one. (BS 5.7)"""
    assert now.director_seat is not None
    assert was.director_seat is not None
    label = say("Director of {company}", company=was.title)
    return Row(label, question.name(now.director_seat), question.name(was.director_seat))


def _asset_words(company: CompanyView) -> str:
    return ASSETS[company.asset].title if company.asset else say(NOTHING)


def staff_words(factory: FactoryView) -> str:
    """`2 of 3 staffed, manager`."""
    staff = say("{n} of {most} staffed", n=factory.workers + factory.automated, most=factory.staff)
    parts = [staff]
    if factory.automated:
        parts.append(say("{n} automated", n=factory.automated))
    if factory.has_manager:
        parts.append(say("manager"))
    return ", ".join(parts)


def _of_players(question: Question, after: ShouldersView) -> Iterator[Row]:
    """Rows about the reader's cash, certificates and shares, and about what others gain or lose."""
    for was in question.view.players:
        now = after.player(was.seat)
        is_you = was.seat == question.view.seat
        if was.cash != now.cash:
            label = say("Your cash") if is_you else say("Cash of {name}", name=question.name(was.seat))
            yield _money(label, was.cash, now.cash)
        if is_you and was.shares != now.shares:
            yield Row(
                say("Your certificates"),
                say("{n} of {most}", n=now.certificate_count, most=after.limit),
                say("{n} of {most}", n=was.certificate_count, most=after.limit),
            )
        if was.partners != now.partners:
            label = say("Your partners") if is_you else say("Partners of {name}", name=question.name(was.seat))
            yield Row(label, str(now.partners), str(was.partners))


def _of_market(before: ShouldersView, after: ShouldersView) -> Iterator[Row]:
    if before.market != after.market:
        note = say("then a worker costs {price}", price=after.worker_price)
        yield Row(say("Job market"), str(after.market), str(before.market), note)
    if before.next_order != after.next_order:
        yield Row(say("Next sequence"), say("you go first"))


def _money(label: str, was: int, now: int) -> Row:
    return Row(label, thousands(now), thousands(was))
