"""A board asks several things in one phase, as nested bonuses do."""

from dataclasses import dataclass

from game.boards.auto import AutoDecision
from game.boards.base import Board
from game.boards.decision import Filled
from game.boards.panel import Material, panel_of
from game.boards.submissions import actions_of
from game.engine import referee
from game.engine.chance import Chance
from game.engine.position import AnyPosition
from tests.engine.test_turns import at_turns
from tests.toy.actions import Draw, Place
from tests.toy.ruleset import TOY


@dataclass(frozen=True)
class Seat:
    name: str
    is_bot: bool = False
    keeper: str = ""
    is_you: bool = False


class First(AutoDecision):
    prompt = "Do the first thing"


class Second(AutoDecision):
    prompt = "Do the second thing"


BOARD = Board(
    TOY,
    decisions={"first": First(), "second": Second()},
    asks=lambda view: "second" if view.phase.step else "first",
)


def prompt_at(position: AnyPosition) -> str:
    view = TOY.view(position, 0)
    offers = referee.offers(TOY, position, 0)
    assert panel_of(Material(BOARD, view, [Seat("ada"), Seat("ben")], offers)).ticket is not None
    return BOARD.prompt(view)


def test_what_is_asked_goes_by_the_view() -> None:
    position = at_turns()
    assert prompt_at(position) == "Do the first thing"
    later = referee.apply(TOY, position, Place(actor=0, card=3, cell="A1"), Chance("toy")).position
    assert prompt_at(later) == "Do the second thing"


def test_a_form_is_read_by_the_decision_that_is_asked() -> None:
    class Draws(AutoDecision):
        names = frozenset({"pick"})

        def read(self, form: Filled, offers: object) -> list[dict[str, object]]:
            return [{"kind": "draw"}] if form.get("pick") else []

    board = Board(TOY, decisions={"draws": Draws()}, asks=lambda view: "draws")
    position = at_turns()
    form = Filled({"do": ["submit"], "pick": ["on"]})
    assert actions_of(board, position, 0, form, lambda: referee.offers(TOY, position, 0)) == [Draw(actor=0)]
