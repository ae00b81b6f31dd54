"""The browser and system of a user agent as a text: the common ones, and "unknown" for all others."""

from django import template
from django.utils.translation import gettext

register = template.Library()

BROWSERS = {
    "Edge": ("Edg/", "EdgA/", "EdgiOS/"),
    "Opera": ("OPR/", "OPT/"),
    "Firefox": ("Firefox/", "FxiOS/"),
    "Chrome": ("Chrome/", "CriOS/"),
    "Safari": ("Safari/",),
}
SYSTEMS = {
    "iOS": ("iPhone", "iPad"),
    "Android": ("Android",),
    "Windows": ("Windows",),
    "macOS": ("Macintosh",),
    "Linux": ("Linux",),
}
"""The order matters: Edge and Opera name Chrome as well, Chrome names Safari, Android names Linux."""


@register.filter
def browser(user_agent: str) -> str:
    """A browser and its system in words, for example "Firefox on Windows"."""
    name, system = _first_match(BROWSERS, user_agent), _first_match(SYSTEMS, user_agent)
    if not name and not system:
        return gettext("Unknown browser")
    if not name:
        return gettext("Unknown browser on %(system)s") % {"system": system}
    return gettext("%(browser)s on %(system)s") % {"browser": name, "system": system} if system else name


def _first_match(products: dict[str, tuple[str, ...]], user_agent: str) -> str:
    return next((name for name, substrings in products.items() if any(mark in user_agent for mark in substrings)), "")
