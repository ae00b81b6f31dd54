"""Charts of many games: net worth, ratings, the front page's game; and the large charts of a game's own page, with
readable points: lines, cash flow by source, shares by holder."""

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from markupsafe import Markup

from game.boards.drawing import (
    DASHES,
    END_GAP,
    Line,
    draw_lines,
    ends,
    fitting,
    key_of,
    named,
    nice_ticks,
    short,
    shown_to,
)
from game.engine.language import apart, count, say
from game.engine.phrases import capitalised, thousands
from game.lobby.showcase import Showcase

register = template.Library()

TOP, BOTTOM = 14, 34
LETTER = 7.8  # px
TICK = 7.0  # px, of a figure on the axis
LABEL_GAP = 16
BAR = 56  # part of the height for the largest amount of a chart of strips
LEAST_STRIP = 26  # for the name of a source
BAR_LABEL = 14  # px, of an amount at the end of a bar
MOST_DOTS = 24  # moments; with more, a dot is drawn where it is pointed at


class Size(NamedTuple):
    """The sizes of a large chart in px: `names` and `totals` stand next to strips of bars, `most_right` is the space
    for the names of lines; `labels` turns are named below. The style sheet shows the size that fits."""

    key: str
    width: int
    height: int
    left: int
    most_right: int
    names: int
    totals: int
    labels: int


SIZES = (Size("wide", 960, 420, 52, 190, 170, 90, 16), Size("narrow", 358, 320, 40, 142, 96, 52, 7))


@register.simple_tag(takes_context=True)
def worth_chart(context: Context, history: Any, since: int = 0, key: str = "cn") -> Markup:
    """The score of every player; the reader's line is the heavy one. Everything after turn `since` is shaded, if it
    is set."""
    lines = [
        Line(
            shown_to(place),
            f"{place.css} d{place.number % DASHES + 1}{' mine' if place.is_you else ''}",
            history.worth[place.number],
        )
        for place in context["seats"]
        if history.worth.get(place.number)
    ]
    title = say("{score} of each player", score=say(context["board"].score))
    return draw_lines(history.labels, lines, key, title, since=str(since) if since else "")


@register.simple_tag
def rating_chart(key: str, title: str, numbers: Sequence[int], course: Sequence[int]) -> Markup:
    """A rating at one game, one step per rated game."""
    labels = [str(number) for number in numbers]
    name = say("Rating at {game}, game by game", game=title)
    return draw_lines(labels, [Line(say("Rating"), "c-mine d1", course)], f"rating-{key}", name)


@register.simple_tag
def leaders_chart(game: Showcase) -> Markup:
    """The game of the front page; the winner's line is the heavy one."""
    first, *others = game.leaders
    lines = [
        Line(first.name, _css(first.seat, "mine"), first.worth),
        *(Line(one.name, _css(one.seat), one.worth) for one in others),
    ]
    return draw_lines(
        game.labels,
        lines,
        "showcase",
        say("{score} of the leading players after each {turn}", score=say(game.score), turn=game.rules.turn_word),
    )


def _css(seat: int, more: str = "") -> str:
    return f"p{seat + 1} d{seat % DASHES + 1} {more}".rstrip()


class Frame:
    """Maps moments and values to positions; `right` px are left for names."""

    def __init__(self, size: Size, count: int, low: int, high: int, right: float) -> None:
        self.size, self.right = size, round(size.width - right, 1)
        self.ticks = nice_ticks(low, high, 7)
        self._low, self._span = self.ticks[0], self.ticks[-1] - self.ticks[0]
        self._stride = (self.right - size.left) / max(count - 1, 1)

    def x(self, at: int) -> float:
        return round(self.size.left + self._stride * at, 1)

    def y(self, value: float) -> float:
        return round(TOP + (self.size.height - TOP - BOTTOM) * (1 - (value - self._low) / self._span), 1)


@register.simple_tag
def line_plot(
    key: str, title: str, labels: Sequence[str], moments: Sequence[str], lines: Sequence[Any],
    marks: Sequence[Any] = (),
) -> str:  # fmt: skip
    """Lines with a mark at each of the moments, of which those with labels are on the axis; `marks` are the
    reader's own orders at their prices."""
    values = [value for line in lines for value in line.values if value is not None]
    values += [mark.price for mark in marks]
    if not values:
        return SafeString("")
    drawn = "".join(_lines(size, key, title, labels, moments, lines, marks, values) for size in SIZES)
    return SafeString(f"{drawn}{key_of(lines)}")


