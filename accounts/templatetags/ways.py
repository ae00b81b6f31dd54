"""The way back as a form field, so that two tabs can return to two pages."""

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import ways_back

register = template.Library()


@register.simple_tag(takes_context=True)
def way_back(context: Context) -> SafeString:
    """A hidden field, if there is a way back."""
    way = ways_back.way_back_of(context["request"])
    return format_html('<input type="hidden" name="{}" value="{}">', ways_back.FIELD, way) if way else SafeString("")


@register.filter
def without_query(address: str) -> str:
    """The URL without its query: allauth adds the way back to its links."""
    return address.partition("?")[0]
