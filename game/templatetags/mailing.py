"""What emails need of templates."""

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def one_line(context: Context, name: str) -> SafeString:
    """Another template on one line, however it is written: in plain text every line break shows.

    It escapes, or not, as the template does that it stands in."""
    found = get_template(name).template  # type: ignore[attr-defined]
    return SafeString(" ".join(found.render(context).split()))
