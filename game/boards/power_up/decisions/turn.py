"""A turn: one action after another, each chosen from the map, the hand or the list of companies. (PU 3, 4)"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import LONGEST_SHOWN, BadField, Decision, Filled, Question, Request, Values, offer_of
from game.boards.power_up.decisions.form import BUY, DRAW, END, MOVE, form_of
from game.boards.power_up.decisions.preview import preview_of
from game.boards.shapes import Sure, Ticket
from game.engine.language import mark, say
from game.engine.offers import Choice, Offer, is_asked
from game.engine.phrases import capitalised, either, thousands
from game.rulesets.power_up.tables import COMPANIES

TILE = re.compile(r"[A-J][0-9]")
NAMED = ("found", "survivor")
SURE = Sure("sure_end", mark("Yes, end the game"))
UNSURE = mark("This ends the game and cannot be taken back. Tick “{box}” first.")
NO_TILE = mark("Choose an action.")  # where no tile can be played
VERBS = {
    "play_tile": mark("play a tile"),
    "buy": mark("buy a share"),
    "draw": mark("draw"),
    "end_turn": mark("end your turn"),
}


class TakeTurn(Decision):
    """The one decision of Power Up."""

    prompt = mark("Take your turn")
    names = frozenset({MOVE, *NAMED, "ending", SURE.name})
    at_once = mark("Each action counts at once")
    choice = (MOVE, mark("Choose a tile or another action."))

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        move = form.get(MOVE)
        if not move:
            return []
        if move in {DRAW, END}:
            return [{"kind": move}]
        company = move.removeprefix(BUY)
        if move.startswith(BUY) and company in COMPANIES:
            return [{"kind": "buy", "company": company}]
        if TILE.fullmatch(move):
            return [_played(move, form, offers)]
        raise BadField(
            MOVE,
            "There is no move “{move}”. Choose a tile or a company, draw, or end your turn.",
            "PU 3",
            move=move[:LONGEST_SHOWN],
        )

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        named = {name: [str(request[name])] for name in NAMED if request.get(name)}
        if request["kind"] == "play_tile":
            return {MOVE: [str(request["tile"])], **named}
        return {MOVE: [f"{BUY}{request['company']}" if request["kind"] == "buy" else str(request["kind"])]}

    def with_defaults(self, question: Question) -> Filled:
        """The form with a company filled in where only one can be named."""
        filled, offer = question.filled, offer_of(question.offers, "play_tile")
        for field in offer.fields if offer else ():
            if isinstance(field, Choice) and field.name in NAMED and len(field.values) == 1:
                filled = filled.with_(**{field.name: str(field.values[0][0])})
        return filled

    def confirm(self, wanted: Sequence[Request], form: Filled) -> None:
        super().confirm(wanted, form)
        if form.get(MOVE) in form.get("ending").split() and not form.get(SURE.name):
            raise BadField(SURE.name, UNSURE, "PU 5", box=say(SURE.text))

    def asked(self, question: Question) -> tuple[str, str]:
        return self.choice if "play_tile" in _open_kinds(question) else (MOVE, NO_TILE)

    def ticket(self, question: Question) -> Ticket:
        cash = say("Cash {cash}", cash=thousands(question.you.cash))
        form = form_of(question)
        template = "boards/power_up/panel/turn.html"
        heading = say("Your last action") if form.is_last else say("Your action")
        send = say("Take action and end turn") if form.is_last else say("Take action")
        sure = (Sure(SURE.name, say(SURE.text)),) if form.ending else ()
        return Ticket(
            template, _title(question), form, preview_of(question), heading, cash, send, beside=form, sure=sure
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        match request["kind"]:
            case "play_tile":
                named = [COMPANIES.get(request.get(name) or "") for name in NAMED]
                founded_title, survivor = (card.title if card else "" for card in named)
                return _playing(request["tile"], founded_title, survivor)
            case "buy":
                return say("buy a share of {company}", company=COMPANIES[request["company"]].title)
            case "draw":
                return say("draw tiles")
            case _:
                return say("end the turn")


def _playing(tile: str, found: str, survivor: str) -> str:
    if found:
        return say("play {tile} and found {company}", tile=tile, company=found)
    if survivor:
        return say("play {tile}, {company} survives", tile=tile, company=survivor)
    return say("play {tile}", tile=tile)


def _played(tile: str, form: Filled, offers: Sequence[Offer]) -> Request:
    """The tile, with the company if its cell needs one; the rules refuse an incomplete choice."""
    request: Request = {"kind": "play_tile", "tile": tile}
    offer = offer_of(offers, "play_tile")
    for field in offer.fields if offer else ():
        if field.name in NAMED and is_asked(field, request) and form.get(field.name):
            request[field.name] = form.get(field.name)
    return request


def _open_kinds(question: Question) -> set[str]:
    return {offer.kind for offer in question.offers if not offer.refused}


def _title(question: Question) -> str:
    """The actions that are possible now."""
    open_kinds = _open_kinds(question)
    return f"{capitalised(either(say(words) for kind, words in VERBS.items() if kind in open_kinds))}."
