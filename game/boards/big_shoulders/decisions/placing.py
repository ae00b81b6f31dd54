"""The turn of the action phase: a partner on a space or a tile, its targets and bonuses; trades, assets, the end.
(BS 6)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.big_shoulders.decisions import free, words
from game.boards.big_shoulders.decisions.changes import changes, command_preview
from game.boards.big_shoulders.decisions.course import (
    ACT,
    BONUS,
    COMMAND,
    BonusField,
    Course,
    answers_in,
    fill_command,
    read_command,
    without_bonuses,
)
from game.boards.big_shoulders.decisions.names import space_title
from game.boards.big_shoulders.decisions.order_fields import (
    ENTRY,
    KINDS,
    fill_order,
    orders_of,
    read_order,
)
from game.boards.big_shoulders.decisions.order_fields import NAMES as ORDER_NAMES
from game.boards.big_shoulders.decisions.order_now import GIVE, is_giving, order_send
from game.boards.big_shoulders.decisions.standing import OrderForm, in_own_turn, order_form, order_preview, with_order
from game.boards.big_shoulders.decisions.targets import (
    NAMES,
    WORKERS,
    Target,
    fill_targets,
    read_targets,
    targets_of,
    with_smallest,
)
from game.boards.big_shoulders.spaces import SpaceTile, space_tiles
from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, one_of
from game.boards.shapes import Option, Preview, Row, Say, Ticket
from game.engine.language import mark, mark_as, say, say_as
from game.engine.offers import Offer
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.descriptions import asset_in_words
from game.rulesets.big_shoulders.effects import ASSETS, TILES
from game.rulesets.big_shoulders.tables import ASSET_SLOTS, COMPANIES, COMPANY_KEYS

PANEL = "boards/big_shoulders/panel"
COMPANY, SPACE, SLOT, STAY, DRAWN_FOR = "company", "space", "asset_slot", "stay", "drawn_for"
PLACE, FREE, END = "place", "free", "end_turn"
ACTS = {
    PLACE: mark_as("turn", "Place a partner"),
    FREE: mark_as("turn", "Asset or trade"),
    END: mark_as("turn", "End turn"),
    GIVE: mark_as("turn", "Orders"),
}
TARGETS = frozenset({BONUS, SLOT, *NAMES})
CHOOSE = mark("Choose a space or a tile to see what it costs, brings and triggers.")
DOES = {
    "hire_workers": mark("Hire and end turn"),
    "advertising": mark("Advertise and end turn"),
    "fund_40": mark("Raise $40 and end turn"),
    "fund_60": mark("Raise $60 and end turn"),
    "fund_80": mark("Raise $80 and end turn"),
    "hire_manager": mark("Hire and end turn"),
    "hire_salesperson": mark("Hire and end turn"),
    "capital_investment": mark("Buy the asset and end turn"),
    "extra_dividend": mark("Pay it and end turn"),
}
GOES_ON = {
    "hire_workers": mark("Hire, then go on"),
    "advertising": mark("Advertise, then go on"),
    "fund_40": mark("Raise $40, then go on"),
    "fund_60": mark("Raise $60, then go on"),
    "fund_80": mark("Raise $80, then go on"),
    "hire_manager": mark("Hire, then go on"),
    "hire_salesperson": mark("Hire, then go on"),
    "capital_investment": mark("Buy the asset, then go on"),
    "extra_dividend": mark("Pay it, then go on"),
}
"""What the button says on a general space: the turn ends, or it goes on."""


class PlaceForm(msgspec.Struct, frozen=True):
    """The fields of a turn. `may_stay`: something could be done after the placement."""

    acts: tuple[Option, ...]
    act: str
    companies: tuple[Option, ...]
    company: str
    spaces: tuple[SpaceTile, ...]
    assets: tuple[Option, ...]
    targets: tuple[Target, ...]
    bonuses: tuple[BonusField, ...]
    deeds: tuple[Option, ...]
    may_stay: bool
    stays: bool
    drawn_for: str
    orders: OrderForm | None = None


class Act(Decision):
    """A turn of the action phase; where a bonus is open, its answer."""

    prompt = mark("Place a partner")
    at_once = mark("Counts at once")
    names = frozenset({ACT, COMMAND, COMPANY, SPACE, STAY, DRAWN_FOR, free.DEED, *TARGETS, *ORDER_NAMES})
    lists = frozenset({"managers", ENTRY})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if form.get(ACT) == COMMAND:
            return read_command(form)
        if any(offer.kind == "bonus" for offer in offers):
            return answers_in(form, 0)
        if not form.get(ACT):
            return []
        act = one_of(form, ACT, mark("The action"), acts_of(offers), rule="BS 6.2")
        readers = {PLACE: _read_place, FREE: free.read_deed, GIVE: read_order}
        return readers[act](form, offers) if act in readers else [{"kind": END}]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] in {"trade", "use_asset"}:
            return free.fill_deed(request)
        if request["kind"] in KINDS:
            return {ACT: [GIVE]} | fill_order(request)
        if request["kind"] != PLACE:
            return fill_command(request)
        values = {ACT: [PLACE], COMPANY: [request["company"]], SPACE: [str(request["space"])]}
        stays = {} if request.get("end") else {STAY: ["on"]}
        values |= {SLOT: [str(request[SLOT])]} if request.get(SLOT) else {}
        return values | stays | fill_targets(request) | {DRAWN_FOR: [_drawn_for(Filled(values))]}

    def with_defaults(self, question: Question) -> Filled:
        form, acts = in_own_turn(question), acts_of(question.offers)
        if form.get(ACT) == COMMAND:
            return form
        if question.of("bonus"):
            return _settled(question).filled
        if form.get(ACT) not in acts:
            form = form.with_(act=acts[0] if acts else "")
        if form.get(ACT) == GIVE:
            return with_order(_with(question, form))
        companies = companies_of(question.offers)
        if form.get(COMPANY) not in companies and companies:
            form = form.with_(company=companies[0])
        if form.get(ACT) == PLACE:
            form = _with_targets(form, question.offers)
        return course_of(_with(question, form)).filled

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """Drop the targets of an earlier choice once another company, space or asset is chosen."""
        if form.get(ACT) == PLACE and form.get(DRAWN_FOR) != _drawn_for(form):
            is_same = form.get(DRAWN_FOR).rpartition(":")[0] == _drawn_for(form).rpartition(":")[0]
            slot = form.get(SLOT) if is_same or form.is_newer(SLOT, COMPANY, SPACE) else ""
            values = {
                name: each
                for name, each in form.all().items()
                if not _is_target(name) or form.is_newer(name, COMPANY, SPACE, SLOT)
            }
            form = Filled(values).with_(asset_slot=slot) if slot else Filled(values)
        return form if form.get(ACT) == PLACE else without_bonuses(form)

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return [f"{PANEL}/_turn.html"]

    def ticket(self, question: Question) -> Ticket:
        course = _settled(question) if question.of("bonus") else course_of(question)
        is_bonus = bool(question.of("bonus"))
        ready = question.you.ready_partners
        title = say("Decide on the bonus.") if is_bonus else say("Place a partner.")
        if question.view.has_placed and not is_bonus:
            title = say("End your turn, or use an asset or a trade.")
        hint = say("Partners left: {n}", n=ready)
        return Ticket(
            f"{PANEL}/turn.html",
            title,
            _form(question, course),
            order_preview(question) if is_giving(question) else _preview(question, course),
            mark("Bonus") if is_bonus else mark("Your turn"),
            hint,
            order_send(question) if is_giving(question) else _send(question),
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def acts_of(offers: Sequence[Offer]) -> list[str]:
    """What can be done in this turn."""
    there = {
        PLACE: any(offer.kind == PLACE for offer in offers),
        END: any(offer.kind == END and not offer.refused for offer in offers),
        FREE: bool(free.deeds(offers)),
        GIVE: bool(orders_of(offers)),
    }
    return [act for act, is_there in there.items() if is_there]


def companies_of(offers: Sequence[Offer]) -> list[str]:
    """The companies that may place."""
    return list(dict.fromkeys(str(offer.fixed["company"]) for offer in offers if offer.kind == PLACE))


def _with(question: Question, form: Filled) -> Question:
    return msgspec.structs.replace(question, filled=form)


def _is_target(name: str) -> bool:
    return name in TARGETS or name.startswith((BONUS, WORKERS))


def _drawn_for(form: Filled) -> str:
    return f"{form.get(COMPANY)}:{form.get(SPACE)}:{form.get(SLOT)}"


def offers_for(form: Filled, offers: Sequence[Offer]) -> list[Offer]:
    """The offers of the chosen company and space: one, or one for each asset."""
    return [
        offer
        for offer in offers
        if offer.kind == PLACE
        and offer.fixed["company"] == form.get(COMPANY)
        and str(offer.fixed["space"]) == form.get(SPACE)
    ]


def offer_for(form: Filled, offers: Sequence[Offer]) -> Offer | None:
    """The offer that the form chooses; if it names no asset, the first one that can be bought."""
    there = offers_for(form, offers)
    named = [offer for offer in there if str(offer.fixed.get(SLOT, "")) == form.get(SLOT)]
    possible = [offer for offer in there if not offer.refused]
    return next(iter([*named, *possible, *there]), None)


def _with_targets(form: Filled, offers: Sequence[Offer]) -> Filled:
    """The least of everything that the chosen space asks for."""
    offer = offer_for(form, offers)
    if offer is None:
        return form
    if SLOT in offer.fixed:
        form = form.with_(asset_slot=str(offer.fixed[SLOT]))
    return with_smallest(form, offer).with_(drawn_for=_drawn_for(form))


def _read_place(form: Filled, offers: Sequence[Offer]) -> list[Request]:
    company = one_of(form, COMPANY, mark("The company"), companies_of(offers), rule="BS 6.2")
    if not form.get(SPACE):
        raise Missing(SPACE, "Choose a space or a tile.", "BS 6.2")
    there = offers_for(form, offers)
    if not there:
        raise BadField(SPACE, "There is no space or tile “{shown}”.", "BS 6.2", shown=form.get(SPACE)[:20])
    if SLOT in there[0].fixed and not form.get(SLOT):
        raise Missing(SLOT, "Choose an asset.", "BS 6.3")
    offer = offer_for(form, offers)
    assert offer is not None
    if offer.refused:
        raise BadField(SPACE, offer.refused, offer.rule)
    request = {"kind": PLACE, **offer.fixed, "company": company, **read_targets(form, offer)}
    return [request | {"end": not form.get(STAY)}, *answers_in(form, 0)]


def _settled(question: Question) -> Course:
    """The course with its open bonuses answered."""
    course = Course(question)
    course.settle()
    return course


def course_of(question: Question) -> Course:
    """The course of the form's requests, tried without the end of the turn, which may draw an asset."""
    form = question.filled
    if form.get(ACT) == FREE:
        return free.deed_course(question)
    course = Course(question)
    if form.get(ACT) != PLACE:
        return course
    try:
        requests = _read_place(form, question.offers)
    except BadField:
        return course
    course.do(requests[0] | {"end": False})
    return course


