"""The rulebook: which there are, and one of them to read, to search and to print."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from game.boards.registry import board_of
from game.rulebook import Book, Section, book
from game.rulebook.search import find
from game.rulebook.turn import turn_of
from game.rulesets.sectors.options import EDITIONS


@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    """The rulebooks of the site."""
    return render(request, "rules/index.html", {"page": "rules", "editions": _editions(None)})


@require_safe
def rulebook(request: HttpRequest, key: str) -> HttpResponse:
    """The rules of one edition; with a question, only what answers it."""
    if key != "sectors":
        raise Http404("There is no such rulebook.")
    edition = _edition(request)
    rules, query = book(key, edition), request.GET.get("q", "").strip()
    context = {
        "page": "rules",
        "book": rules,
        "query": query,
        "turn": turn_of(edition),
        "hits": find(rules, query) if query else None,
        "parts": _parts(rules),
        "editions": _editions(edition),
        "edition_words": _words(edition),
    }
    return render(request, "rules/rulebook.html", context)


def _edition(request: HttpRequest) -> int:
    """The edition asked for; the newest when none or none of ours is."""
    asked = request.GET.get("edition", "")
    return int(asked) if asked in {str(number) for number in EDITIONS} else max(EDITIONS)


def _editions(current: int | None) -> list[dict[str, Any]]:
    return [{"number": n, "words": _words(n), "is_current": n == current} for n in sorted(EDITIONS, reverse=True)]


def _words(edition: int) -> str:
    return board_of("sectors").options.in_words("edition", edition)


def _parts(rules: Book) -> list[tuple[Section, list[Section]]]:
    """Each part with its sections, for the contents."""
    parts: list[tuple[Section, list[Section]]] = []
    for is_part, sections in groupby(rules.sections, key=lambda section: section.is_part):
        if is_part:
            parts += [(section, []) for section in sections]
        else:
            parts[-1][1].extend(sections)
    return parts
