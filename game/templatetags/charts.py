"""Charts as plain SVG: step lines with end labels, and sparklines."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.engine.language import apart, kept, say
from game.engine.phrases import thousands
from game.templatetags.marks import money, your_seat

register = template.Library()

WIDTH, HEIGHT = 480, 230
LEFT, RIGHT, TOP, BOTTOM = 38, 98, 10, 24
LABEL_GAP = 15
NICE_STEPS = (1, 2, 5)
FLATTEST = 10  # dollars: avoids magnifying equal values
KEPT_CHARTS = 256  # about four kilobytes each
KEPT_SPARKS = 1024
DASHES = 5  # dash patterns in data.css
MOST_LABELS = 8


class Line(NamedTuple):
    """One line of a chart: label, classes and values, newest last; `name` if the label is short."""

    label: str
    css: str
    values: Sequence[int]
    name: str = ""


def nice_ticks(low: int, high: int, wanted: int = 5) -> list[int]:
    """Round numbers that span the values, in steps of 1, 2 or 5 times a power of ten."""
    if high - low < FLATTEST:
        low, high = max(low - FLATTEST, 0), high + FLATTEST
    span, size = high - low, 1
    while not any(span <= nice * size * wanted for nice in NICE_STEPS):
        size *= 10
    step = next(nice * size for nice in NICE_STEPS if span <= nice * size * wanted)
    first, last = low // step * step, -(-high // step) * step
    return list(range(first, last + 1, step))


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
    """Maps values to positions on the chart."""

    def __init__(self, count: int, ticks: Sequence[int]) -> None:
        self.count, self.ticks = count, ticks
        self.low, self._span = ticks[0], ticks[-1] - ticks[0]
        self._places = [round(LEFT + (WIDTH - LEFT - RIGHT) * index / max(count - 1, 1), 1) for index in range(count)]

    def x(self, index: int) -> float:
        return self._places[index]

    def y(self, value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - (value - self.low) / self._span), 1)


def grid(frame: Frame, labels: Sequence[str]) -> str:
    """Horizontal lines, and labels at every nth point so that they do not crowd."""
    parts = []
    for tick in frame.ticks:
        y = frame.y(tick)
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 6}" y="{y + 3.5}" text-anchor="end">{thousands(tick)}</text>')
    for i in range(0, len(labels), -(-len(labels) // MOST_LABELS)):
        anchor = "start" if i == 0 else "end" if i == len(labels) - 1 else "middle"
        parts.append(
            f'<text class="tick" x="{frame.x(i)}" y="{HEIGHT - 7}" text-anchor="{anchor}">{escape(labels[i])}</text>'
        )
    return "".join(parts)


def path(frame: Frame, line: Line) -> str:
    """One step line; a line that starts late is right-aligned."""
    offset = frame.count - len(line.values)
    heights = [frame.y(value) for value in line.values]
    start = f"M{frame.x(offset)} {heights[0]}"
    steps = "".join([f"H{frame.x(offset + i)}V{y}" for i, y in enumerate(heights[1:], 1)])
    return f'<path class="ln {line.css}" d="{start}{steps}"/>' if steps else ""


def end_label(frame: Frame, line: Line, height: float) -> str:
    x, y = frame.x(frame.count - 1), frame.y(line.values[-1])
    return (
        f'<circle class="dot {line.css}" cx="{x}" cy="{y}" r="3.2"/><path class="leader" d="M{x + 4} {y}L{x + 10} '
        f'{height}"/>'
        f'<text class="end {line.css}" x="{x + 12}" y="{height + 4}">{escape(apart(line.label))} '
        f'<tspan class="endv">{thousands(line.values[-1])}</tspan></text>'
    )


def draw_lines(labels: Sequence[str], lines: Sequence[Line], key: str, title: str) -> SafeString:
    """A chart with the last value at the end of each line, and a text description for screen readers."""
    frozen = tuple(line._replace(values=tuple(line.values)) for line in lines)
    return _drawn(tuple(labels), frozen, key, title)


@kept(KEPT_CHARTS)
def _drawn(labels: tuple[str, ...], lines: tuple[Line, ...], key: str, title: str) -> SafeString:
    """The SVG, cached for equal lines."""
    values = [value for line in lines for value in line.values]
    if not values:
        return SafeString("")
    frame = Frame(len(labels), nice_ticks(min(values), max(values)))
    heights = spread([frame.y(line.values[-1]) for line in lines])
    told = ", ".join(map(_course, lines))
    paths = "".join(path(frame, line) for line in lines)
    ends = "".join(end_label(frame, line, height) for line, height in zip(lines, heights, strict=True))
    return SafeString(
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-labelledby="{key}-t {key}-d">'
        f'<title id="{key}-t">{escape(title)}</title><desc '
        f'id="{key}-d">{told}</desc>{grid(frame, labels)}{paths}{ends}</svg>'
    )


def _course(line: Line) -> str:
    """A line as text: `ACME 40 to 65`."""
    first, last = thousands(line.values[0]), thousands(line.values[-1])
    return escape(say("{name} {first} to {last}", name=line.name or line.label, first=first, last=last))


@register.simple_tag(takes_context=True)
def price_chart(context: Context, history: Any) -> SafeString:
    """Every stock price; companies that you own are in your colour."""
    you = your_seat(context)
    living = [
        company
        for company in context["view"].companies
        if company.status != "bankrupt" and history.prices.get(company.ticker)
    ]
    lines = [
        Line(
            company.ticker,
            f"{'c-mine mine' if company.holdings.get(you) else 'c-ink'} d{i % DASHES + 1}",
            history.prices[company.ticker],
        )
        for i, company in enumerate(living)
    ]
    return draw_lines(history.labels, lines, "cp", say("Stock price of each company"))


@register.simple_tag
def letter_chart(history: Any, companies: Iterable[Any], css: str) -> SafeString:
    """Every price, for games that identify companies by letter and look: `css` plus the key is the class."""
    lines = [
        Line(company.title[0], f"{css}{company.key} d{i % DASHES + 1}", history.prices[company.key], company.title)
        for i, company in enumerate(companies)
        if history.prices.get(company.key)
    ]
    return draw_lines(history.labels, lines, "cp", say("Share price of each company"))


@register.simple_tag
def course_points(labels: Sequence[str]) -> list[int]:
    """The points that the table of a course lists: evenly spaced, and the last."""
    last = len(labels) - 1
    return [*range(0, last, -(-len(labels) // MOST_LABELS)), last]


@register.simple_tag(takes_context=True)
def worth_chart(context: Context, history: Any) -> SafeString:
    """The net worth of every player; your line is the heavy one."""
    lines = [
        Line(
            place.name,
            f"{place.css} d{place.number % DASHES + 1}{' mine' if place.is_you else ''}",
            history.worth[place.number],
        )
        for place in context["seats"]
        if history.worth.get(place.number)
    ]
    return draw_lines(history.labels, lines, "cn", say("Net worth of each player"))


@register.simple_tag
def rating_chart(key: str, title: str, numbers: Sequence[int], course: Sequence[int]) -> SafeString:
    """A rating in one game, one step per rated game."""
    told = say(title)
    labels = [str(number) for number in numbers]
    name = say("Rating at {game}, game by game", game=told)
    return draw_lines(labels, [Line(say("Rating"), "c-mine d1", course, told)], f"rating-{key}", name)


@register.simple_tag
def spark(values: Sequence[int], width: int = 64, height: int = 22) -> SafeString:
    """A price sparkline without numbers; the card prints those."""
    return _spark(tuple(values), width, height) if values else SafeString("")


@lru_cache(maxsize=KEPT_SPARKS)
def _spark(values: tuple[int, ...], width: int, height: int) -> SafeString:
    low, high = min(values), max(values)
    scale = (height - 8) / (high - low) if high > low else 0
    heights = [round(height - 4 - (value - low) * scale, 1) if scale else height / 2 for value in values]
    stride = (width - 8) / max(len(values) - 1, 1)
    path = (
        f"M2 {heights[0]}"
        + "".join(f"H{round(2 + stride * i, 1)}V{y}" for i, y in enumerate(heights[1:], 1))
        + f"H{width - 3}"
    )
    drawn = f'<path d="{path}"/>' if len(values) > 1 else ""
    dot = f'<circle cx="{width - 3.5}" cy="{heights[-1]}" r="2.5" class="spark-end"/>'
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return SafeString(f'<svg class="spark" {size} aria-hidden="true">{drawn}{dot}</svg>')


@register.simple_tag
def course_cells(history: Any, companies: Iterable[Any], order: Iterable[int], at: int) -> SafeString:
    """Prices of some companies at one point, then everybody's net worth."""
    figures = [history.prices[company.key][at] for company in companies]
    figures += [history.worth[number][at] for number in order]
    return SafeString("".join(f"<td>{money(figure)}</td>" for figure in figures))
