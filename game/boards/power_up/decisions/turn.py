"""A turn: one action after another, each chosen from the map, the hand or the list of companies. (PU 3, 4)"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Decision, Request, Values
from game.boards.fields import LONGEST_SHOWN, BadField, Filled, offer_of
from game.boards.power_up.decisions.form import ALL, BUY, DRAW, END, MOVE, form_of
from game.boards.power_up.decisions.preview import preview_of
from game.boards.shapes import Asked, Sure, Ticket
from game.engine.offers import Offer, is_asked
from game.engine.phrases import thousands
from game.rulesets.power_up.tables.companies import COMPANIES

TILE = re.compile(r"[A-J][0-9]")
NAMED = ("found", "survivor")
SURE = Sure("sure", "Yes, end my turn")
SURE_OF_THE_END = Sure("sure_end", "Yes, end the game")


class TakeTurn(Decision):
    """The one decision of Power Up."""

    prompt = "Take your turn"
    names = frozenset({MOVE, *NAMED, "final", "ending", SURE.name, SURE_OF_THE_END.name})
    at_once = "Each action counts at once"

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
            f"There is no such move as “{move[:LONGEST_SHOWN]}”. Choose a tile, a company, a draw or the end.",
            "PU 3",
        )

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        named = {name: [str(request[name])] for name in NAMED if request.get(name)}
        if request["kind"] == "play_tile":
            return {MOVE: [str(request["tile"])], **named}
        return {MOVE: [f"{BUY}{request['company']}" if request["kind"] == "buy" else str(request["kind"])]}

    def confirm(self, wanted: Sequence[Request], form: Filled) -> None:
        super().confirm(wanted, form)
        if form.get(MOVE) in form.get("ending").split():
            _ask(SURE_OF_THE_END, "This ends the game", "PU 5", form)
        elif form.get("final") == ALL or wanted[0]["kind"] == END:
            _ask(SURE, "This ends your turn", "P-18", form)

    def ticket(self, asked: Asked) -> Ticket:
        cash = f"Cash {thousands(asked.you.cash)}"
        form = form_of(asked)
        template = "boards/power_up/panel/turn.html"
        sure = (SURE_OF_THE_END, SURE)
        return Ticket(template, _title(asked), form, preview_of(asked), "Your action", cash, "Take action", sure=sure)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        match request["kind"]:
            case "play_tile":
                named = [COMPANIES.get(request.get(name) or "") for name in NAMED]
                found, survivor = (card.title if card else "" for card in named)
                more = f" and found {found}" if found else f", {survivor} survives" if survivor else ""
                return f"play {request['tile']}{more}"
            case "buy":
                return f"buy a share of {COMPANIES[request['company']].title}"
            case "draw":
                return "draw tiles"
            case _:
                return "end the turn"


def _ask(sure: Sure, what: str, rule: str, form: Filled) -> None:
    """Refuse what is not confirmed."""
    if not form.get(sure.name):
        raise BadField(sure.name, f"{what} and cannot be taken back. Tick “{sure.text}” first.", rule)


def _played(tile: str, form: Filled, offers: Sequence[Offer]) -> Request:
    """The tile, with the company that its cell calls for; the rules say what is missing."""
    request: Request = {"kind": "play_tile", "tile": tile}
    offer = offer_of(offers, "play_tile")
    for field in offer.fields if offer else ():
        if field.name in NAMED and is_asked(field, request) and form.get(field.name):
            request[field.name] = form.get(field.name)
    return request


def _title(asked: Asked) -> str:
    """What can be done now."""
    open_kinds = {offer.kind for offer in asked.offers if not offer.refused}
    verbs = {"play_tile": "play a tile", "buy": "buy a share", "draw": "draw", "end_turn": "end your turn"}
    said = [words for kind, words in verbs.items() if kind in open_kinds]
    text = said[0] if len(said) == 1 else f"{', '.join(said[:-1])} or {said[-1]}"
    return f"{text[:1].upper()}{text[1:]}."
