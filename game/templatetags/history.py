"""The past of a game: its log by phases, the scrubber through its moments, and the cells of its spreadsheet.

Rendered in Python, because a template takes ten times as long for rows by the dozen."""

from collections.abc import Callable, Sequence
from functools import partial
from html import escape
from itertools import groupby
from json import dumps
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.boards.drawing import icon, seat
from game.boards.rulebook import Rulebook
from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.engine.language import kept, say, say_as
from game.engine.phrases import thousands
from game.engine.ruleset import Ruleset
from game.history.game_log import Line
from game.templatetags.links import cited_in, figure_links_of, rulebook_of
from game.templatetags.marks import TONE_ICONS, change
from game.templatetags.times import moment

register = template.Library()

OPEN_LINES = 60
LONG_CELL = 32  # letters; a longer text goes on in a second line
KEPT_CHAPTERS = 512  # about two kilobytes each
TOPIC_ICONS = {"order": "seal", "price": "market", "vote": "crowd", "money": "money"}
EXPLAINED_SHEETS = frozenset({"companies", "players"})  # tables whose rows have explainable figures


@register.simple_tag(takes_context=True)
def log_chapters(context: Context, chapters: Sequence[Any]) -> SafeString:
    """The log by phases: the newest of the current turn are open, and in games of turns those since the reader's last
    decision; older ones are folded by turn."""
    times = {at: moment(at, "D") for at in {chapter.at for chapter in chapters}}
    happened = context.get("happened")
    split = open_chapters(chapters, (happened.version or 0) if happened and happened.deeds else None)
    marks = [seat(place, "seat--s") for place in context["seats"]]
    rows = [log_chapter(context, marks, chapter, times[chapter.at]) for chapter in chapters]
    folds = groupby(range(split, len(chapters)), key=lambda i: chapters[i].turn)
    rules = context["board"].rules
    folded = [fold(fold_words(rules, chapters, split, turn), turn, [rows[i] for i in places]) for turn, places in folds]
    return SafeString("\n".join([*rows[:split], *folded]))


@register.simple_tag(takes_context=True)
def round_chapters(context: Context, chapters: Sequence[Any]) -> SafeString:
    """Some chapters of the log, all open."""
    marks = [seat(place, "seat--s") for place in context["seats"]]
    return SafeString("\n".join(log_chapter(context, marks, chapter, moment(chapter.at, "D")) for chapter in chapters))


def open_chapters(chapters: Sequence[Any], since: int | None = None) -> int:
    """The number of open chapters, newest first: those of one turn and those since a version, within a limit of
    lines."""
    lines = 0
    for number, chapter in enumerate(chapters):
        lines += len(chapter.entries)
        is_new = chapter.turn == chapters[0].turn or (since is not None and chapter.version > since)
        if number and (not is_new or lines > OPEN_LINES):
            return number
    return len(chapters)


@register.filter
def turn_now(game: Any) -> str:
    """The turn of a game, within a sentence."""
    return str(game.rules.turn_inside(game.turn))


def fold_words(rules: Ruleset, chapters: Sequence[Any], split: int, turn: int) -> str:
    if chapters[split - 1].turn == turn:
        return say("{turn}, earlier", turn=rules.turn_words(turn)) if turn else say("The start, earlier")
    return rules.turn_words(turn) if turn else say("The start")


def fold(words: str, turn: int, chapters: Sequence[str]) -> str:
    """A part that folds; its id lets a refreshed page keep it open."""
    inner = "\n".join(chapters)
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
    text, figure = cited_in(book, page, entry.text), escape(entry.figure) if entry.figure else ""
    return f'<p class="entry k-{entry.topic}{mine}">{mark}<span>{text}</span><span class="fig">{figure}</span></p>'


@register.simple_tag
def turn_links(past: Any) -> SafeString:
    """A link to the first moment of every turn."""
    here = past.stop.turn
    return SafeString(
        "".join(
            f'<a href="?at={serial}"{_current(turn == here)}>{_turn(turn)}</a>' for turn, serial in past.turns.items()
        )
    )


@register.simple_tag
def ticks(past: Any) -> SafeString:
    """A mark per moment of the viewed turn; a tall one required a decision."""
    return SafeString("".join(_tick(moment, moment.serial == past.stop.serial) for moment in past.of_turn))


def _tick(moment: Any, is_here: bool) -> str:
    kind = "now" if is_here else "waits" if moment.waits else "passes"
    title = escape(moment.title)
    return (
        f'<li class="tk tk--{kind}"><a href="?at={moment.serial}" title="{title}"{_current(is_here)}>'
        f'<span class="vh">{title}</span></a><span class="tk-n" aria-hidden="true">{escape(moment.number)}</span></li>'
    )


