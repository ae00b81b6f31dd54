"""The rulebooks: their list, and one of them to read, search and print."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from game.boards.registry import board_of
from game.boards.rulebook import Rulebook, Variant, pages_of
from game.boards.rulebook.search import find
from game.deadlines.paces import length_of
from game.engine.language import ENGLISH, say, spoken
from game.rulesets.registry import RULESETS


@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    boards = [board_of(key) for key in RULESETS]
    books = [{"book": board.book, "pitch": say(board.pitch)} for board in boards if board.book]
    return render(request, "rules/index.html", {"page": "rules", "books": books})


@require_safe
def rulebook(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of a game for one variant; with a query, only the matching parts."""
    book = _book(key)
    if book is None:
        return render(request, "rules/none.html", {"title": RULESETS[key].title}, status=404)
    variant = _variant(request, book)
    pages, query = pages_of(book, variant.key, length_of), request.GET.get("q", "").strip()
    full_title = f"{book.title}, {say(variant.title)}" if variant.title else book.title
    context: dict[str, Any] = {
        "page": "rules",
        "book": book,
        "styles": board_of(key).styles if book.pictures else (),
        "pages": pages,
        "turn": pages.turn,
        "variant": variant,
        "is_foreign": spoken() is not ENGLISH,
        "here": book.query(variant.key),
        "heading": say("{query} in the rules of {book}" if query else "Rules of {book}", query=query, book=full_title),
        "query": query,
        "hits": None,
    }
    if query:
        away = reverse("rulebook", args=[book.key]) + book.query(variant.key)
        hits = [section.linked_to(away) for section in find(pages, query, book.numbering)]
        context |= {"hits": hits, "away": away}
    return render(request, "rules/rulebook.html", context)


def _book(key: str) -> Rulebook | None:
    """The rulebook of a game of this site, if it has one."""
    if key not in RULESETS:
        raise Http404(say("There is no such game."))
    return board_of(key).book


def _variant(request: HttpRequest, book: Rulebook) -> Variant:
    """The requested variant, or the default if there is none of that name."""
    key: Any = request.GET.get(book.option, "") if book.option else ""
    return book.by_key.get(key, book.usual)
