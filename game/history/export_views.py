"""Exports of what a reader may know of a game: tables, ledger and log, as CSV and JSON."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from game.boards.sheets import Cell, Sheet
from game.engine.language import ENGLISH, say, speaking
from game.engine.phrases import either
from game.history.game_log import tell
from game.history.ledger import account_name, may_read_books, movements_of
from game.history.past import course_of, whole_log
from game.history.viewer import Sight, sight_of
from game.history.views import find_played
from game.play.pages import private

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""Characters with which a spreadsheet program starts a formula."""
LEDGER, LOG = "ledger", "log"


class Export(NamedTuple):
    """A table to download: a key for each column, and rows with one cell a column."""

    columns: Sequence[str]
    rows: Iterable[Sequence[Cell]]


@require_safe
def download(request: HttpRequest, game_id: int, what: str, form: str) -> HttpResponse:
    """One table; 404 if it does not exist or the reader may not have it yet."""
    game = find_played(request, game_id)
    write = FORMS.get(form)
    if write is None:
        raise Http404(say("A table is exported as {forms}, not as {form}.", forms=either(FORMS), form=form))
    sight = sight_of(game, request.user)
    response = write(sight, what, _export_of(sight, what))
    name = slugify(game.name) or f"game-{game.pk}"
    response["Content-Disposition"] = f'attachment; filename="{name}-{what}.{form}"'
    return private(response)


def _export_of(sight: Sight, what: str) -> Export:
    if what == LOG:
        return _log_export(sight)
    if what == LEDGER:
        return _ledger_export(sight)
    with speaking(ENGLISH):  # programs read the keys of these tables
        sheet = next((sheet for sheet in sight.sheets() if sheet.key == what), None)
    if sheet is None:
        raise Http404(say("This game has no table {what}.", what=what))
    return _table_export(sheet)


def _table_export(sheet: Sheet) -> Export:
    columns = (sheet.subject.lower(), *(column.key for column in sheet.columns))
    return Export(columns, [(row.name, *row.cells) for row in sheet.rows])


def _ledger_export(sight: Sight) -> Export:
    if not may_read_books(sight.game):
        raise Http404(say("The ledger of this game can be read when the game is over."))
    with speaking(ENGLISH):  # like the tables: account names do not depend on the reader's language
        rows = [
            (
                movement.at.astimezone(UTC).isoformat(timespec="seconds"),
                movement.transfer.turn,
                movement.transfer.serial,
                account_name(movement.transfer.payer, sight.names),
                account_name(movement.transfer.payee, sight.names),
                movement.transfer.amount,
                movement.transfer.why,
            )
            for movement in movements_of(sight.game, course_of(sight.game))
        ]
    return Export(("at", "turn", "phase_serial", "from", "to", "amount", "reason"), rows)


def _log_export(sight: Sight) -> Export:
    """Every sentence that the reader may see, oldest first."""
    game, names = sight.game, sight.names
    entries = whole_log(game, course_of(game))
    chapters = tell(
        entries,
        flow=game.rules.flow(game.read_options()),
        names=names,
        seat=sight.seat,
        revealed=sight.is_over,
    )
    rows = [
        (chapter.at.astimezone(UTC).isoformat(timespec="seconds"), chapter.turn, chapter.title, line.topic, line.text,
         line.figure)
        for chapter in reversed(chapters) for line in chapter.entries
    ]  # fmt: skip
    return Export(("at", "turn", "phase", "topic", "text", "figure"), rows)


def _csv_response(sight: Sight, what: str, export: Export) -> HttpResponse:
    buffer = io.StringIO("\ufeff", newline="")  # without this mark Excel assumes a local encoding
    buffer.seek(0, io.SEEK_END)
    writer = csv.writer(buffer)
    writer.writerow(export.columns)
    writer.writerows([harmless(cell) for cell in row] for row in export.rows)
    return HttpResponse(buffer.getvalue(), content_type="text/csv; charset=utf-8")


def harmless(cell: Cell) -> Any:
    """A cell that no spreadsheet program runs: text that looks like a formula gets a leading apostrophe."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULAS) else cell


def _json_response(sight: Sight, what: str, export: Export) -> HttpResponse:
    game = sight.game
    header = {"game": game.pk, "name": game.name, "ruleset": game.ruleset, "turn": sight.view.turn, "table": what}
    rows = [dict(zip(export.columns, row, strict=True)) for row in export.rows]
    return JsonResponse({**header, "is_over": sight.is_over, "columns": list(export.columns), "rows": rows})


FORMS: dict[str, Callable[[Sight, str, Export], HttpResponse]] = {"csv": _csv_response, "json": _json_response}
