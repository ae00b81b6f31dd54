"""On the stock chart a company of mine differs from others by more than a shade, from every seat, in both themes."""

from __future__ import annotations

import re

import pytest

from tests.servers import ROOT

TOKENS = (ROOT / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
BOARD = (ROOT / "static" / "css" / "boards" / "sectors.css").read_text(encoding="utf-8")
LEAST = 3.0  # WCAG 1.4.11, of graphics
Colour = tuple[int, ...]


def named(name: str, theme: int) -> Colour:
    """A colour of the tokens: light is theme 0, dark 1."""
    found = re.search(rf"--{name}: light-dark\((#\w{{6}}), (#\w{{6}})\)", TOKENS)
    assert found, name
    return tuple(int(found[theme + 1][at : at + 2], 16) for at in (1, 3, 5))


def mixed(first: Colour, percent: int, second: Colour) -> Colour:
    return tuple(round(a * percent / 100 + b * (100 - percent) / 100) for a, b in zip(first, second, strict=True))


def luminance(colour: Colour) -> float:
    shares = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return sum(weight * share for weight, share in zip((0.2126, 0.7152, 0.0722), shares, strict=True))


def contrast(first: Colour, second: Colour) -> float:
    dark, light = sorted([luminance(first), luminance(second)])
    return (light + 0.05) / (dark + 0.05)


def own_fill(selector: str, you: Colour, theme: int) -> Colour:
    """What the style sheet mixes inside the ring."""
    found = re.search(
        rf"^{re.escape(selector)} {{ --own: color-mix\(in srgb, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\)",
        BOARD,
        re.MULTILINE,
    )
    assert found, selector
    first, second = (you if name == "you" else named(name, theme) for name in (found[1], found[3]))
    return mixed(first, int(found[2]), second)


@pytest.mark.parametrize("theme", [0, 1])
@pytest.mark.parametrize("seat", range(1, 9))
def test_mine_and_others_differ_from_every_seat(seat: int, theme: int) -> None:
    you, ink = named(f"p{seat}", theme), named("ink", theme)
    floated, off = (own_fill(selector, you, theme) for selector in (".token.is-mine", ".token--off.is-mine"))
    assert contrast(floated, ink) >= LEAST, "mine and others' only: the fill"
    for fill in (floated, off):
        assert contrast(you, fill) >= LEAST, "the ring, which is not a matter of colour"
        assert contrast(ink, fill) >= 4.5, "the letters in it"
