"""Template tags for emails."""

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString

register = template.Library()
BEGINS_WITH_A_NAME = {"mention", "proxied", "invited"}
"""Notices whose line begins with a player's name, whose spelling stays."""


@register.simple_tag(takes_context=True)
def one_line(context: Context, name: str) -> SafeString:
    """Another template on one line: in plain text every line break would show.

    It escapes like the including template."""
    found = get_template(name).template  # type: ignore[attr-defined]
    return SafeString(" ".join(found.render(context).split()))


@register.simple_tag(takes_context=True)
def capital_line(context: Context, name: str) -> SafeString:
    """The same, capitalized, for a line that stands alone and not after the name of its game. Expects `one`."""
    line = one_line(context, name)
    if context["one"].notice.kind in BEGINS_WITH_A_NAME:
        return line
    return SafeString(line[:1].upper() + line[1:])