def _form(question: Question, course: Course) -> PlaceForm:
    form, offers = question.filled, question.offers
    act = "" if question.of("bonus") else form.get(ACT)
    offer = offer_for(form, offers) if act == PLACE else None
    spaces = space_tiles(question.view, offers, form.get(COMPANY), form.get(SPACE)) if act == PLACE else ()
    companies = companies_of(offers) if act == PLACE else []
    return PlaceForm(
        acts=tuple(Option(each, say_as("turn", ACTS[each]), checked=each == act) for each in acts_of(offers))
        if act
        else (),
        act=act,
        companies=tuple(_company(question, key) for key in COMPANY_KEYS if key in companies),
        company=form.get(COMPANY),
        spaces=spaces,
        assets=tuple(_asset(question, each) for each in offers_for(form, offers) if SLOT in each.fixed)
        if offer
        else (),
        targets=targets_of(question, offer) if offer and not offer.refused else (),
        bonuses=tuple(course.bonuses),
        deeds=free.deed_options(question) if act == FREE else (),
        may_stay=act == PLACE and bool(free.deeds(offers)),
        stays=bool(form.get(STAY)),
        drawn_for=form.get(DRAWN_FOR),
        orders=order_form(question) if act == GIVE else None,
    )


def _company(question: Question, key: str) -> Option:
    company = next(each for each in question.view.companies if each.key == key)
    return Option(key, company.title, figure=thousands(company.cash), checked=question.filled.get(COMPANY) == key)