def _lines(
    size: Size, key: str, title: str, labels: Sequence[str], moments: Sequence[str], lines: Sequence[Any],
    marks: Sequence[Any], values: Sequence[int],
) -> str:  # fmt: skip
    size = _with_axis(size, nice_ticks(min(values), max(values), 7))
    names = [(line, *fitting(line.label, short(line.values[-1]), size.most_right)) for line in _living(lines)]
    right = max((room for *_, room in names), default=0)
    frame = Frame(size, len(labels), min(values), max(values), right)
    shapes = "".join(_line(frame, moments, line) for line in lines)
    shapes += _ends(frame, [(line, name) for line, name, _ in names]) + _order_marks(frame, marks)
    return _svg(size, key, title, size.height, _grid(frame, labels) + shapes, is_dense=len(labels) > MOST_DOTS)


def _with_axis(size: Size, ticks: Sequence[int]) -> Size:
    """The frame with room on the left for the longest figure of the axis."""
    return size._replace(left=max(size.left, *(round(12 + TICK * len(short(tick))) for tick in ticks)))


def _living(lines: Sequence[Any]) -> list[Any]:
    """The lines that have not ended."""
    return [line for line in lines if line.values and line.values[-1] is not None]


def _svg(size: Size, key: str, title: str, height: int, shapes: str, *, is_dense: bool = False) -> str:
    """The chart as SVG; a script moves between its marks with the arrow keys, and each mark is labelled with its
    figure."""
    dense = " plot--dense" if is_dense else ""
    return (
        f'<div class="plot-box plot-box--{size.key}"><svg class="chart plot{dense}" '
        f'viewBox="0 0 {size.width} {height}" role="group" aria-labelledby="{key}-{size.key}" data-plot>'
        f'<title id="{key}-{size.key}">{escape(title)}</title>{shapes}</svg></div>'
    )


def _grid(frame: Frame, labels: Sequence[str]) -> str:
    parts, left = [], frame.size.left
    for tick in frame.ticks:
        y = frame.y(tick)
        parts.append(f'<line class="grid" x1="{left}" x2="{frame.right}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{left - 6}" y="{y + 4}" text-anchor="end">{short(tick)}</text>')
    floor = frame.size.height - BOTTOM
    parts += [
        f'<line class="grid" x1="{frame.x(at)}" x2="{frame.x(at)}" y1="{TOP}" y2="{floor}"/>' for at in ends(labels)
    ]
    parts += [
        f'<text class="tick" x="{frame.x(at)}" y="{frame.size.height - 10}" text-anchor="middle">'
        f"{escape(labels[at])}</text>"
        for at in named(labels, frame.size.labels)
    ]
    return "".join(parts)


def _line(frame: Frame, moments: Sequence[str], line: Any) -> str:
    points = [(at, value) for at, value in enumerate(line.values) if value is not None]
    if not points:
        return ""
    start = f"M{frame.x(points[0][0])} {frame.y(points[0][1])}"
    form = "H{x}V{y}" if line.is_level else "L{x} {y}"
    steps = "".join(form.format(x=frame.x(at), y=frame.y(value)) for at, value in points[1:])
    name = apart(line.name or line.label)
    marks = "".join(
        _mark(frame.x(at), frame.y(value), line.css, f"{name}, {moments[at]}: {thousands(value)}",
              is_first=at == points[-1][0])
        for at, value in points
    )  # fmt: skip
    return f'<g class="series"><path class="ln {line.css}" d="{start}{steps}"/>{marks}</g>'


def _mark(x: float, y: float, css: str, label: str, *, is_first: bool) -> str:
    """One mark per line is in the tab order; the script moves on from there."""
    label = escape(label)
    return (
        f'<g class="pt {css}" role="img" tabindex="{0 if is_first else -1}" aria-label="{label}">'
        f'<title>{label}</title><circle class="hit" cx="{x}" cy="{y}" r="12"/><circle class="dot" cx="{x}" cy="{y}" '
        'r="3.4"/></g>'
    )


def _ends(frame: Frame, ends: Sequence[tuple[Any, str]]) -> str:
    """End labels of the lines, pushed apart if they would overlap."""
    places = {line.label: frame.y(line.values[-1]) for line, _ in ends}
    heights = spread(places, frame.size.height)
    x = frame.x(len(ends[0][0].values) - 1) if ends else 0
    return "".join(
        f'<path class="leader" d="M{x + 4} {places[line.label]}L{x + 9} {heights[line.label]}"/>'
        f'<text class="end {line.css}" x="{x + END_GAP}" y="{heights[line.label] + 4}">{escape(apart(name))} '
        f'<tspan class="endv">{short(line.values[-1])}</tspan></text>'
        for line, name in ends
    )


