"""The frame of pages and emails: tabs of a game, form tokens, texts of scripts, parts in the other template language.

Built into every Django template, so that user text can be isolated everywhere: `{{ game.name|apart }}`."""

from __future__ import annotations

import json
from secrets import token_hex
from typing import NamedTuple

from django import template
from django.template import Context, engines
from django.template.backends.jinja2 import Jinja2
from django.template.loader import get_template
from django.urls import reverse
from django.utils.safestring import SafeString

from game.chat.page import ChatLink
from game.engine.language import kept, mark, say
from game.lobby.copies import may_copy
from game.store.game import Status
from game.templatetags.isolated_i18n import isolated


class Tab(NamedTuple):
    """A page of a game: its key, the title of its tab, and its URL name, which takes the game's number.

    `is_of_the_end`: the page does not exist before the game is over."""

    key: str
    title: str
    view: str
    is_of_the_end: bool = False


TABS = (
    Tab("board", mark("Board"), "game"),
    Tab("results", mark("Results"), "game_results"),
    Tab("story", mark("Story"), "game_story", is_of_the_end=True),
    Tab("history", mark("History"), "game_history"),
    Tab("spreadsheet", mark("Spreadsheet"), "game_spreadsheet"),
    Tab("charts", mark("Charts"), "game_charts"),
)


def tabs_of(*, is_over: bool) -> tuple[Tab, ...]:
    """The tabs of a game, by whether it is over."""
    return tuple(tab for tab in TABS if is_over or not tab.is_of_the_end)


register = template.Library()
register.filter("apart", isolated, is_safe=True)

BEGINS_WITH_A_NAME = {"mention", "proxied", "invited"}
"""Notices whose line begins with a player's name, whose spelling stays."""
SCRIPT_WORDS = {
    "explain": {"page": mark("As a page")},
    "live": {"unread": mark("({unread} new)")},
    "requests": {
        "slow": mark("Waiting for an answer …"),
        "away": mark("No connection. Trying again …"),
        "unheard": mark("No connection."),
        "untaken": mark("Something went wrong."),
        "unsaved": mark("Not saved yet; your entries are still here."),
        "again": mark("It is sent again automatically. Leave this page open."),
        "unsent": mark("Nothing was submitted. Press again in a moment."),
        "other": mark(
            "{name} is no longer signed in here. Nothing was sent, and what you entered is still here. Sign in again "
            "as {name} in another tab, then press again."
        ),
    },
    "ticket": {
        "price": mark("{company} is now {now}, was {was}."),
        "chosen": mark("{chosen} of {most} chosen"),
    },
}


@register.simple_tag(takes_context=True)
def game_tabs(context: Context) -> SafeString:
    """The game's tabs, the open one marked; the chat is last, for those who may read it. Readers who only have the link
    of a copy see its board alone."""
    game, chat, is_seated = context["game"], context["chat"], bool(context.get("you"))
    if game.is_copy and not is_seated:
        return SafeString("")
    tabs = tabs_html(game.pk, context["tab"], game.status == Status.FINISHED)
    if is_seated and may_copy(game):
        tabs += SafeString(f'<a href="{reverse("copy", args=[game.pk])}">{say("Try it out")}</a>')
    return tabs if chat is None else tabs + chat_tab(chat, context["tab"] == "chat")


@kept(1024)
def tabs_html(game_id: int, current: str, is_over: bool) -> SafeString:
    tabs = tabs_of(is_over=is_over)
    marks = (' aria-current="page"' if tab.key == current else "" for tab in tabs)
    links = (
        f'<a href="{reverse(tab.view, args=[game_id])}"{mark}>{say(tab.title)}</a>'
        for tab, mark in zip(tabs, marks, strict=True)
    )
    return SafeString("".join(links))


def chat_tab(chat: ChatLink, is_here: bool) -> SafeString:
    """The chat tab with its unread count, which live.js updates."""
    hidden, current = "" if chat.unread else " hidden", ' aria-current="true"' if is_here else ""
    count = f'<span class="count" data-unread{hidden}>{chat.unread}<span class="vh"> {say("new")}</span></span>'
    return SafeString(f'<a href="{chat.url}"{current}>{chat.title} {count}</a>')


@register.simple_tag
@kept()
def script_words(script: str) -> str:
    """The texts of a script as JSON, for the attribute `data-words` of its tag, whose id is the script's name."""
    return json.dumps({name: say(text) for name, text in SCRIPT_WORDS[script].items()}, ensure_ascii=False)


@register.simple_tag
def form_token() -> SafeString:
    """A hidden field that makes a form idempotent (`game.infra.idempotency`)."""
    return SafeString(f'<input type="hidden" name="token" value="{token_hex(16)}" data-once>')


@register.simple_tag(takes_context=True)
def jinja(context: Context, name: str) -> SafeString:
    """Include a template from templates/jinja/ with the context of this page."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    return SafeString(engine.env.get_template(name).render(context.flatten()))


@register.simple_tag(takes_context=True)
def one_line(context: Context, name: str) -> SafeString:
    """Another template on one line: in plain text every line break would show.

    It escapes like the including template."""
    source = get_template(name).template  # type: ignore[attr-defined]
    return SafeString(" ".join(source.render(context).split()))


@register.simple_tag(takes_context=True)
def capital_line(context: Context, name: str) -> SafeString:
    """The line with a capital, where it does not follow the name of its game. Expects `one`."""
    line = one_line(context, name)
    if context["one"].notice.kind in BEGINS_WITH_A_NAME:
        return line
    return SafeString(line[:1].upper() + line[1:])
