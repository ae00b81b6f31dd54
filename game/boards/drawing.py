"""Marks and charts that every board draws: icons, seat badges, amounts, links of figures, step lines, sparklines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from markupsafe import Markup

from game.engine.language import apart, kept, say, say_as
from game.engine.phrases import decimal, thousands

WIDTH, HEIGHT = 480, 230
LEFT, MOST_RIGHT, TOP, BOTTOM = 38, 150, 10, 24
END_GAP = 12  # between the end of a line and its name
LETTER = 7.6  # px, of a name
TICK = 7.0  # px, of a figure on the axis
LABEL_GAP = 15
NICE_STEPS = (1, 2, 5)
FLATTEST, FLATTEST_SHARE = 10, 20  # dollars, and of the highest value a 20th: nearly equal values look so
MAX_CHARTS = 256  # about four kilobytes each
MAX_SPARKS = 1024
DASHES, COLOURS = 5, 8  # dash patterns, and colours of companies, in data.css
MOST_LABELS = 8
MILLION = 1_000_000


class Context(Protocol):
    """The variables of a page, and the tags that the site passes to boards: `figure_links`, `term`."""

    def __getitem__(self, name: str, /) -> Any: ...
    def get(self, name: str, otherwise: Any = None, /) -> Any: ...


@cache
def icon(name: str, css: str = "") -> Markup:
    return Markup('<svg class="ic {}" aria-hidden="true" focusable="false"><use href="#i-{}"/></svg>').format(css, name)


def seat(place: Any, css: str = "") -> Markup:
    """A seat's round badge: colour, pattern and letter."""
    return _badge(place.css, css, place.letter)


@lru_cache(maxsize=4096)
def _badge(colour: str, css: str, letter: str) -> Markup:
    return Markup('<span class="seat {} {}" aria-hidden="true"><b>{}</b></span>').format(colour, css, letter)


def shown_to(place: Any) -> str:
    """The name of a seat for the reader, whose own is `You`."""
    return say_as("seat", "You") if place.is_you else str(place.name)


def seat_name(context: Context, number: int) -> str:
    return shown_to(context["seats"][number])


def your_seat(context: Context) -> int | None:
    return next((place.number for place in context.get("seats") or () if place.is_you), None)


def money(amount: int | None) -> str:
    """Whole dollars with thousands separators and a true minus sign."""
    return "" if amount is None else thousands(amount)


def short(amount: int) -> str:
    """An amount on a chart, where millions would not fit: `10.5m`."""
    if abs(amount) < MILLION:
        return thousands(amount)
    millions = amount / MILLION
    return say("{n}m", n=decimal(millions) if amount % MILLION else thousands(round(millions)))


class FigureLinks(NamedTuple):
    """The start and end of a game's explanation URLs, and the figures that have one."""

    begins: str
    ends: str
    figures: frozenset[str]

    def of(self, figure: str, subject: object, text: object) -> str:
        """A figure, linked to its explanation if it has one."""
        if figure not in self.figures:
            return str(text)
        return f'<a class="explain" href="{self.begins}{figure}/{subject}/{self.ends}">{text}</a>'


def links_in(context: Context) -> FigureLinks:
    """Links to the explanations at the moment that the page shows."""
    links: FigureLinks = context["figure_links"](context)
    return links


def term(context: Context, label: str) -> str:
    """A label; a glossary word gets its card."""
    return str(context["term"](context, label))


class Line(NamedTuple):
    """One line of a chart: label, classes and values, newest last; `name` replaces a short label in text."""

    label: str
    css: str
    values: Sequence[int]
    name: str = ""


