"""Shared parts of the page frame, for Django templates."""

from secrets import token_hex

from django import template
from django.template import Context, engines
from django.template.backends.jinja2 import Jinja2
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_token() -> SafeString:
    """A hidden field that makes a form idempotent (`game.infra.once`)."""
    return SafeString(f'<input type="hidden" name="token" value="{token_hex(16)}">')


@register.simple_tag(takes_context=True)
def jinja(context: Context, name: str) -> SafeString:
    """Include a template from templates/jinja/ with the context of this page."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    return SafeString(engine.env.get_template(name).render(context.flatten()))
