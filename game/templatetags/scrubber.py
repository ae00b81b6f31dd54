"""The tabs of a game, and the scrubber for its past."""

from collections.abc import Sequence
from html import escape
from json import dumps
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString

from game.chat.page import ChatLink
from game.engine.language import kept, say, say_as
from game.store.game import Status
from game.store.tabs import tabs_of

register = template.Library()


@register.simple_tag(takes_context=True)
def game_tabs(context: Context) -> SafeString:
    """The game's tabs, the open one marked; the chat is last, for those who may read it."""
    game, chat = context["game"], context["chat"]
    tabs = tabs_html(game.pk, context["tab"], game.status == Status.FINISHED)
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
    hidden = "" if chat.unread else " hidden"
    count = f'<span class="count" data-unread{hidden}>{chat.unread}<span class="vh"> {say("new")}</span></span>'
    return SafeString(f'<a href="{chat.url}"{_current(is_here)}>{chat.title} {count}</a>')


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
    said = escape(moment.title)
    return (
        f'<li class="tk tk--{kind}"><a href="?at={moment.serial}" title="{said}"{_current(is_here)}>'
        f'<span class="vh">{said}</span></a><span class="tk-n" aria-hidden="true">{escape(moment.number)}</span></li>'
    )


@register.simple_tag
def moment_list(past: Any) -> SafeString:
    """The same moments by name, as a list."""
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
    return SafeString(escape(dumps(_pairs(past.moments), separators=(",", ":"))))


def _pairs(moments: Sequence[Any]) -> list[tuple[int, str]]:
    return [(moment.serial, moment.title) for moment in moments]


def _turn(turn: int) -> str:
    return str(turn) if turn else say_as("moment", "Start")


def _current(is_here: bool) -> str:
    return ' aria-current="true"' if is_here else ""
