"""The tables on the front page: games that look for players, that are played now, and that are over."""

from __future__ import annotations

from typing import Any

from django.db import Error
from django.db.models import F, Q

from game.engine.language import count, say
from game.lobby.browse_queries import SECTIONS, ListQuery, count_sections, games_of, in_section, may_open
from game.lobby.browse_rows import rows_of
from game.store.game import Game, Seat

MOST = 4  # games in each list
LATEST = (F("finished_at").desc(nulls_last=True), F("started_at").desc(nulls_last=True), "-pk")


def front_tables() -> dict[str, Any]:
    """What a visitor may see of the site's games: the latest of each list, and how many people play. Nothing while the
    database is away, so that the page still answers."""
    try:
        return _read_tables()
    except Error:
        return {"tables": {}, "tables_words": ""}


def _read_tables() -> dict[str, Any]:
    latest = [games_of(None, ListQuery(show)).order_by(*LATEST).values("pk")[:MOST] for show in SECTIONS]
    newest_open, newest_running, newest_finished = latest
    games = Game.objects.filter(
        Q(pk__in=newest_open) | Q(pk__in=newest_running) | Q(pk__in=newest_finished),
    )
    rows = rows_of(None, games.order_by(*LATEST))
    tables = {show: [row for row in rows if row.section == show] for show in SECTIONS}
    return {"tables": tables, "tables_words": _tables_words() if rows else ""}


def _tables_words() -> str:
    """`12 people play at 5 tables now; 3 tables look for players.`"""
    counts = count_sections(None, ListQuery(), Q())
    playing = Seat.objects.filter(
        game__in=Game.objects.filter(may_open(None), in_section("running", Q()), lesson="").values("pk"),
        user__is_bot=False,
        user__is_guest=False,
    )
    people = count("{n} person plays", "{n} people play", playing.values("user_id").distinct().count())
    tables = count("{n} table", "{n} tables", counts["running"])
    looking = count("{n} table looks for players", "{n} tables look for players", counts["open"])
    if not counts["running"]:
        return say("{looking} now.", looking=looking)
    return say("{people} at {tables} now; {looking}.", people=people, tables=tables, looking=looking)
