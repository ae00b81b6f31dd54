"""The operation of a company, planned on one screen: cubes, factories, goods, and the fate of the revenue. (BS 7)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.big_shoulders.decisions import free, plan, words
from game.boards.big_shoulders.decisions.changes import changes, command_preview
from game.boards.big_shoulders.decisions.course import (
    ACT,
    COMMAND,
    BonusField,
    Course,
    answers_in,
    company_of,
    fill_command,
    read_command,
)
from game.boards.big_shoulders.decisions.operation_form import (
    Outcome,
    PlanForm,
    card_for_use,
    cube_cells,
    factory_rows,
    outcomes_of,
    slot_fields,
    take_fields,
    trade_options,
)
from game.boards.big_shoulders.decisions.order_fields import ENTRY, KINDS, NAMES, fill_order, orders_of, read_order
from game.boards.big_shoulders.decisions.order_now import GIVE, is_giving, order_send
from game.boards.big_shoulders.decisions.standing import in_own_turn, order_form, order_preview, with_order
from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, one_of, whole
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.engine.actions import Refused
from game.engine.language import mark, mark_as, say, say_as
from game.engine.offers import Offer
from game.engine.phrases import thousands

PANEL = "boards/big_shoulders/panel"
PLAN, FREE, RAISE, END = "plan", "free", "raise", "end_turn"
ACTS = {
    PLAN: mark_as("operation", "Operation"),
    RAISE: mark_as("operation", "Raise funds"),
    FREE: mark_as("operation", "Asset or trade"),
    END: mark_as("operation", "End"),
    GIVE: mark_as("operation", "Orders"),
}


class Operate(Decision):
    """An operation; where a bonus is open, its answer."""

    prompt = mark("Operate {company}")
    at_once = mark("Counts at once")
    names = frozenset({ACT, COMMAND, free.DEED, "preferred", "commons", *plan.NAMES, *NAMES})
    lists = frozenset({plan.CUBE, plan.TRADE, ENTRY})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if form.get(ACT) == COMMAND:
            return read_command(form)
        if any(offer.kind == "bonus" for offer in offers):
            return answers_in(form, 0)
        if not form.get(ACT):
            return []
        act = one_of(form, ACT, mark("The action"), acts_of(offers), rule="BS 7")
        readers = {PLAN: read_plan, RAISE: _read_raise, FREE: free.read_deed, GIVE: read_order}
        return readers[act](form, offers) if act in readers else [{"kind": END}]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] in {"trade", "use_asset"}:
            return free.fill_deed(request)
        if request["kind"] in KINDS:
            return {ACT: [GIVE]} | fill_order(request)
        return fill_command(request)

    def with_defaults(self, question: Question) -> Filled:
        if question.filled.get(ACT) == COMMAND:
            return question.filled
        if question.of("bonus"):
            course = Course(question)
            course.settle()
            return course.filled
        form, acts = in_own_turn(question), acts_of(question.offers)
        if form.get(ACT) not in acts:
            form = form.with_(act=acts[0] if acts else "")
        if form.get(ACT) == PLAN:
            return laid_out(msgspec.structs.replace(question, filled=form)).filled
        if form.get(ACT) == FREE:
            return free.deed_course(msgspec.structs.replace(question, filled=form)).filled
        return with_order(msgspec.structs.replace(question, filled=form)) if form.get(ACT) == GIVE else form

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """Clear the planned sales, because another production makes other goods."""
        if form.get(ACT) != PLAN or plan.keeps_goods(form):
            return form
        return Filled({name: values for name, values in form.all().items() if not name.startswith(plan.GOODS)})

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return [f"{PANEL}/_operation.html"]

    def ticket(self, question: Question) -> Ticket:
        view = question.view
        company = company_of(view, view.operation.company if view.operation else view.owed[0].company)
        laid = laid_out(question) if question.filled.get(ACT) == PLAN else None
        return Ticket(
            f"{PANEL}/operation.html",
            say("Operate {company}.", company=company.title),
            _form(question, laid),
            order_preview(question) if is_giving(question) else _preview(question, laid),
            mark("Operation"),
            say("Cash of the company {cash}", cash=thousands(company.cash)),
            order_send(question) if is_giving(question) else _send(question, laid),
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def acts_of(offers: Sequence[Offer]) -> list[str]:
    """What can be done in this operation."""
    kinds = {offer.kind for offer in offers if not offer.refused}
    there = {
        PLAN: bool(kinds & {"stop", "withhold"}),
        END: END in kinds,
        RAISE: RAISE in kinds,
        FREE: bool(free.deeds(offers)),
        GIVE: bool(orders_of(offers)),
    }
    return [act for act, is_there in there.items() if is_there]


def read_plan(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """All commands of the plan, without sale and decision if the form shows the goods of another production. Raises
    `BadField`."""
    production = [request for stage in plan.read_production(form, offers) for request in stage]
    if form.get(plan.DRAWN_FOR) != plan.signature(form):
        return production
    if not form.get(plan.CHOICE):
        return [*production, *plan.read_sale(form, offers)]
    choice = one_of(form, plan.CHOICE, mark("The decision"), (plan.PAY, plan.WITHHOLD), rule="BS 7.5")
    return [*production, *plan.read_sale(form, offers), {"kind": choice, "end": True}]


def _read_raise(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    """Certificates of the treasury. Raises `BadField`."""
    with_preferred = form.get("preferred") == "1"
    offer = next(
        (each for each in offers if each.kind == RAISE and not each.refused and bool(each.fixed) == with_preferred),
        None,
    )
    if offer is None:
        raise BadField("preferred", "The treasury does not hold that certificate.", "BS 7.2")
    low, high = plan.range_in(offer, "commons")
    if low and form.get("commons") in {"", "0"}:
        raise Missing("commons", "Choose how many certificates are sold.", "BS 7.2")
    commons = whole(form, "commons", mark("Common certificates"), low, high, rule="BS 7.2") if high else 0
    return [{"kind": RAISE, **offer.fixed, "commons": commons}]


class Laid(msgspec.Struct, frozen=True):
    """The plan tried out: the course up to the end of production, the form with all its defaults, the takes of managers
    by factory, and what paying and withholding would bring."""

    course: Course
    filled: Filled
    takes: tuple[Any, ...]
    outcomes: tuple[Outcome, ...]
    refusal: Refused | None


def laid_out(question: Question) -> Laid:
    """Fill everything that the form leaves open with the likely choice, step by step along the plan."""
    form = question.filled
    if not form.several(plan.CUBE) and not form.get(plan.RUNS):
        form = _usual(question)
    course = Course(msgspec.structs.replace(question, filled=form))
    takes = _produce(question, course)
    form = course.filled
    if course.after is None:
        return Laid(course, form.with_(drawn_for=plan.signature(form)), tuple(takes), (), course.refusal)
    goods = {f"{plan.GOODS}{slot}": form.get(f"{plan.GOODS}{slot}") for slot in plan.SALES}
    if not plan.keeps_goods(form) or not any(goods.values()):
        best = plan.sale_for(course.after)
        form = form.with_(**{f"{plan.GOODS}{slot}": str(best.get(slot, 0)) for slot in plan.SALES})
    form = form.with_(drawn_for=plan.signature(form))
    sale = plan.read_sale(form, question.offers)
    outcomes = outcomes_of(question, course, sale)
    if form.get(plan.CHOICE) not in {outcome.key for outcome in outcomes if not outcome.refused}:
        possible = [outcome.key for outcome in outcomes if not outcome.refused]
        form = form.with_(decision=possible[0] if possible else "")
    return Laid(course, form, tuple(takes), outcomes, None)


def _usual(question: Question) -> Filled:
    """The form with the likely plan: the asset is used, and the cubes that it brings are not bought."""
    use, view = plan.usual_use(question), question.view
    asset = plan.offer_for_asset(question.offers)
    if asset is not None and use == plan.BEFORE:
        try:
            view = question.foresee({"kind": "use_asset", **asset.fixed}) or view
        except Refused:
            use = ""
    return Filled(question.filled.all() | plan.usual_plan(question, view)).with_(use=use)


def _produce(question: Question, course: Course) -> list[Any]:
    """Try the production, command by command; before each factory its manager's cubes are chosen."""
    takes = []
    company = question.view.operation.company
    for stage in plan.read_production(course.filled, question.offers):
        for request in stage:
            if request["kind"] == "bonus":
                continue  # the course answers the bonus itself
            if request["kind"] == "run":
                factory = request["factory"]
                fields = take_fields(course, company, factory)
                takes += fields
                chosen = {
                    field.name: next(option.value for option in field.options if option.checked) for field in fields
                }
                course.filled = _without_takes(course.filled, factory).with_(**chosen)
                if not course.do({**request, "cubes": dict(Counter(chosen.values()))}, factory):
                    return takes
            elif not course.do(request):
                return takes
    return takes


