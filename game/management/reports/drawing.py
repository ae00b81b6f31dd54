"""Charts of a report as plain SVG: bars with numbers, and spreads over the turns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString

from game.management.reports.figures import Curve
from game.templatetags.charts import Line, draw_lines

WIDTH, LABEL, VALUE = 480, 150, 96
ROW_HEIGHT = 21


class Bar(NamedTuple):
    """One bar: its label, its length and the text at its end."""

    label: str
    length: float
    words: str


def bars(rows: Sequence[Bar], title: str, mark: float | None = None) -> SafeString:
    """Horizontal bars; `mark` is a reference length, drawn as a line."""
    if not rows:
        return SafeString("")
    longest = max([row.length for row in rows] + [mark or 0]) or 1
    scale = (WIDTH - LABEL - VALUE) / longest
    body = "".join(_bar(row, i * ROW_HEIGHT, scale) for i, row in enumerate(rows))
    height = len(rows) * ROW_HEIGHT
    mark_line = (
        f'<line class="cursor" x1="{LABEL + mark * scale:.1f}" x2="{LABEL + mark * scale:.1f}" y1="0" y2="{height}"/>'
        if mark
        else ""
    )
    text = escape("; ".join(f"{row.label} {row.words}" for row in rows))
    head = f'<svg class="chart bars" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}: {text}">'
    return SafeString(f"{head}{body}{mark_line}</svg>")


def _bar(row: Bar, top: int, scale: float) -> str:
    width = round(row.length * scale, 1)
    css = "bar" if row.length else "bar bar--none"
    return (
        f'<text class="name" x="{LABEL - 8}" y="{top + 14}" text-anchor="end">{escape(row.label)}</text>'
        f'<rect class="{css}" x="{LABEL}" y="{top + 4}" width="{max(width, 1)}" height="13"/>'
        f'<text class="value" x="{LABEL + max(width, 1) + 6:.1f}" y="{top + 14}">{escape(row.words)}</text>'
    )


def spread_chart(curve: Curve, key: str, title: str) -> SafeString:
    """Three lines: minimum, average and maximum in each turn."""
    lines = [
        Line("most", "c-ink thin d2", curve.high),
        Line("average", "c-ink mine d1", curve.middle),
        Line("least", "c-ink thin d3", curve.low),
    ]
    return draw_lines([str(turn) for turn in curve.turns], lines, key, title)


def rank_chart(turns: Sequence[int], curves: dict[str, list[int]], key: str, title: str) -> SafeString:
    """One line each for the first, the middle and the last."""
    styles = {"first": "c-ink mine d1", "middle": "c-ink d2", "last": "c-ink d3"}
    return draw_lines(
        [str(turn) for turn in turns], [Line(name, styles[name], values) for name, values in curves.items()], key, title
    )
