"""The parts of the frame that all pages share, for the pages that Django's templates draw."""

from secrets import token_hex

from django import template
from django.template import Context, engines
from django.template.backends.jinja2 import Jinja2
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def form_token() -> SafeString:
    """The hidden field by which a form that is sent twice makes one thing (`game.infra.once`)."""
    return SafeString(f'<input type="hidden" name="token" value="{token_hex(16)}">')


@register.simple_tag(takes_context=True)
def jinja(context: Context, name: str) -> SafeString:
    """A part out of templates/jinja/, with everything that this page knows."""
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    return SafeString(engine.env.get_template(name).render(context.flatten()))
