"""Django's `i18n` tags; a `blocktranslate` isolates its facts, as texts of the other templates do: a right-to-left name
does not reorder the sentence around it."""

from typing import Any

from django import template
from django.db.models import Model
from django.template.base import Parser, Token, TokenType
from django.templatetags import i18n
from django.templatetags.i18n import BlockTranslateNode

from game.engine.language import apart

register = template.Library()
register.tags.update(i18n.register.tags)
register.filters.update(i18n.register.filters)


@register.filter("apart", is_safe=True)
def isolated(fact: Any) -> Any:
    """A fact isolated from the direction of its sentence; a row becomes its name."""
    return apart(str(fact) if isinstance(fact, Model) else fact)


@register.tag("blocktranslate")
@register.tag("blocktrans")
def isolating(parser: Parser, token: Token) -> BlockTranslateNode:
    node = i18n.do_block_translate(parser, token)
    facts = node.extra_context
    for each in (*node.singular, *(node.plural or ())):
        if each.token_type == TokenType.VAR and each.contents not in {*facts, node.countervar}:
            facts[each.contents] = parser.compile_filter(each.contents)
    for fact in facts.values():
        fact.filters.append((isolated, []))
    return node
