"""The ticket while there is trading: one’s own turn, the plan or the list, and answers for the whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.decision import Decision, Filled, Question, Request, Values
from game.boards.shapes import Option, Preview, Ticket
from game.boards.stock_market_tycoon.decisions import entries, standing, turn, words
from game.boards.stock_market_tycoon.decisions.entries import ENTRY, ListForm
from game.boards.stock_market_tycoon.decisions.preview import turn_preview
from game.boards.stock_market_tycoon.decisions.standing import KEEP, Answer
from game.boards.stock_market_tycoon.decisions.turn import TurnForm
from game.engine.language import mark, say
from game.engine.offers import Offer
from game.engine.phrases import thousands

KIND = "kind"
TURN, LIST, ANSWERS = "turn", "list", "answers"
TABS = {
    TURN: (mark("This turn"), ""),
    LIST: (mark("Plan"), mark("Save this plan")),
    ANSWERS: (mark("Automatic"), mark("Save these answers")),
}
"""The parts of the ticket, and what the button says in them; for a turn its action says that."""
SUBMIT = mark("Submit the list")
PANEL = "boards/stock_market_tycoon/panel"


class TradeForm(msgspec.Struct, frozen=True):
    """The ticket: the part that is shown, and its fields."""

    tabs: tuple[Option, ...]
    shown: str
    turn: TurnForm | None
    list: ListForm | None
    answers: tuple[Answer, ...]


class Trade(Decision):
    """A turn, or what is left for a turn to come."""

    prompt = mark("Take your turn")
    at_once = mark("Counts at once")
    names = frozenset({KIND, *turn.NAMES, f"{ENTRY}_", f"{KEEP}_"})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        match form.get(KIND) or _first_part(offers):
            case "turn":
                return turn.read_turn(form, offers)
            case "list":
                return entries.read_list(form, offers)
        return standing.read_answers(form, offers)

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        if request["kind"] in entries.HINTS:
            return {KIND: [LIST]} | entries.fill_list(request)
        if request["kind"] in standing.KINDS:
            return standing.fill_answer(request)
        return {KIND: [TURN]} | turn.fill_turn(dict(request))

    def with_defaults(self, question: Question) -> Filled:
        """The part and the action that are most likely wanted, and the amounts that the rules suggest."""
        form = question.filled
        if not form.get(KIND) or not question.is_sent:
            form = form.with_(kind=_first_part(question.offers))
        if form.get(KIND) != TURN:
            return form
        if not form.get(turn.ACT) and question.of("buy"):
            form = form.with_(act=_usual_act(question))
        return turn.with_amounts(form, question.offers)

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """Suggest the amounts again after another action or company was chosen."""
        is_new = form.get(KIND) == TURN and turn.is_drawn_anew(form)
        return turn.with_amounts(turn.without_amounts(form), offers) if is_new else form

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        if sent.get(KIND) == TURN:
            return [f"{PANEL}/_choice.html"] if turn.is_drawn_anew(sent) else []
        return [f"{PANEL}/_list.html"] if sent.get(KIND) == LIST else []

    def ticket(self, question: Question) -> Ticket:
        shown = question.filled.get(KIND)
        parts = _parts(question.offers)
        tabs = tuple(self.tab(part, shown) for part in parts)
        form = TradeForm(
            tabs=tabs if len(tabs) > 1 else (),
            shown=shown,
            turn=turn.turn_form(question) if TURN in parts else None,
            list=entries.list_form(question),
            answers=standing.answers_form(question),
        )
        is_ahead = question.is_ahead
        title = say("Plan your next turns.") if is_ahead else say("Take one action, or pass.")
        send = say("Save it for my turn") if is_ahead else say("Act and end turn")
        if parts == [ANSWERS]:
            send = say(TABS[ANSWERS][1])
        hint = say("Cash {cash}", cash=thousands(question.you.cash))
        heading = mark("For later") if is_ahead else mark("Your turn")
        return Ticket(f"{PANEL}/trade.html", title, form, self._preview(question), heading, hint, send)

    def tab(self, part: str, shown: str) -> Option:
        """A part of the ticket, with what the button says in it."""
        title, send = TABS[part]
        return Option(part, say(title), checked=part == shown, does=say(send) if send else "")

    def _preview(self, question: Question) -> Preview:
        match question.filled.get(KIND):
            case "turn":
                return turn_preview(question, question.request())
            case "list":
                return entries.list_preview(question, question.request())
        return Preview(hint=say("Tick what should always be answered for you. You can stop each at any time."))

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def _parts(offers: Sequence[Offer]) -> list[str]:
    """The parts that the ticket offers."""
    has_turn = any(offer.kind == "end_turn" for offer in offers)
    parts = {TURN: has_turn, LIST: entries.list_offer(offers) is not None, ANSWERS: bool(standing.answers_of(offers))}
    return [part for part, is_there in parts.items() if is_there]


def _usual_act(question: Question) -> str:
    """The usual action: a purchase, or a sale if nothing can be bought and something can be sold."""
    possible = (act for act in ("buy", "sell") if any(not offer.refused for offer in question.of(act)))
    return next(possible, "buy")


def _first_part(offers: Sequence[Offer]) -> str:
    return next(iter(_parts(offers)), TURN)


class Lists(Trade):
    """The list for a sub-round, filed by all at once; answers for the whole game go with it. (T-30)"""

    prompt = mark("Submit your list for this sub-round")
    at_once = mark("This counts at once")

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        return [*entries.read_list(form, offers), *standing.read_answers(form, offers)]

    def ticket(self, question: Question) -> Ticket:
        ticket = super().ticket(question)
        title, heading = say("Submit your list for this sub-round."), mark("List for the sub-round")
        return msgspec.structs.replace(ticket, title=title, heading=heading, send=say(SUBMIT))

    def tab(self, part: str, shown: str) -> Option:
        """Both parts go with one submission."""
        title = mark("List") if part == LIST else mark("Automatic")
        return Option(part, say(title), checked=part == shown, does=say(SUBMIT))

    def _preview(self, question: Question) -> Preview:
        return entries.list_preview(question, question.request("batch"))
