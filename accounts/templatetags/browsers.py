"""The browser and the system that a user agent names, in words: the common ones, and "unknown" for all others."""

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
"""In this order: Edge and Opera name Chrome as well, Chrome names Safari, Android names Linux."""


@register.filter
def browser(user_agent: str) -> str:
    """Such as "Firefox on Windows"."""
    name, system = _named(BROWSERS, user_agent), _named(SYSTEMS, user_agent)
    if not name and not system:
        return gettext("Unknown browser")
    if not name:
        return gettext("Unknown browser on %(system)s") % {"system": system}
    return gettext("%(browser)s on %(system)s") % {"browser": name, "system": system} if system else name


def _named(marks: dict[str, tuple[str, ...]], user_agent: str) -> str:
    return next((name for name, found in marks.items() if any(mark in user_agent for mark in found)), "")