def nice_ticks(low: int, high: int, wanted: int = 5) -> list[int]:
    """Round numbers that span the values, in steps of 1, 2 or 5 times a power of ten."""
    if high - low < (flattest := max(FLATTEST, high // FLATTEST_SHARE)):
        low, high = max(low - flattest, 0), high + flattest
    span, size = high - low, 1
    while not any(span <= nice * size * wanted for nice in NICE_STEPS):
        size *= 10
    step = next(nice * size for nice in NICE_STEPS if span <= nice * size * wanted)
    first, last = low // step * step, -(-high // step) * step
    return list(range(first, last + 1, step))


def fitting(name: str, figure: str, most: float) -> tuple[str, float]:
    """A line's name, cut where it would need more than `most` px with its figure, and what both need."""
    letters = int((most - END_GAP) / LETTER) - len(figure) - 1
    if len(name) > letters:
        name = f"{name[: letters - 1].rstrip()}…"
    return name, END_GAP + LETTER * (len(name) + 1 + len(figure))


def spread(heights: Sequence[float], gap: float = LABEL_GAP) -> list[float]:
    """Push labels apart, then back up from the floor, so that none overlaps."""
    out, floor = list(heights), HEIGHT - BOTTOM - 4.0
    order = sorted(range(len(out)), key=lambda i: out[i])
    for above, below in pairwise(order):
        out[below] = max(out[below], out[above] + gap)
    for i in reversed(order):
        out[i] = min(out[i], floor)
        floor = out[i] - gap
    return out


class Frame:
    """Maps values to positions on the chart; `right` px are left for names."""

    def __init__(self, count: int, ticks: Sequence[int], right: float) -> None:
        self.count, self.ticks, self.right = count, ticks, round(WIDTH - right, 1)
        self.low, self._span = ticks[0], ticks[-1] - ticks[0]
        self.left = max(LEFT, *(round(6 + TICK * len(short(tick))) for tick in ticks))
        stride = (self.right - self.left) / max(count - 1, 1)
        self._places = [round(self.left + stride * index, 1) for index in range(count)]

    def x(self, index: int) -> float:
        return self._places[index]

    def y(self, value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - self.low) / self._span), 1)


