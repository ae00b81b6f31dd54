"""The page of a list of games: its filters with addresses, its rows and its counts. A reader sees the games that they
may open: open games, and private ones in which they play or to which they were invited by name."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import F, Q

from accounts.models import User
from game.engine.language import mark, mark_as, say, say_as
from game.lobby.browse_queries import PAGE, SECTIONS, ListQuery, NoSuchList, count_sections, games_of, joinable_by
from game.lobby.browse_rows import rows_of
from game.lobby.game_words import PACES
from game.rulesets.registry import RULESETS
from game.store.game import Pace
from game.store.readers import Reader

TABS = {
    "open": mark_as("games", "Open"),
    "running": mark_as("games", "Running"),
    "finished": mark_as("games", "Finished"),
}
HINTS = {"open": mark("waiting for players"), "running": mark("to watch"), "finished": mark("to read, phase by phase")}
ALL_LINKS = {
    "open": mark("Show all open games"),
    "running": mark("Show all running games"),
    "finished": mark("Show all finished games"),
}
ORDERS = {"open": F("created_at"), "running": F("started_at"), "finished": F("finished_at")}


def browse_context(*, user: Reader, query: ListQuery) -> dict[str, Any]:
    """A page of a list: six queries for any number of games. Raises `NoSuchList` after its last page."""
    joinable = joinable_by(user) if query.may_join else Q()
    counts = count_sections(user, query, joinable)
    count = counts[query.show]
    last_page = max(1, -(-count // PAGE))
    if query.page > last_page:
        raise NoSuchList(_no_page_text(query.page, last_page))
    first = (query.page - 1) * PAGE
    games = games_of(user, query, joinable).order_by(ORDERS[query.show].desc(nulls_last=True), "-pk")
    rows = rows_of(user, games[first : first + PAGE]) if count else []
    return {
        "page": query.show,
        "query": query,
        "title": say(SECTIONS[query.show]),
        "hint": say(HINTS[query.show]),
        "sections": [
            (say_as("games", TABS[key]), _url_with(query, show=key), counts[key], key == query.show) for key in SECTIONS
        ],
        "filters": _filters(query, is_visitor=not isinstance(user, User)),
        "rows": rows,
        "count": count,
        "first": first + 1,
        "until": first + len(rows),
        "earlier_url": replace(query, page=query.page - 1).url if query.page > 1 else "",
        "later_url": replace(query, page=query.page + 1).url if query.page < last_page else "",
        "is_filtered": bool(query.mine or query.game or query.pace or query.may_join),
        "all_url": ListQuery(query.show).url,
        "all_words": say(ALL_LINKS[query.show]),
    }


def _no_page_text(page: int, last: int) -> str:
    if last == 1:
        return say("There is no page {page} of this list; there is one.", page=page)
    return say("There is no page {page} of this list; the last is {last}.", page=page, last=last)


def _url_with(query: ListQuery, **changes: Any) -> str:
    """The URL of the first page with another choice in one filter."""
    return replace(query, page=1, **changes).url


def _filters(query: ListQuery, *, is_visitor: bool) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Groups of links, each with a label: title, address, whether it is selected. A visitor has no games, and may join
    none."""
    owner_links = [
        (say("Everyone’s"), _url_with(query, mine=False), not query.mine),
        (say("Mine"), _url_with(query, mine=True), query.mine),
    ]
    game_links = [(say("All games"), _url_with(query, game=""), not query.game)]
    game_links += [(say(rules.title), _url_with(query, game=key), query.game == key) for key, rules in RULESETS.items()]
    pace_links = [(say("Any pace"), _url_with(query, pace=""), not query.pace)]
    pace_links += [(say(str(Pace(pace).label)), _url_with(query, pace=pace), query.pace == pace) for pace in PACES]
    game_group = [(say("Which game"), game_links)] if len(RULESETS) > 1 else []
    join_links = [
        (say("All open games"), _url_with(query, may_join=False), not query.may_join),
        (say("Games I can join"), _url_with(query, may_join=True), query.may_join),
    ]
    join_group = [(say("Who may join"), join_links)] if query.show == "open" else []
    everybodys = [*game_group, (say("Which pace"), pace_links)]
    return everybodys if is_visitor else [(say("Whose games"), owner_links), *everybodys, *join_group]
