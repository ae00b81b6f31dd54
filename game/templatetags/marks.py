"""Small marks used everywhere: icons, seats, states and changes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from markupsafe import Markup

from game.boards.brief import won
from game.boards.drawing import icon, money, seat, seat_name, shown_to
from game.engine.language import kept, mark, say
from game.engine.phrases import inside, percent, thousands
from game.store.badges import person_url

register = template.Library()
register.filter("percent", percent)
register.filter("say", say)
register.filter("inside", inside)
register.filter("money", money)
register.simple_tag(icon)
register.simple_tag(seat)
register.simple_tag(seat_name, takes_context=True)

STATES = {
    "untouched": mark("Not started"),
    "draft": mark("Draft saved"),
    "submitted": mark("Submitted"),
    "ready": mark("Ready"),
    "none": mark("No decision"),
    "hidden": mark("Not shown"),
    "looking": mark("Viewing"),
    "seen": mark("Ready"),
    "acting": mark("Taking a turn"),
    "waiting": mark("Waiting"),
    "away": mark("Away"),
    "resigned": mark("Resigned"),
    "out": mark("Out of the game"),
}
KEEPERS = {"away": mark("away"), "resigned": mark("resigned")}
DRAWN_AS = {"looking": "none", "seen": "ready", "acting": "untouched", "waiting": "none"}
DRAWN_AS |= {"away": "none", "resigned": "none", "hidden": "none", "out": "none"}
TONE_ICONS = {"good": "s-ready", "bad": "warn", "neutral": "next"}
EMPTY = SafeString("")


@register.simple_tag
def state_icon(state: str) -> Markup:
    return icon(f"s-{DRAWN_AS.get(state, state)}", f"st st--{state}")


@register.filter
def tone_icon(tone: str) -> str:
    """The icon of an outcome, which repeats its colour as a shape."""
    return TONE_ICONS[tone]


@register.filter
def state_words(state: str) -> str:
    return say(STATES.get(state, state))


@register.simple_tag
@kept(4096)
def seats_deciding(places: tuple[Any, ...]) -> SafeString:
    """A list of the seats with their public state."""
    rows = ((seat(each, "seat--s"), state_icon(each.state), shown_to(each), state_words(each.state)) for each in places)
    return format_html_join("\n", '<li>{}{}<span class="vh">{}: {}</span></li>', rows)


@register.simple_tag
@kept(4096)
def seats_in(places: tuple[Any, ...]) -> SafeString:
    """The seats of a game in a row."""
    badges = ((seat(each, "seat--s"), shown_to(each)) for each in places)
    return format_html_join("", '{}<span class="vh">{}</span>', badges)


@register.simple_tag(takes_context=True)
def seat_no(context: Context, number: int, css: str = "") -> Markup:
    return seat(context["seats"][number], css)


@register.simple_tag(takes_context=True)
def seat_link(context: Context, number: int) -> SafeString | str:
    """A seat's mark, linked to the player's page; a bot has no page."""
    place = context["seats"][number]
    return person_link(place.url, shown_to(place))


@register.simple_tag
def person(name: str) -> SafeString | str:
    """A user's name, linked to their page; empty for none."""
    return person_link(person_url(name), name) if name else ""


@lru_cache(maxsize=4096)
def person_link(url: str, name: str) -> SafeString | str:
    """The name, linked if there is a URL."""
    return format_html('<a class="person" href="{}">{}</a>', url, name) if url else name


@register.simple_tag(takes_context=True)
def seat_caretaker(context: Context, number: int) -> SafeString:
    """Marks of a seat that a stand-in or the caretaker plays; empty for others."""
    place = context["seats"][number]
    if place.stands_in:
        return format_html('<small class="kept kept--for">{}</small> {}', place.stands_in, caretaker_mark(place.keeper))
    return caretaker_mark(place.keeper)


@register.simple_tag(takes_context=True)
def seat_rating(context: Context, number: int) -> SafeString:
    """The player's rating in small print; empty if the game is unrated."""
    rating = context["seats"][number].rating
    html = '<small class="seat-rating" title="{}">{}</small>'
    return format_html(html, say("Rating in this game"), rating) if rating else EMPTY


@kept()
def caretaker_mark(keeper: str) -> SafeString:
    html = '<small class="kept" title="{}">{}</small>'
    return format_html(html, say("The caretaker plays this seat"), say(KEEPERS[keeper])) if keeper else EMPTY


@register.simple_tag
def change(amount: int) -> SafeString:
    """A signed number with its triangle."""
    if not amount:
        return SafeString('<span class="delta delta--flat">0</span>')
    way, sign = ("up", "+") if amount > 0 else ("down", "−")
    return SafeString(f'<span class="delta delta--{way}">{icon(way)}{sign}{thousands(abs(amount))}</span>')


@register.filter
def signed(amount: int) -> str:
    return f"+{thousands(amount)}" if amount > 0 else money(amount)


@register.filter
def at(table: Mapping[Any, Any] | None, key: Any) -> Any:
    """An entry of a mapping, or "" if there is none."""
    return table.get(key, "") if table else ""


@register.simple_tag(takes_context=True)
def winner_words(context: Context) -> str:
    """The winner, as a headline."""
    return won(context["view"], context["seats"])
