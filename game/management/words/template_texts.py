"""Finds the texts of a template, in Django's or Jinja's language."""

from __future__ import annotations

from collections.abc import Iterator

from django.template import Template, engines
from django.template.backends.jinja2 import Jinja2
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from jinja2.ext import GETTEXT_FUNCTIONS, extract_from_ast

from accounts.po import Text

FUNCTIONS = (*GETTEXT_FUNCTIONS, "term")  # `term` translates the label that it links


def jinja_texts(source: str) -> Iterator[Text]:
    engine = engines["jinja2"]
    assert isinstance(engine, Jinja2)
    for _, function, arguments in extract_from_ast(engine.env.parse(source), FUNCTIONS, babel_style=False):
        texts = [text for text in (arguments if isinstance(arguments, tuple) else (arguments,)) if text is not None]
        if function == "pgettext":
            yield Text(texts[1], context=texts[0])
        else:
            yield Text(*texts)


def django_texts(source: str) -> Iterator[Text]:
    template = Template(source)
    for node in template.nodelist.get_nodes_by_type(TranslateNode):
        assert isinstance(node, TranslateNode)
        variable = node.filter_expression.var
        text = variable if isinstance(variable, str) else variable.literal
        yield Text(str(text), context=_context_of(node))
    for block in template.nodelist.get_nodes_by_type(BlockTranslateNode):
        assert isinstance(block, BlockTranslateNode)
        one, _ = block.render_token_list(block.singular)
        many = block.render_token_list(block.plural)[0] if block.plural else ""
        if block.trimmed:
            one, many = (" ".join(line.strip() for line in each.strip().splitlines()).strip() for each in (one, many))
        yield Text(one, many, _context_of(block))


def _context_of(node: TranslateNode | BlockTranslateNode) -> str:
    context = node.message_context
    return str(context.var) if context else ""