def _without_takes(form: Filled, factory: int) -> Filled:
    prefix = f"{plan.TAKE}{factory}_"
    return Filled({name: values for name, values in form.all().items() if not name.startswith(prefix)})


def _form(question: Question, laid: Laid | None) -> PlanForm:
    form, offers = question.filled, question.offers
    is_bonus = bool(question.of("bonus"))
    act = "" if is_bonus else form.get(ACT)
    bonuses: tuple[BonusField, ...] = tuple(laid.course.bonuses) if laid else ()
    if is_bonus or act == FREE:
        course = Course(question) if is_bonus else free.deed_course(question)
        course.settle()
        bonuses = tuple(course.bonuses)
    raising = [offer for offer in question.of(RAISE) if not offer.refused] if act == RAISE else []
    return PlanForm(
        acts=tuple(Option(each, say_as("operation", ACTS[each]), checked=each == act) for each in acts_of(offers))
        if act
        else (),
        act=act,
        cubes=cube_cells(question) if laid else (),
        trades=trade_options(question) if laid else (),
        factories=factory_rows(question) if laid else (),
        takes=laid.takes if laid else (),
        bonuses=bonuses,
        use=form.get(plan.USE) if laid and plan.offer_for_asset(offers) else "",
        use_at=plan.usual_use(question) if laid and plan.offer_for_asset(offers) else "",
        slots=slot_fields(question, laid.course.after) if laid and laid.course.after is not None else (),
        outcomes=laid.outcomes if laid else (),
        choice=form.get(plan.CHOICE),
        deeds=free.deed_options(question) if act == FREE else (),
        raising=tuple(plan.range_in(offer, "commons") for offer in raising),
        may_sell_preferred=any(offer.fixed for offer in raising),
        commons=form.get("commons") or "0",
        sells_preferred=form.get("preferred") == "1",
        runs_done=question.view.operation.runs,
        drawn_for=form.get(plan.DRAWN_FOR),
        orders=order_form(question) if act == GIVE else None,
        asset=card_for_use(question) if laid else None,
    )


