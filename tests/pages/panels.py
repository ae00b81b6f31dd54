"""Draws decision panels from positions and reads their forms as a browser would."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

from django.template import engines
from django.template.backends.jinja2 import Jinja2
from jinja2 import Environment

from game.boards.base import Board
from game.boards.decision import Filled
from game.boards.panel import Material, filled_with, panel_of
from game.boards.registry import board_of
from game.boards.shapes import Panel
from game.engine import names, referee, selfplay
from game.engine.chance import Chance
from game.engine.offers import Choice, Flag, Range, Several, Split
from game.rulesets.sectors.ruleset import SECTORS as RULES
from game.store.badges import SeatBadge


def page_engine() -> Environment:
    """The site's own; a name that a template does not know is an error in it."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    return engine.env


def places_at(names: Sequence[str], you: int | None) -> list[SeatBadge]:
    """The seats of a page, persons all."""
    return [SeatBadge(n, name, f"p{n + 1}", name.strip("<")[0], n == you, is_bot=False) for n, name in enumerate(names)]


def players(position: Any) -> list[str]:
    """Names that show where a page forgets to escape one."""
    return [f"<Player {n}>" for n in range(position.state.seats)]


BOARD = board_of("sectors")


def panel(position: Any, seats: Sequence[SeatBadge], seat: int | None = 0, **more: Any) -> Panel:
    """The panel of one seat."""
    offers = [] if seat is None else referee.offers(RULES, position, seat, explained=True)
    return panel_of(Material(BOARD, RULES.view(position, seat), seats, offers, **more))


def filled(position: Any, requests: Sequence[dict[str, Any]], seat: int = 0) -> Filled:
    """The form that makes these requests."""
    return filled_with(BOARD, RULES.view(position, seat), requests, referee.offers(RULES, position, seat))


def drawn(engine: Environment, position: Any, seat: int | None, **extra: Any) -> str:
    """Panel and ballots as one page part."""
    user = extra.get("user") or SimpleNamespace(stays_ready=False, shortcuts=True, is_guest=False)
    seats = places_at(players(position), seat)
    known = {"draft": None, "deadline": None, "filled": None, "refusal": None, "message": ""}
    given = {name: extra.pop(name, default) for name, default in known.items()}
    context = {
        "view": RULES.view(position, seat),
        "seats": seats,
        "you": None if seat is None else seats[seat],
        "board": BOARD,
        "game": SimpleNamespace(name="The <Tuesday> Consortium", pk=7, ruleset="sectors", options={}, is_solo=False),
        "standstill": "",
        "user": user,
        "is_asked": False,
        "csrf_token": "token",
        "oob": False,
        "panel": panel(position, seats, seat, stays_ready=user.stays_ready, token="token", **given),
        **extra,
    }
    return engine.get_template("table/panel/answer.html").render(context)


def foresee_at(board: Board, position: Any, seat: int, *requests: dict[str, Any]) -> Any:
    """What a seat would see after these requests, one after another; None where that cannot be foreseen."""
    after = position
    for request in requests:
        after = after and referee.foresee(board.rules, after, board.rules.parse(request, seat))
    return after and board.rules.view(after, seat)


def panel_at(board: Board, position: Any, seat: int | None, **more: Any) -> Panel:
    """The panel of any game's table, with previews for who sits there."""
    rules = board.rules
    offers = [] if seat is None or position.is_over else referee.offers(rules, position, seat, explained=True)
    ahead = {} if seat is None else {"foresee": partial(foresee_at, board, position, seat)}
    places = places_at(players(position), seat)
    return panel_of(Material(board, rules.view(position, seat), places, offers, **ahead, **more))


NO_HISTORY: dict[str, Any] = {"labels": [], "prices": {}, "worth": {}, "opening": {}}


def table_at(
    engine: Environment,
    board: Board,
    position: Any,
    seat: int | None,
    *,
    history: dict[str, Any] = NO_HISTORY,
    **more: Any,
) -> str:
    """The whole page's table of any game: panel and board."""
    places = places_at(players(position), seat)
    context = {
        "view": board.rules.view(position, seat),
        "seats": places,
        "you": None if seat is None else places[seat],
        "board": board,
        "device": None,
        "game": SimpleNamespace(
            name="The <Tuesday> Club",
            pk=7,
            ruleset=board.rules.key,
            options={},
            secret_hash="70" * 32,
            status="running",
            is_over=False,
            is_copy=False,
            is_solo=False,
            device_seats=0,
            rules=board.rules,
        ),
        "history": SimpleNamespace(**history),
        "user": SimpleNamespace(stays_ready=False, shortcuts=True, is_guest=False),
        "standstill": "",
        "is_asked": False,
        "csrf_token": "token",
        "oob": False,
        "log": [],
        "older": None,
        "push": None,
        "latest": None,
        "socket_url": "",
        "version": "1.1",
        "panel": panel_at(board, position, seat, token="token", **more),
    }
    return engine.get_template("table/_table.html").render(context)


