"""Table rows that a page prints by the dozen: rendered in Python, because a template takes ten times as long."""

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.boards.rulebook import Rulebook
from game.engine.language import kept, say
from game.history.game_log import Line
from game.templatetags.marks import icon, seat, seat_name
from game.templatetags.rules import cited_in, rulebook_of
from game.templatetags.times import moment
from game.templatetags.words import order_words

register = template.Library()

OPEN_LINES = 60
KEPT_CHAPTERS = 512  # about two kilobytes each
TOPIC_ICONS = {"order": "seal", "price": "market", "vote": "crowd", "money": "money"}


@register.simple_tag
def holding_cells(player: Any, companies: Sequence[Any]) -> SafeString:
    """A player's shares of each company, empty for none."""
    return SafeString("".join(f"<td>{player.holdings.get(company.ticker, '')}</td>" for company in companies))


@register.simple_tag(takes_context=True)
def log_chapters(context: Context, chapters: Sequence[Any]) -> SafeString:
    """The log by phases: the newest of the current turn are open, older ones folded by turn."""
    times = {at: moment(at, "D") for at in {chapter.at for chapter in chapters}}
    split = open_chapters(chapters)
    marks = [seat(place, "seat--s") for place in context["seats"]]
    told = [log_chapter(context, marks, chapter, times[chapter.at]) for chapter in chapters]
    folds = groupby(range(split, len(chapters)), key=lambda i: chapters[i].turn)
    folded = [fold(fold_words(chapters, split, turn), turn, [told[i] for i in rows]) for turn, rows in folds]
    return SafeString("\n".join([*told[:split], *folded]))


@register.simple_tag(takes_context=True)
def round_chapters(context: Context, chapters: Sequence[Any]) -> SafeString:
    """Some chapters of the log, all open."""
    marks = [seat(place, "seat--s") for place in context["seats"]]
    return SafeString("\n".join(log_chapter(context, marks, chapter, moment(chapter.at, "D")) for chapter in chapters))


def open_chapters(chapters: Sequence[Any]) -> int:
    """How many chapters, newest first, are open: those of one turn, within a limit of lines."""
    lines = 0
    for number, chapter in enumerate(chapters):
        lines += len(chapter.entries)
        if number and (chapter.turn != chapters[0].turn or lines > OPEN_LINES):
            return number
    return len(chapters)


def fold_words(chapters: Sequence[Any], split: int, turn: int) -> str:
    if chapters[split - 1].turn == turn:
        return say("Turn {turn}, earlier" if turn else "The start, earlier", turn=turn)
    return say("Turn {turn}" if turn else "The start", turn=turn)


def fold(words: str, turn: int, told: Sequence[str]) -> str:
    """The id lets a refreshed page keep it open."""
    inner = "\n".join(told)
    return f'<details class="log-old" id="log-turn-{turn}"><summary>{words}</summary>\n{inner}</details>'


def log_chapter(context: Context, marks: Sequence[str], chapter: Any, when: str) -> str:
    lines = log_entries(*rulebook_of(context), tuple(marks), tuple(chapter.entries))
    return f'<h3 class="log-ph">{escape(chapter.title)} {when}</h3>\n{lines}'


@kept(KEPT_CHAPTERS)
def log_entries(book: Rulebook | None, page: str, marks: tuple[str, ...], entries: tuple[Line, ...]) -> str:
    """The lines of a chapter, cached."""
    return "".join([log_entry(book, page, marks, entry) for entry in entries])


def log_entry(book: Rulebook | None, page: str, marks: Sequence[str], entry: Line) -> str:
    mark = icon(TOPIC_ICONS.get(entry.topic, "next")) if entry.seat is None else marks[entry.seat]
    mine = " k-mine" if entry.mine else ""
    told, figure = cited_in(book, page, entry.text), escape(entry.figure) if entry.figure else ""
    return f'<p class="entry k-{entry.topic}{mine}">{mark}<span>{told}</span><span class="fig">{figure}</span></p>'


@register.simple_tag(takes_context=True)
def order_rows(context: Context, orders: Iterable[Any]) -> SafeString:
    """Open orders; the reader's own are marked."""
    return SafeString("".join(order_row(context, order) for order in orders))


def order_row(context: Context, order: Any) -> str:
    mine = ' class="you"' if order.seat == context["view"].seat else ""
    badge = seat(context["seats"][order.seat], "seat--s")
    who = f'<span class="cell-p">{badge}{escape(seat_name(context, order.seat))}</span>'
    words = f'<td class="l">{escape(order_words(order))}</td><td>{order.price or ""}</td>'
    return f'<tr{mine}><th scope="row">{who}</th>{words}</tr>'
