"""Every name in a request is looked up before the rules see it, wherever it stands; what the rules fill no request
has."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
import pytest

from game.engine import ahead, names, referee, requests
from game.engine.actions import Action, ByRules, Refused
from game.engine.names import Named, naming
from tests.engine.toy import CHANCE, LAST, TOY, begin

COLOUR = Named(
    "There is no colour {name}. Choose one of {known}.", "T 7", "no_such_colour", lambda state, seat: ["red"]
)
PIECE = Named("Of {count} pieces none is {name}.", "T 8", "no_such_piece", lambda state, seat: range(seat + 1))
Colour = Annotated[str, naming(COLOUR)]
Piece = Annotated[int, msgspec.Meta(ge=0), naming(PIECE)]


class Part(msgspec.Struct, forbid_unknown_fields=True):
    piece: Piece
    inner: list[Part] = []


class Paint(Action, frozen=True, kw_only=True, tag="paint"):
    """Names in all places where they can stand; its own check would break on those that nothing bears."""

    plain: Colour = "red"
    maybe: Colour | None = None
    either: Colour | Piece = "red"
    several: list[Colour] = []
    pairs: tuple[tuple[Piece, ...], ...] = ()
    by_name: dict[Colour, int] = {}
    named: dict[str, Piece] = {}
    part: Part | None = None
    before: ByRules[dict[Colour, int]] = {}
    title: ClassVar[str] = "Paint"

    def check(self, state: Any) -> None:
        for colour in (self.plain, *self.several, *self.by_name):
            {"red": 1}[colour]


def paint(**fields: Any) -> Action:
    return requests.read({"kind": "paint", **fields}, Paint, rule="T 1")


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("plain", "blue", "no_such_colour"),
        ("maybe", "blue", "no_such_colour"),
        ("either", "blue", "no_such_colour"),
        ("either", 4, "no_such_piece"),
        ("several", ["red", "blue"], "no_such_colour"),
        ("pairs", [[0], [0, 9]], "no_such_piece"),
        ("by_name", {"red": 1, "blue": 2}, "no_such_colour"),
        ("named", {"blue": 5}, "no_such_piece"),
        ("part", {"piece": 0, "inner": [{"piece": 0}, {"piece": 0, "inner": [{"piece": 8}]}]}, "no_such_piece"),
    ],
)
def test_what_does_not_exist_is_refused_with_its_field(field: str, value: Any, code: str) -> None:
    with pytest.raises(Refused) as refused:
        names.check(paint(**{field: value}), None)
    assert (refused.value.field, refused.value.code) == (field, code)


def test_what_exists_reaches_the_rules() -> None:
    part = {"piece": 0, "inner": [{"piece": 0}]}
    action = paint(maybe="red", either=0, several=["red"], pairs=[[0]], by_name={"red": 1}, named={"x": 0}, part=part)
    result = msgspec.structs.replace(action, actor=0)
    assert [field for field, _, _ in names.names_in(result)] == [
        "plain", "maybe", "either", "several", "pairs", "by_name", "named", "part", "part",
    ]  # fmt: skip
    names.check(result, None)


@pytest.mark.parametrize(
    ("name", "said"),
    [("blue", "blue"), ("b\x00lue\u202e", "blue"), ("\ud800", ""), ("x" * 5000, "x" * names.LONGEST_REPEATED)],
)
def test_a_refusal_repeats_a_name_as_far_as_that_is_text(name: str, said: str) -> None:
    with pytest.raises(Refused, match=rf"There is no colour {said}\. Choose one of red\.") as refused:
        names.check(paint(plain=name), None)
    assert refused.value.facts == {"name": said, "known": "red"}


@pytest.mark.parametrize("field", ["before", "actor"])
def test_no_request_has_a_field_that_the_rules_fill(field: str) -> None:
    with pytest.raises(Refused, match=f"has no field “{field}”") as refused:
        paint(**{field: {"red": 1}})
    assert refused.value.code == "unknown_field"


def test_what_is_stored_has_the_fields_that_the_rules_fill() -> None:
    stored = Paint(actor=1, several=["red"], before={"red": 3})
    encoded = msgspec.msgpack.encode(stored)
    assert msgspec.msgpack.decode(encoded, type=Paint) == stored
    assert requests.request_of(stored) == {"kind": "paint", "several": ["red"]}
    assert requests.filled_in(Paint) == {"actor", "rests_in", "before"}


@pytest.mark.parametrize("ask", [referee.check, lambda *args: referee.apply(*args, CHANCE)])
def test_the_referee_looks_names_up(ask: Any) -> None:
    position = referee.close(TOY, referee.close(TOY, begin().position, CHANCE).position, CHANCE).position
    ask(TOY, position, TOY.parse({"kind": "answer", "to": "a"}, 0))
    with pytest.raises(Refused, match="There is no question q") as refused:
        ask(TOY, position, TOY.parse({"kind": "answer", "to": "q"}, 0))
    assert refused.value.field == "to"


def test_an_input_ahead_whose_name_is_gone_is_dropped() -> None:
    """Its own check trusts that there is what it names."""
    held = {0: {"paint": Paint(actor=0, plain="blue"), "again": Paint(actor=0, plain="red")}}
    met = ahead.meet(LAST, None, held)
    assert list(met.pending[0]) == ["again"]
    assert [(event.seat, event.kind, event.why) for event in met.events] == [(0, "paint", COLOUR.refusal)]
