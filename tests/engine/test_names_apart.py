"""Words that are written from right to left turn nothing beside them round: each stands alone in its sentence."""

import pytest

from game.engine.events import ActionTakenBack
from game.engine.language import apart, count, say, say_as
from game.engine.phrases import either, listed

NOA, DAVID = "נועה", "דוד"


def test_each_stands_alone_in_a_sentence() -> None:
    assert say("{name} bought {n} shares.", name=NOA, n=338) == f"\u2068{NOA}\u2069 bought 338 shares."
    assert say_as("seat", "{name} 2", name=NOA) == f"\u2068{NOA}\u2069 2"
    assert count("{name}: {n} share", "{name}: {n} shares", 2, name=NOA) == f"\u2068{NOA}\u2069: 2 shares"


def test_each_stands_alone_in_the_log() -> None:
    assert f"\u2068{NOA}\u2069" in ActionTakenBack(seat=0, step=1).sentence(lambda seat: NOA)


def test_each_stands_alone_in_a_list() -> None:
    assert listed([NOA, "Ben", DAVID]) == f"\u2068{NOA}\u2069, Ben and \u2068{DAVID}\u2069"
    assert either([NOA, "Ben"]) == f"\u2068{NOA}\u2069 or Ben"


def test_a_name_with_a_full_stop_brings_that_of_its_sentence() -> None:
    swift = "Swift & Co."
    assert say("Operate {company}.", company=swift) == "Operate Swift & Co."
    assert count("{n} of {company}. Why?", "{n} of {company}. Why?", 2, company=swift) == "2 of Swift & Co. Why?"
    assert say("{company} pays {company}.", company=swift) == "Swift & Co. pays Swift & Co."
    assert say("{company}: {text}.", company=swift, text="no") == "Swift & Co.: no."


@pytest.mark.parametrize("name", ["Ben", "Jürgen", "Аня", "花子", "", 338, None])
def test_everything_else_stays_as_it_is(name: object) -> None:
    assert apart(name) == name