def named(labels: Sequence[str], most: int) -> list[int]:
    """The points whose labels are printed: every nth of those that have one, so that they do not crowd."""
    places = [at for at, label in enumerate(labels) if label]
    return places[:: -(-len(places) // most) or 1]


def ends(labels: Sequence[str]) -> list[int]:
    """The ends of turns in a chart with points within turns, which have no label; empty in others."""
    return [] if all(labels) else [at for at, label in enumerate(labels) if label]


def draw_lines(labels: Sequence[str], lines: Iterable[Line], key: str, title: str, *, since: str = "") -> Markup:
    """A chart with the last value at the end of each line, and a text description for screen readers. Everything after
    the point labelled `since` is shaded."""
    frozen = tuple(line._replace(values=tuple(line.values)) for line in lines)
    return _drawn(tuple(labels), frozen, key, title, since)


@kept(MAX_CHARTS)
def _drawn(labels: tuple[str, ...], lines: tuple[Line, ...], key: str, title: str, since: str) -> Markup:
    """The SVG, cached for equal lines."""
    values = [value for line in lines for value in line.values]
    if not values:
        return Markup()
    names = [fitting(line.label, short(line.values[-1]), MOST_RIGHT) for line in lines]
    frame = Frame(len(labels), nice_ticks(min(values), max(values)), max(room for _, room in names))
    heights = spread([frame.y(line.values[-1]) for line in lines])
    description = ", ".join(map(_course, lines))
    paths = _shade(frame, labels, since) + "".join(_path(frame, line) for line in lines)
    ends = "".join(
        _end_label(frame, line, name, height) for line, (name, _), height in zip(lines, names, heights, strict=True)
    )
    return Markup(
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title><desc '
        f'id="{key}-d">{description}</desc>{_grid(frame, labels)}{paths}{ends}</svg>{key_of(lines)}'
    )


def key_of(lines: Iterable[Any]) -> Markup:
    """The key below a chart, which explains the short labels of lines; empty if each line has its whole name. Screen
    readers hear the names in the chart's description."""
    named_lines = [line for line in lines if line.name and line.name != line.label]
    rows = Markup("").join(
        Markup('<li><b class="{}">{}</b> {}</li>').format(line.css, line.label, line.name) for line in named_lines
    )
    return Markup('<ul class="chart-key" aria-hidden="true">{}</ul>').format(rows) if rows else rows


def _shade(frame: Frame, labels: tuple[str, ...], since: str) -> str:
    """The part of the chart that is new to the reader."""
    if not since or since not in labels[:-1]:
        return ""
    left, right = frame.x(labels.index(since)), frame.x(len(labels) - 1)
    height = HEIGHT - TOP - BOTTOM
    return (
        f'<rect class="since" x="{left}" y="{TOP}" width="{round(right - left, 1)}" height="{height}"><title>'
        f"{escape(say('Since your last decision'))}</title></rect>"
    )


def _course(line: Line) -> str:
    """A line as text: `ACME 40 to 65`."""
    first, last = thousands(line.values[0]), thousands(line.values[-1])
    return escape(say("{name} {first} to {last}", name=line.name or line.label, first=first, last=last))


def _path(frame: Frame, line: Line) -> str:
    """One step line; a line that starts late is right-aligned."""
    offset = frame.count - len(line.values)
    heights = [frame.y(value) for value in line.values]
    start = f"M{frame.x(offset)} {heights[0]}"
    steps = "".join([f"H{frame.x(offset + i)}V{y}" for i, y in enumerate(heights[1:], 1)])
    return f'<path class="ln {line.css}" d="{start}{steps}"/>' if steps else ""


def _end_label(frame: Frame, line: Line, name: str, height: float) -> str:
    x, y = frame.x(frame.count - 1), frame.y(line.values[-1])
    return (
        f'<circle class="dot {line.css}" cx="{x}" cy="{y}" r="3.2"/><path class="leader" d="M{x + 4} {y}L{x + 10} '
        f'{height}"/>'
        f'<text class="end {line.css}" x="{x + END_GAP}" y="{height + 4}">{escape(apart(name))} '
        f'<tspan class="endv">{short(line.values[-1])}</tspan></text>'
    )


def _grid(frame: Frame, labels: Sequence[str]) -> str:
    """Horizontal lines, a vertical one at the end of each turn that has points within it, and labels."""
    parts = []
    for tick in frame.ticks:
        y = frame.y(tick)
        parts.append(f'<line class="grid" x1="{frame.left}" x2="{frame.right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{frame.left - 6}" y="{y + 3.5}" text-anchor="end">{short(tick)}</text>')
    for i in ends(labels):
        parts.append(f'<line class="grid" x1="{frame.x(i)}" x2="{frame.x(i)}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>')
    start_label_end = frame.left + LETTER * (len(labels[0]) + 1)  # by the word for the start
    for i in named(labels, MOST_LABELS):
        if 0 < i < len(labels) - 1 and frame.x(i) - LETTER * len(labels[i]) / 2 < start_label_end:
            continue
        anchor = "start" if i == 0 else "end" if i == len(labels) - 1 else "middle"
        parts.append(
            f'<text class="tick" x="{frame.x(i)}" y="{HEIGHT - 7}" text-anchor="{anchor}">{escape(labels[i])}</text>'
        )
    return "".join(parts)


def spark(values: Sequence[int], width: int = 64, height: int = 22) -> Markup:
    """A price sparkline without numbers; the card prints those. One value has no course to draw."""
    return _spark(tuple(values), width, height) if len(values) > 1 else Markup()


@lru_cache(maxsize=MAX_SPARKS)
def _spark(values: tuple[int, ...], width: int, height: int) -> Markup:
    low, high = min(values), max(values)
    scale = (height - 8) / (high - low) if high > low else 0
    heights = [round(height - 4 - (value - low) * scale, 1) if scale else height / 2 for value in values]
    stride = (width - 8) / (len(values) - 1)
    path = (
        f"M2 {heights[0]}"
        + "".join(f"H{round(2 + stride * i, 1)}V{y}" for i, y in enumerate(heights[1:], 1))
        + f"H{width - 3}"
    )
    dot = f'<circle cx="{width - 3.5}" cy="{heights[-1]}" r="2.5" class="spark-end"/>'
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return Markup(f'<svg class="spark" {size} aria-hidden="true"><path d="{path}"/>{dot}</svg>')
