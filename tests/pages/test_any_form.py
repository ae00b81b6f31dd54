"""Whatever a form contains, its panel is drawn or refused: nothing that is sent breaks a decision of any game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from html import unescape
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from jinja2 import Environment

from game.boards.decision import BadField, Filled, Question
from game.boards.panel import Material, panel_of
from game.boards.registry import board_of
from game.boards.submissions import check_form
from game.engine import referee
from game.engine.actions import Refused
from tests.pages.panels import Controls, foresee_at, page_engine, places_at, players
from tests.rulesets.games import TABLES, Game, played

EVERY = 61  # steps of a game of which one is looked at
CHOSEN = {
    "sectors": [(2, 3), (6, 1)],
    "power_up": [(3, 1)],
    "stock_market_tycoon": [(4, 1), (3, 3), (2, 5), (6, 4)],
    "big_shoulders": [(3, 3), (4, 2)],
}
"""By ruleset: tables that show its modes."""
NOT_CHOSEN = ("ZZ", "", "-1", "99", "1.5", "٣", "²", "::", "1:x", "9" * 60)
HEADER = {"serial", "step", "token", "phase", "touched"}
GAMES = [table for table in TABLES if table[1:] in CHOSEN.get(table[0], ())]


@pytest.mark.parametrize(("key", "seats", "variant"), GAMES)
def test_a7_no_content_of_a_form_breaks_its_panel(key: str, seats: int, variant: int) -> None:
    game, engine = played(key, seats, variant), page_engine()
    before = dict[str, str]()
    for number, position in enumerate(at_decisions(game)):
        seat = min(referee.waiting_on(game.rules, position))
        material = material_of(game, position, seat)
        controls = Controls(printed(engine, material))
        for fields in filled_wrongly(controls, before, number):
            take(material, Filled(fields), position, seat)
        before |= {name: values[-1] for name, values in controls.names.items() if name not in HEADER}
    assert before


@pytest.mark.parametrize(("key", "seats", "variant"), GAMES)
def test_a_form_that_nobody_has_sent_shows_no_error(key: str, seats: int, variant: int) -> None:
    """What is still missing as it is opened is no mistake."""
    game, engine, missing = played(key, seats, variant), page_engine(), []
    for position in at_decisions(game):
        seat = min(referee.waiting_on(game.rules, position))
        material = material_of(game, position, seat)
        html = unescape(printed(engine, material))
        assert 'role="alert"' not in html
        assert html.count("say--no") == html.count('id="closed-note"')
        missing += missing_in(material)
        assert not [text for text in missing_in(material) if text in html]
    assert missing or key in {"power_up", "sectors"}, "forms of these games begin with what can be sent"


def missing_in(material: Material) -> list[str]:
    """What a form says if it is sent as it is opened; empty if it can be."""
    decision = material.board.decision_of(material.view)
    question = Question(material.view, material.offers, material.seats, Filled())
    try:
        decision.read(decision.with_defaults(question), material.offers)
    except BadField as bad:
        return [bad.text]
    return []


def at_decisions(game: Game) -> Iterator[Any]:
    """Some positions of a game, among them the first of each phase."""
    phases = set[str]()
    for number, step in enumerate(game.steps):
        phase = referee.phase_of(game.rules, step.before)
        if phase is not None and referee.waiting_on(game.rules, step.before):
            if number % EVERY == 0 or phase.name not in phases:
                yield step.before
            phases.add(phase.name)


def material_of(game: Game, position: Any, seat: int) -> Material:
    board, view = board_of(game.rules.key), game.rules.view(position, seat)
    offers = referee.offers(game.rules, position, seat, explained=True)
    foresee = partial(foresee_at, board, position, seat)
    return Material(board, view, places_at(players(position), seat), offers, foresee=foresee)


def printed(engine: Environment, material: Material) -> str:
    context = {
        "view": material.view,
        "seats": material.seats,
        "you": next(seat for seat in material.seats if seat.is_you),
        "board": material.board,
        "game": SimpleNamespace(
            name="The Tuesday Club", pk=7, ruleset=material.board.rules.key, options={}, is_solo=False
        ),
        "user": SimpleNamespace(stays_ready=False, shortcuts=True, is_guest=False),
        "panel": panel_of(material),
        "standstill": "",
        "is_asked": False,
        "csrf_token": "token",
        "oob": False,
    }
    return engine.get_template("table/panel/answer.html").render(context)


def filled_wrongly(controls: Controls, before: dict[str, str], number: int) -> Iterator[dict[str, list[str]]]:
    """The form with one field wrong: what nothing is named, what another field takes, nothing at all, and fields of
    another phase. Radio buttons and lists are walked through, so that each part of a form is open at some time."""
    names = [name for name in controls.names if name not in HEADER]
    choices = {name: controls.names[name] for name in names if len(set(controls.names[name])) > 1}
    turns = max(map(len, choices.values()), default=1)
    for turn in range(min(turns, 6)):
        sent = controls.sent | {name: [values[turn % len(values)]] for name, values in choices.items()}
        for place, name in enumerate(names):
            other = names[(place + 1) % len(names)]
            wrong = NOT_CHOSEN[(number + turn + place) % len(NOT_CHOSEN)]
            for value in (wrong, controls.names[other][-1]):
                yield sent | {name: [value]}
            yield {each: values for each, values in sent.items() if each != name}
        yield sent | {name: [value] for name, value in before.items()}


def take(material: Material, form: Filled, position: Any, seat: int) -> None:
    """What the site does with a form that is sent or saved."""
    board, view = material.board, material.view
    decision = board.decision_of(view)
    with suppress(Refused):
        fitted = decision.fit(form, view, material.offers)
        decision.redrawn(form, fitted)
        check_form(board, decision, fitted)
        decision.ahead(fitted, material.offers)
        for request in decision.read(fitted, material.offers):
            referee.check(board.rules, position, board.rules.parse(request, seat))
    with suppress(Refused):
        panel_of(msgspec.structs.replace(material, filled=form))