def spread(places: dict[str, float], height: int) -> dict[str, float]:
    """Pushes labels apart by a line of text, inside the chart."""
    order = sorted(places, key=lambda label: places[label])
    heights = dict(places)
    for above, below in pairwise(order):
        heights[below] = max(heights[below], heights[above] + LABEL_GAP)
    floor = float(height - BOTTOM)
    for label in reversed(order):
        heights[label] = min(heights[label], floor)
        floor = heights[label] - LABEL_GAP
    return heights


def _order_marks(frame: Frame, marks: Sequence[Any]) -> str:
    """A flag per order, pushed apart; its arrow marks the price."""
    heights = spread({mark.text: frame.y(mark.price) for mark in marks}, frame.size.height)
    return "".join(_order_mark(frame, frame.y(mark.price), heights[mark.text], mark.text) for mark in marks)


def _order_mark(frame: Frame, price: float, y: float, order: str) -> str:
    """A text box with an arrow on the scale, without marks, to differ from a company's line."""
    text, left, width = escape(order), frame.size.left, round(len(order) * LETTER + 16)
    box = (
        f'<rect x="{left + 14}" y="{y - 8}" width="{width}" height="16" rx="3"/>'
        f'<text x="{left + 22}" y="{y + 4}">{text}</text>'
    )
    return (
        f'<g class="ghost pt" role="img" tabindex="0" aria-label="{text}"><title>{text}</title>'
        f'<line x1="{left}" x2="{frame.right}" y1="{price}" y2="{price}"/>'
        f'<path d="M{left} {price}l11 -7v14z"/>{box if left + 14 + width <= frame.size.width else ""}</g>'
    )


@register.simple_tag
def flow_plot(key: str, title: str, labels: Sequence[str], moments: Sequence[str], flows: Sequence[Any]) -> str:
    """A strip per source: bars up for income and down for spending in each turn, with the sum at the end."""
    most = max((abs(amount) for flow in flows for amount in flow.amounts), default=0)
    if not most:
        return SafeString("")
    charts = []
    for size in (_roomy(each, flows) for each in SIZES):
        stride, top, drawn = (size.width - size.names - size.totals) / len(labels), 0.0, []
        for flow in flows:
            up, down = (BAR * max(0, *(sign * amount for amount in flow.amounts)) / most for sign in (1, -1))
            floor = top + max(up + BAR_LABEL if up else 0, LEAST_STRIP)
            drawn.append(_strip(size, round(floor, 1), flow, moments, stride, BAR / most))
            top = floor + (down + BAR_LABEL if down else 6)
        height = round(top) + BOTTOM
        charts.append(_svg(size, key, title, height, "".join(drawn) + _turns(size, labels, size.names, stride, height)))
    return SafeString("".join(charts))


def _roomy(size: Size, flows: Sequence[Any]) -> Size:
    """The frame with space for the longest source and the longest sum next to the bars; a source takes at most four
    tenths."""
    longest = max(len(say(flow.source)) for flow in flows) * LETTER
    totals = max(len(_signed(flow.total)) for flow in flows) * LETTER
    names = max(size.names, min(longest, 0.4 * size.width))
    return size._replace(names=round(names), totals=max(size.totals, round(totals) + 10))


