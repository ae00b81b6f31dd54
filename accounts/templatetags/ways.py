"""The way back, in the forms of pages that ask who somebody is: two tabs then lead to two places."""

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import ways_back

register = template.Library()


@register.simple_tag(takes_context=True)
def way_back(context: Context) -> SafeString:
    """A hidden field, where there is a way."""
    way = ways_back.kept(context["request"])
    return format_html('<input type="hidden" name="{}" value="{}">', ways_back.FIELD, way) if way else SafeString("")


@register.filter
def without_query(address: str) -> str:
    """An address alone: allauth adds the way back to those that it offers."""
    return address.partition("?")[0]