@register.simple_tag
def moment_list(past: Any) -> SafeString:
    """The moments of the turn by name, as a list."""
    return SafeString(
        "".join(
            f'<li><a href="?at={moment.serial}"{_current(moment.serial == past.stop.serial)}>{escape(moment.title)}</a>'
            "</li>"
            for moment in past.of_turn
        )
    )


@register.simple_tag
def moments_json(past: Any) -> SafeString:
    """Serial and title of every moment, for the script."""
    return SafeString(escape(dumps([(moment.serial, moment.title) for moment in past.moments], separators=(",", ":"))))


def _turn(turn: int) -> str:
    return str(turn) if turn else say_as("moment", "Start")


def _current(is_here: bool) -> str:
    return ' aria-current="true"' if is_here else ""


@register.simple_tag
def sheet_cells(cells: Sequence[Cell]) -> SafeString:
    """The cells of a row after its name; the script sorts by `data-sort`."""
    return SafeString("".join(map(cell_html, cells)))


@register.simple_tag(takes_context=True)
def explained_cells(context: Context, sheet: Sheet, row: SheetRow) -> SafeString:
    """A row's cells with signs on changes; figures with an explanation link to it."""
    return SafeString("".join(_cells_of(context, sheet, row)))


@register.simple_tag(takes_context=True)
def headed_cells(context: Context, sheet: Sheet, row: SheetRow) -> SafeString:
    """A row's cells, each with its heading: on a phone, these tables show one cell a line."""
    cells = zip(sheet.columns, _cells_of(context, sheet, row), strict=True)
    return SafeString(
        "".join(cell.replace("<td", f'<td data-heading="{escape(column.title)}"', 1) for column, cell in cells)
    )


def _cells_of(context: Context, sheet: Sheet, row: SheetRow) -> list[str]:
    if row.tone:
        return [*map(partial(_told_cell, row.tone), sheet.columns, row.cells)]
    you, figure = context["view"].seat, str
    if sheet.key in EXPLAINED_SHEETS or sheet.moment:
        links = figure_links_of(context["game"], sheet.moment or None)
        return [
            _figure_cell(column, cell, partial(links.of, column.key, row.key), you)
            for column, cell in zip(sheet.columns, row.cells, strict=True)
        ]
    return [_figure_cell(column, cell, figure, you) for column, cell in zip(sheet.columns, row.cells, strict=True)]


@register.simple_tag(takes_context=True)
def total_cells(context: Context, sheet: Sheet) -> SafeString:
    """The totals of a table, under its columns."""
    cells = zip(sheet.columns, sheet.totals, strict=True)
    return SafeString("".join(_figure_cell(column, cell, str, context["view"].seat) for column, cell in cells))


def _figure_cell(column: Column, cell: Cell, figure: Callable[[str], str], you: int | None) -> str:
    if column.seat is not None:
        mine = ' class="mine"' if column.seat == you else ""
        text = figure(thousands(cell)) if isinstance(cell, int) and cell else ""
        return f'<td data-sort="{cell or 0}"{mine}>{text}</td>'
    return change_cell(cell) if column.is_change else cell_html(cell, figure)


def change_cell(cell: Cell) -> str:
    """A signed figure; nothing where none is known."""
    return f'<td data-sort="{cell}">{change(cell)}</td>' if isinstance(cell, int) else "<td></td>"


def _told_cell(tone: str, column: Column, cell: Cell) -> str:
    is_outcome = column.key == "outcome" and isinstance(cell, str) and cell
    if is_outcome:
        return badge_cell(tone, str(cell))
    return change_cell(cell) if column.is_change else cell_html(cell)


def badge_cell(tone: str, text: str) -> str:
    return f'<td class="l"><span class="badge badge--{tone}">{icon(TONE_ICONS[tone])}{escape(text)}</span></td>'


def cell_html(cell: Cell, figure: Callable[[str], str] = str) -> str:
    """A cell; `figure` formats a number."""
    match cell:
        case None | "":
            return "<td></td>"
        case bool():
            return f'<td data-sort="{cell:d}">{say("yes") if cell else say("no")}</td>'
        case int():
            quiet = "" if cell else ' class="muted"'
            return f'<td data-sort="{cell}"{quiet}>{figure(thousands(cell))}</td>'
        case _:
            wraps = " wraps" if len(cell) > LONG_CELL else ""
            return f'<td class="l{wraps}">{escape(cell.replace("_", " "))}</td>'
