"""The Jinja2 environment: every tag and filter of the Django templates, under the same name, and those of the
boards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from inspect import signature
from typing import Any, NamedTuple

from django.conf import settings
from django.template import Library
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django_htmx.jinja import htmx_script
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import escape

from game.boards.registry import BOARDS
from game.engine.language import apart, forms_of, grouped, kept, say, say_as
from game.history.past import Stop
from game.outbox.reachability import Reachability
from game.store.pending import PendingDecisions
from game.templatetags import auto, charts, frame, history, links, marks, table, times
from game.web.jinja_parts import Pages

LIBRARIES = (auto, charts, frame, history, links, marks, table, times)
# Defaults for what a page may omit. Any other undefined name is an error.
OPTIONAL: dict[str, Any] = {"page": "", "live_url": "", "theme": "", "language": "en", "oob": False, "csp_nonce": ""}
OPTIONAL |= {
    "tab": "board",
    "lesson": None,
    "note": None,
    "past": None,
    "happened": None,
    "summary": None,
    "finish": None,
    "clock_actions": None,
    "rewinding": None,
    "briefing": None,
    "kept": None,
    "stands_in": None,
    "leave": None,
    "seat_view": None,
    "copy": None,
}
OPTIONAL |= {"plays": False, "swaps": False, "sections": (), "chat": None, "ratings": {}}
OPTIONAL |= {"needs": PendingDecisions(None), "reach": Reachability(None, None)}


def environment(**options: Any) -> Environment:
    """The environment for Django's Jinja2 backend. All templates, a few hundred, stay cached."""
    pages = Pages(cache_size=-1, extensions=["jinja2.ext.i18n"], **options)
    pages.policies["ext.i18n.trimmed"] = True
    pages.newstyle_gettext = True  # type: ignore[attr-defined]
    tags: dict[str, Callable[..., Any]]
    tags = {"static": cache(static), "url": url, "csrf_field": csrf_field, "htmx_script": cache(htmx_script)}
    tags |= {"_": gettext, "gettext": gettext, "ngettext": ngettext, "pgettext": pgettext}
    tags |= {"constant": constant_of(pages), "once": once}
    tags |= {"languages": lambda: settings.LANGUAGES}
    for module in LIBRARIES:
        pages.filters |= module.register.filters
        tags |= functions_of(module.register)
    for board in BOARDS.values():
        pages.filters |= {each.__name__: each for each in board.filters}
        tags |= {tag.__name__: with_context(tag) for tag in board.tags}
    pages.globals |= tags | OPTIONAL | {"board_icons": [board.icons for board in BOARDS.values() if board.icons]}
    pages.tags = {tag: takes_context(tag) for tag in tags.values()}
    return pages


def constant_of(pages: Environment) -> Callable[[str], SafeString]:
    """A template part without variables, rendered once per language."""

    @kept()
    def constant(name: str) -> SafeString:
        return SafeString(pages.get_template(name).render())

    return constant


def gettext(text: str, /, **facts: Any) -> SafeString:
    """A text of a template, which is HTML, in the reader's language; the facts at `%(places)s` are escaped."""
    if not facts:
        return _without_facts(text)
    return SafeString(say(text) % {name: apart(escape(fact)) for name, fact in facts.items()})


def pgettext(meaning: str, text: str, /, **facts: Any) -> SafeString:
    return SafeString(say_as(meaning, text) % {name: apart(escape(fact)) for name, fact in facts.items()})


def ngettext(one: str, many: str, n: int, /, **facts: Any) -> SafeString:
    escaped = {name: grouped(fact) if type(fact) is int else apart(escape(fact)) for name, fact in facts.items()}
    return SafeString(forms_of(one, many)[n != 1] % escaped)


@kept()
def _without_facts(text: str) -> SafeString:
    return SafeString(say(text) % {})


def functions_of(library: Library) -> dict[str, Callable[..., Any]]:
    """The functions behind a library's simple tags; those that take Django's context get Jinja's."""
    functions = {name: vars(tag)["__wrapped__"] for name, tag in library.tags.items()}
    return {name: with_context(tag) for name, tag in functions.items()}


def with_context(tag: Callable[..., Any]) -> Callable[..., Any]:
    return pass_context(tag) if takes_context(tag) else tag


def takes_context(tag: Callable[..., Any]) -> bool:
    return next(iter(signature(tag).parameters), "") == "context"


@lru_cache(maxsize=4096)
def url(name: str, *args: Any) -> str:
    """The address of a view, cached: it depends only on the name and the arguments."""
    return reverse(name, args=args)


@pass_context
def csrf_field(context: Context, you: Any = None) -> SafeString:
    """The hidden fields of a form; one page has one token. A decision form of `you`, and every form where several seats
    share a device, names the seat for which it was drawn."""
    token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{context["csrf_token"]}">'
    seat = getattr(context.get("request"), "held_seat", you.number if you else None)
    return SafeString(token if seat is None else f'{token}<input type="hidden" name="for_seat" value="{seat}">')


class PartGame(NamedTuple):
    """The facts about its game that a cached part may use."""

    pk: int
    ruleset: str
    options: dict[str, Any]
    status: str


class PartPast(NamedTuple):
    """The facts about the past moment on display that a cached part may use."""

    stop: Stop


@pass_context
def once(context: Context, name: str, **facts: int | str) -> SafeString:
    """A part of the board, cached by position, names, course and `facts`. It gets nothing else, so it cannot contain a
    time, a token or anything of the panel."""
    game, seats, seat_view = context["game"], context["seats"], context["seat_view"]

    def render_part() -> SafeString:
        context_values = {fact: context[fact] for fact in ("view", "board", "seats", "you", "history")}
        context_values["game"] = PartGame(game.pk, game.ruleset, game.options, game.status)
        context_values["past"] = PartPast(context["past"].stop) if context["past"] else None
        context_values |= facts
        return SafeString(context.environment.get_template(name).render(context_values))

    part = f"{name} {facts}" if facts else name
    return seat_view.drawn(part, seats, render_part) if seat_view else render_part()
