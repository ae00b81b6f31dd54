"""The form of the building phase: one tile of the hand is built, another discarded. (BS 6.1)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from game.boards.big_shoulders.decisions import words
from game.boards.decision import BadField, Decision, Filled, Missing, Question, Request, Values, one_of
from game.boards.shapes import Preview, Row, Say, Ticket
from game.engine.language import count, mark, say
from game.engine.offers import Offer
from game.rulesets.big_shoulders.descriptions import effect_in_words
from game.rulesets.big_shoulders.effects import TILES
from game.rulesets.big_shoulders.tables import DECADES

PANEL = "boards/big_shoulders/panel"
BUILD, DISCARD = "build", "discard"


class HandTile(msgspec.Struct, frozen=True):
    """A tile of the hand: what it does, what its owner gets and from whom, and what is chosen for it."""

    tile: int
    does: str
    fee: int
    is_paid_by_bank: bool
    workers: int
    is_built: bool
    is_discarded: bool


class Build(Decision):
    """All choose in secret, and all tiles are revealed together."""

    prompt = mark("Choose one tile to build and one to discard")
    names = frozenset({BUILD, DISCARD})

    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        if not form.get(BUILD) and not form.get(DISCARD):
            return []
        tiles = [str(offer.fixed["build"]) for offer in offers if offer.kind == "choose"]
        if not form.get(BUILD):
            raise Missing(BUILD, "Choose the tile to build.", "BS 6.1")
        build = one_of(form, BUILD, mark("The tile that you build"), tiles, rule="BS 6.1")
        if not form.get(DISCARD):
            raise Missing(DISCARD, "Choose the tile to discard.", "BS 6.1")
        discard = one_of(form, DISCARD, mark("The tile that you discard"), tiles, rule="BS 6.1")
        if build == discard:
            raise BadField(DISCARD, "You cannot build and discard the same tile: choose two tiles.", "BS 6.1")
        return [{"kind": "choose", "build": int(build), "discard": int(discard)}]

    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        return {BUILD: [str(request["build"])], DISCARD: [str(request["discard"])]}

    def with_defaults(self, question: Question) -> Filled:
        """The form in which the tile to discard gives way to the other one, if it was just chosen to be built."""
        form = question.filled
        hand = [str(tile) for tile in question.you.hand]
        if form.get(BUILD) and form.get(BUILD) == form.get(DISCARD):
            return form.with_(discard=next(tile for tile in hand if tile != form.get(BUILD)))
        return form

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        return [f"{PANEL}/_building.html"]

    def ticket(self, question: Question) -> Ticket:
        hand = tuple(_tile(question, tile) for tile in question.you.hand)
        title = say("Choose one tile to build and one to discard.")
        stays = _stays(question)
        return Ticket(
            f"{PANEL}/building.html", title, hand, _preview(question), mark("Building"), stays, say("Submit"), skip=""
        )

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        return words.sentence(request, view)


def _tile(question: Question, tile: int) -> HandTile:
    row, form = TILES[tile], question.filled
    return HandTile(
        tile,
        effect_in_words(row.effect),
        row.fee,
        row.is_paid_by_bank,
        row.workers,
        form.get(BUILD) == str(tile),
        form.get(DISCARD) == str(tile),
    )


def _stays(question: Question) -> str:
    if question.view.turn == DECADES:
        return say("the third leaves the game too")
    return say("the third stays in your hand")


def _preview(question: Question) -> Preview:
    request = question.request()
    if request is None:
        text = question.bad.text if question.bad is not None and question.is_sent else ""
        rule = question.bad.rule if question.bad is not None else ""
        hint = say("A company that places a partner on your tile pays you, or the bank does.")
        return Preview(says=(Say(text, rule),) if text else (), hint=hint)
    row = TILES[request["build"]]
    payer = say("from the bank") if row.is_paid_by_bank else say("from the company that uses it")
    workers = count("{n} worker", "{n} workers", row.workers)
    rows = [Row(say("Each use brings you"), str(row.fee), note=payer)]
    if row.workers:
        rows.append(Row(say("To the job market"), workers))
    return Preview(say("If you build tile {tile}", tile=request["build"]), tuple(rows))
