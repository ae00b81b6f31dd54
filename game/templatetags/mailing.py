"""What emails need of templates."""

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString

register = template.Library()
BEGINS_WITH_A_NAME = {"mention", "proxied", "invited"}
"""Kinds of notices whose line begins with a player's name, which stays as it is spelled."""


@register.simple_tag(takes_context=True)
def one_line(context: Context, name: str) -> SafeString:
    """Another template on one line, however it is written: in plain text every line break shows.

    It escapes, or not, as the template does that it stands in."""
    found = get_template(name).template  # type: ignore[attr-defined]
    return SafeString(" ".join(found.render(context).split()))


@register.simple_tag(takes_context=True)
def capital_line(context: Context, name: str) -> SafeString:
    """The same where the line stands alone, and not behind the name of its game. Expects `one`."""
    line = one_line(context, name)
    if context["one"].notice.kind in BEGINS_WITH_A_NAME:
        return line
    return SafeString(line[:1].upper() + line[1:])