def _turns(size: Size, labels: Sequence[str], left: float, stride: float, height: int) -> str:
    """The labels of turns below the bars, every nth so that they do not crowd."""
    every = -(-len(labels) // size.labels)
    return "".join(
        f'<text class="tick" x="{round(left + stride * (at + 0.5), 1)}" y="{height - 10}" text-anchor="middle">'
        f"{escape(labels[at])}</text>"
        for at in range(0, len(labels), every)
    )


def _strip(size: Size, floor: float, flow: Any, moments: Sequence[str], stride: float, scale: float) -> str:
    """The bars of one source: each with its amount where that fits, otherwise the largest, which is the scale."""
    source = capitalised(say(flow.source))
    fits = all(len(_tag(amount)) * TICK <= stride - 8 for amount in flow.amounts if amount)
    largest = max(flow.amounts, key=abs)
    bars = "".join(
        _bar(
            size.names + stride * index, floor, stride, amount * scale, f"{source}, {moments[index]}: {_signed(amount)}"
        )
        + (_bar_label(size, stride * (index + 0.5), floor, amount, scale) if fits or amount == largest else "")
        for index, amount in enumerate(flow.amounts)
        if amount
    )
    return (
        f'<line class="grid" x1="0" x2="{size.width}" y1="{floor}" y2="{floor}"/><g class="series">'
        f'<text class="name" x="0" y="{floor - 4}">{escape(source)}</text>{bars}</g>'
        f'<text class="value" x="{size.width}" y="{floor - 4}" text-anchor="end">{_signed(flow.total)}</text>'
    )


def _bar(x: float, floor: float, stride: float, height: float, label: str) -> str:
    width, label = round(min(stride * 0.7, 44), 1), escape(label)
    left, top = round(x + (stride - width) / 2, 1), round(floor - max(height, 0), 1)
    return (
        f'<g class="pt" role="img" tabindex="-1" aria-label="{label}"><title>{label}</title>'
        f'<rect class="flow flow--{"in" if height > 0 else "out"}" x="{left}" y="{top}" width="{width}" '
        f'height="{round(max(abs(height), 1), 1)}"/></g>'
    )


def _bar_label(size: Size, x: float, floor: float, amount: int, scale: float) -> str:
    """The amount at the end of its bar, inside the room of the bars."""
    half = len(_tag(amount)) * TICK / 2
    x = min(max(size.names + x, size.names + half), size.width - size.totals - half)
    y = floor - amount * scale - 3 if amount > 0 else floor - amount * scale + 12
    return f'<text class="tick" x="{round(x, 1)}" y="{round(y, 1)}" text-anchor="middle">{_tag(amount)}</text>'


def _tag(amount: int) -> str:
    return f"+{short(amount)}" if amount > 0 else short(amount)


def _signed(amount: int) -> str:
    return f"+{thousands(amount)}" if amount > 0 else thousands(amount)


@register.simple_tag
def holding_plot(
    key: str, title: str, labels: Sequence[str], moments: Sequence[str], seats: Sequence[Any], held: Sequence[Any]
) -> str:
    """A bar per moment, stacked from everybody's shares, with the holder's letter."""
    most = max((sum(moment) for moment in held), default=0)
    if not most:
        return SafeString("")
    drawn = "".join(_holdings(size, key, title, labels, moments, seats, held, most) for size in SIZES)
    holders = [place for place, *shares in zip(seats, *filter(None, held), strict=False) if any(shares)]
    return SafeString(f"{drawn}{key_of(Line(one.letter, one.css, (), shown_to(one)) for one in holders)}")


def _holdings(
    size: Size,
    key: str,
    title: str,
    labels: Sequence[str],
    moments: Sequence[str],
    seats: Sequence[Any],
    held: Sequence[Any],
    most: int,
) -> str:
    ticks_at = sorted({0, most // 2, most})
    left, foot = _with_axis(size, ticks_at).left, float(size.height - BOTTOM)
    stride, room = (size.width - left - 8) / len(labels), foot - TOP
    bars = "".join(
        _stack(left + stride * at, foot, stride, room / most, moment, seats, shares)
        for at, (moment, shares) in enumerate(zip(moments, held, strict=True))
    )
    bars += _turns(size, labels, left, stride, size.height)
    ticks = "".join(
        f'<text class="tick" x="{left - 8}" y="{round(TOP + room * (1 - tick / most) + 4, 1)}" text-anchor="end">'
        f"{short(tick)}</text>"
        for tick in ticks_at
    )
    return _svg(size, key, title, size.height, ticks + bars)


def _stack(
    x: float, foot: float, stride: float, scale: float, moment: str, seats: Sequence[Any], held: Sequence[int]
) -> str:
    parts, top = [], foot
    width, left = round(min(stride * 0.8, 64), 1), round(x + stride / 2, 1)
    for place, shares in zip(seats, held, strict=False):
        if shares:
            height = round(shares * scale, 1)
            top = round(top - height, 1)
            text = escape(f"{apart(shown_to(place))}, {moment}: {count('{n} share', '{n} shares', shares)}")
            letter = (
                f'<text class="letter" x="{left}" y="{round(top + height / 2 + 4, 1)}">{escape(place.letter)}</text>'
                if height >= 14 and width >= 12
                else ""
            )
            parts.append(
                f'<g class="pt {place.css}" role="img" tabindex="-1" aria-label="{text}"><title>{text}</title>'
                f'<rect class="share" x="{round(left - width / 2, 1)}" y="{top}" width="{width}" height="{height}"/>'
                f"{letter}</g>"
            )
    return f'<g class="series">{"".join(parts)}</g>'