def _send(question: Question, laid: Laid | None) -> str:
    """What the button does; it says when it ends the operation."""
    form = question.filled
    if question.of("bonus"):
        return say_as("button", "Answer")
    if form.get(ACT) == RAISE:
        return say("Raise funds, then go on")
    if form.get(ACT) == FREE:
        return say(free.SEND)
    if form.get(ACT) == END:
        return say("End the operation")
    chosen = next((one for one in laid.outcomes if one.key == form.get(plan.CHOICE)), None) if laid else None
    return _decide(chosen) if chosen else say("End the operation")


def _decide(chosen: Outcome) -> str:
    if chosen.key == plan.PAY:
        return say("Pay {amount} a share and end", amount=thousands(chosen.a_share))
    if chosen.revenue:
        return say("Withhold {amount} and end", amount=thousands(chosen.revenue))
    return say("End without revenue")


def _preview(question: Question, laid: Laid | None) -> Preview:
    form = question.filled
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    if form.get(ACT) == COMMAND:
        return command_preview(question)
    if question.of("bonus"):
        course = Course(question)
        course.settle()
        rows = changes(question, course.after, course.bonuses[0].company) if course.after and course.bonuses else ()
        return Preview(say("If you answer like this"), rows)
    if form.get(ACT) == FREE:
        return free.deed_preview(question, free.deed_course(question))
    if form.get(ACT) == RAISE:
        return _raise_preview(question)
    return _plan_preview(question, laid)


def _raise_preview(question: Question) -> Preview:
    request = question.request(RAISE)
    course = Course(question)
    if request is None or not course.do(request) or course.after is None:
        price = company_of(question.view, question.view.operation.company).price
        text = mark(
            "Certificates go from the treasury to the bank pool. Each share brings {price}; the value falls by a step "
            "for each, and by one more."
        )
        return Preview(hint=say(text, price=thousands(price)))
    return Preview(say("If you raise funds"), changes(question, course.after, question.view.operation.company))


def _plan_preview(question: Question, laid: Laid | None) -> Preview:
    """What the whole operation would change, decision included."""
    if laid is None:
        return Preview(hint=say("The operation is over."))
    if laid.refusal is not None:
        return Preview(says=(Say(laid.refusal.text, laid.refusal.rule),))
    chosen = next((one for one in laid.outcomes if one.key == question.filled.get(plan.CHOICE)), None)
    if chosen is None or chosen.after is None:
        return Preview()
    company = question.view.operation.company
    rows = [Row(say("Revenue"), thousands(chosen.revenue)), *changes(question, chosen.after, company)]
    caption = mark("If you pay") if chosen.key == plan.PAY else mark("If you withhold")
    return Preview(say(caption), tuple(rows))
