"""Seats are told apart by colour, pattern and letter, up to twelve of them."""

import re

import pytest

from tests.servers import ROOT

BASE, TOKENS = ((ROOT / "static" / "css" / name).read_text(encoding="utf-8") for name in ("base.css", "tokens.css"))


@pytest.mark.parametrize("number", range(1, 13))
def test_twelve_seats_have_a_colour(number: int) -> None:
    assert re.search(rf"\.p{number}\b", BASE)
    assert re.search(rf"\.you-p{number}\b", TOKENS)