class Controls(HTMLParser):
    """The fields of the form with id `ticket`, with what a person may put in and what a browser would send
    untouched."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: dict[str, list[str]] = {}
        self.sent: dict[str, list[str]] = {}
        self.buttons: list[str] = []
        self._form, self._select = "", ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = at.get("id", "")
        if tag == "button" and at.get("form", self._form) == "ticket" and "name" in at:
            self.buttons.append(at["value"])
        if tag == "option" and self._select:
            self._note(self._select, at["value"], "selected" in at)
        if "disabled" in at or "name" not in at or at.get("form", self._form) != "ticket":
            return
        if tag == "select":
            self._select = at["name"]
        elif tag == "input":
            boxed = at.get("type") in {"radio", "checkbox"}
            self._note(at["name"], at.get("value", "on"), not boxed or "checked" in at)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = ""
        if tag == "select":
            self._select = ""

    def _note(self, name: str, value: str, is_sent: bool) -> None:
        self.names.setdefault(name, []).append(value)
        if is_sent:
            self.sent.setdefault(name, []).append(value)


def asked_by(offer: Any, seat: int) -> dict[str, Any]:
    """The request an offer stands for, its open fields at their first value."""
    request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        match field:
            case Range():
                request[field.name] = max(field.low, field.suggested)
            case Choice():
                request[field.name] = field.values[0][0] if field.values else None
            case Flag():
                request[field.name] = True
            case Several():
                request[field.name] = ["veto"]
            case Split() if "tranche" not in offer.fixed:  # said ahead, all of the cash is kept
                request[field.name] = {str(other): 1 for other in field.seats if other != seat and field.total > 3}
    if offer.kind == "contribute":
        request["cash" if offer.fields[0].high else "shares"] = 1
    return {name: value for name, value in request.items() if value is not None}


def check_page(page: str) -> None:
    assert "<Player" not in page
    assert "<Tuesday" not in page
    assert not re.search(r'\s(style|on\w+)="', page), "a strict content security policy blocks it"
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids)), [name for name, count in Counter(ids).items() if count > 1]
    for label in re.findall(r'<label[^>]*\sfor="([^"]+)"', page):
        assert label in ids


FIELDS: dict[str, Any] = {
    "bid_influence": lambda r: ["points"],
    "pledge_headline": lambda r: ["headline"],
    "vote_tranche": lambda r: ["tranche"],
    "distribute_tranche": lambda r: ["prize"] if "tranche" in r else [f"cash_{seat}" for seat in r["cash"]],
    "stop_ordering": lambda r: ["done"],
    "vote_full_revenue": lambda r: ["always"],
    "market_order": lambda r: (
        ["first", "first_quantity"] if "ready" in r else ["kind", "company", "side", "location", "quantity"]
    ),
    "limit_order": lambda r: ["kind", "company", "side", "value", "quantity"],
    "short_order": lambda r: ["kind", "company", "quantity"],
    "option_order": lambda r: ["kind", "contract"],
    "standing_order": lambda r: (
        ["first", "first_quantity", "first_value"] if "ready" in r else ["kind", "company", "side", "value", "quantity"]
    ),
    "cover_short": lambda r: ["cover"],
    "exercise_option": lambda r: ["exercise"],
    "vote_revenue": lambda r: [f"vote_{r['company']}"],
    "vote_actions": lambda r: [f"actions_{r['company']}"],
    "contribute": lambda r: ["cash", "shares", "sure"],
}


def check_offer(page: str, position: Any, seat: int, offer: Any) -> None:
    """What the offer asks can be put into the printed form, and comes out of it as the same request."""
    wanted = asked_by(offer, seat)
    if offer.kind in RULES.view(position, seat).lasting and offer.label in page:
        return  # it holds already, and stands in the list of what lasts
    together = [wanted]
    if offer.kind == "distribute_tranche" and "tranche" in wanted:  # it goes with the vote for that tranche
        together.append({"kind": "vote_tranche", "tranche": wanted["tranche"]})
    controls, form = Controls(page), filled(position, together, seat)
    for name in [*FIELDS[offer.kind](wanted)]:
        assert name in controls.names, (offer.kind, name)
    chosen = {name: form.several(name) for name in controls.names if form.several(name)}
    untouched = {name: strings for name, strings in controls.sent.items() if not name.startswith("ready_")}
    for name, strings in chosen.items():
        boxed = len(controls.names[name]) > 1
        assert not boxed or set(strings) <= set(controls.names[name]), (name, strings)
    sent = Filled({**untouched, **chosen, "sure": ["on"]})
    phase = RULES.view(position, seat).phase.name
    made = BOARD.decision(phase).read(sent, referee.offers(RULES, position, seat))
    assert wanted in made
    names.check(RULES.parse(wanted, seat), position.state)


def random_game(seed: str, seats: int, **options: Any) -> Iterator[Any]:
    """Positions of a game of random bots, each with a decision, and the last."""
    chance, bots = Chance(seed), [RULES.bots["random"]] * seats
    position = referee.start(RULES, RULES.parse_options(options), seats, chance).position
    while not position.is_over:
        yield position
        _, outcome = selfplay.step(RULES, position, bots, chance)
        position = outcome.position
    yield position