def _asset(question: Question, offer: Offer) -> Option:
    """An asset of the row with its price for this space."""
    slot = offer.fixed[SLOT]
    asset = question.view.assets[ASSET_SLOTS.index(slot)]
    discount = TILES[offer.fixed["space"]].effect.discount if isinstance(offer.fixed["space"], int) else 0
    return Option(
        str(slot),
        ASSETS[asset].title,
        asset_in_words(ASSETS[asset]),
        thousands(slot - (discount or 0)),
        checked=question.filled.get(SLOT) == str(slot),
        refused=offer.refused,
    )


def _send(question: Question) -> str:
    """What the button does; it says when it ends the turn."""
    form = question.filled
    if question.of("bonus"):
        return say_as("button", "Answer")
    if form.get(ACT) == FREE:
        return say(free.SEND)
    if form.get(ACT) == END:
        return say_as("turn", ACTS[END])
    space, stays = form.get(SPACE), bool(form.get(STAY))
    if space in DOES:
        return say((GOES_ON if stays else DOES)[space])
    if stays:
        return say("Place, then go on")
    return say("Use tile {tile} and end turn", tile=space) if space else say("Place and end turn")


def _preview(question: Question, course: Course) -> Preview:
    form = question.filled
    if question.bad is not None and not isinstance(question.bad, Missing):
        return Preview(says=(Say(question.bad.text, question.bad.rule),))
    if form.get(ACT) == COMMAND:
        return command_preview(question)
    if question.of("bonus"):
        rows = changes(question, course.after, course.bonuses[0].company) if course.after and course.bonuses else ()
        return Preview(say("If you answer like this"), rows)
    if form.get(ACT) == FREE:
        return free.deed_preview(question, course)
    if form.get(ACT) == END:
        return Preview(hint=say("You have placed your partner. End your turn so that the next player can act."))
    return _placed(question, course)


def _placed(question: Question, course: Course) -> Preview:
    if course.refusal is not None:
        return Preview(says=(Say(course.refusal.text, course.refusal.rule),))
    if not course.requests or course.after is None:
        return Preview(hint=say(CHOOSE))
    request = course.requests[0]
    company, space = request["company"], request["space"]
    caption = say("If {company} goes to {space}", company=COMPANIES[company].title, space=space_title(space))
    return Preview(caption, (*_fee(question, space), *changes(question, course.after, company)))


def _fee(question: Question, space: Any) -> tuple[Row, ...]:
    """What the owner of a tile gets, and from whom."""
    if not isinstance(space, int):
        return ()
    tile = TILES[space]
    owner = next((player.seat for player in question.view.players if space in player.built), None)
    if owner is None:
        return ()
    note = say("from the bank") if tile.is_paid_by_bank else say("from the company")
    to = say("Fee to you") if owner == question.view.seat else say("Fee to {name}", name=question.name(owner))
    return (Row(to, thousands(tile.fee), note=note),)
