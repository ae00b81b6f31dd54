"""Links from wherever a rule is cited to its place in the rulebook."""

from __future__ import annotations

import re
from functools import cache
from html import escape

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from game.rulebook.markup import RULE, anchor_of

register = template.Library()
NUMBERED = re.compile(r"(S |[ADR]-?)\d")  # a rule whose key is a number; the others are called by a bare word
IN_BRACKETS = re.compile(rf"\((?:Rule )?((?:{RULE.pattern}))\)")


@register.simple_tag(takes_context=True)
def rule_url(context: Context, number: str) -> str:
    """Where a rule stands, in the edition of the game that the page shows."""
    edition = getattr(context.get("view"), "edition", None)
    query = f"?edition={edition}" if edition else ""
    return f"{rulebook()}{query}#{anchor_of(number)}"


@cache
def rulebook() -> str:
    return reverse("rulebook", args=["sectors"])


@register.simple_tag(takes_context=True)
def rule(context: Context, number: str) -> SafeString:
    """The rule that something cites, with a small way to it."""
    if not number:
        return SafeString("")
    return format_html(
        '<cite class="rule"><a href="{}" target="_blank" rel="noopener">why?<span class="vh"> Read rule {}</span></a>{}</cite>',
        rule_url(context, number), number, f" ({number})" if NUMBERED.match(number) else "",
    )  # fmt: skip


@register.simple_tag(takes_context=True)
def cited(context: Context, sentence: str) -> SafeString:
    """A sentence of the log with the rule in its brackets as a link."""
    if "(" not in sentence:
        return SafeString(escape(sentence))

    def link(found: re.Match[str]) -> str:
        return f'(<a class="ref" href="{rule_url(context, found[1])}" target="_blank" rel="noopener">{found[1]}</a>)'

    return SafeString(IN_BRACKETS.sub(link, escape(sentence)))
