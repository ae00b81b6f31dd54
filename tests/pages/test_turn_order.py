"""The strip that says who acts after whom."""

import re
from types import SimpleNamespace

from game.boards.base import Board, Step
from game.boards.registry import board_of
from game.engine import referee
from game.engine.chance import Chance
from tests.pages.panels import page_engine, places_at
from tests.toy.ruleset import TOY


def strip(board: object, view: object, seats: int) -> list[str]:
    """The entries of the strip as they are read, each after its class."""
    names = [f"<Player {number}>" for number in range(seats)]
    page = page_engine().get_template("table/_order.html").render(board=board, view=view, seats=places_at(names, 0))
    rows = re.findall(r"<li( class=\"[\w-]+\")?[^>]*>(.*?)</li>", page, re.DOTALL)
    return [f"{css.strip()} {re.sub(r'<[^>]*>', ' ', inner)}".split() for css, inner in rows]  # type: ignore[misc]


def test_who_acts_now_and_who_has_acted_are_marked() -> None:
    order = (Step(1, has_acted=True), Step(0, is_now=True, note="dealer"), Step(2))
    rows = strip(Board(TOY, order=lambda view: order), SimpleNamespace(), 3)
    assert [row[0] if row[0].startswith("class") else "" for row in rows] == ['class="is-done"', 'class="is-now"', ""]
    assert rows[1][-1] == "dealer"
    assert [name in " ".join(row) for name, row in zip(("1", "You", "2"), rows, strict=True)] == [True] * 3


def test_power_up_names_everybody_in_the_order_of_turns() -> None:
    board = board_of("power_up")
    rules = board.rules
    position = referee.start(rules, rules.parse_options({}), 3, Chance("order")).position
    view = rules.view(position, 0)
    rows = strip(board, view, 3)
    assert len(rows) == 3
    assert [row[0] == 'class="is-now"' for row in rows] == [seat == view.acting for seat in view.order]


def test_a_game_without_an_order_has_no_strip() -> None:
    assert strip(Board(TOY), SimpleNamespace(), 2) == []
