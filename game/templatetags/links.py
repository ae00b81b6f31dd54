"""Links of a page: from a figure to its explanation, from a cited rule or a term to the rulebook."""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from game.boards.drawing import FigureLinks
from game.boards.rulebook import Rulebook, pages_of
from game.boards.rulebook.book import word_anchor
from game.deadlines.paces import length_of
from game.engine.language import ENGLISH, kept, say, say_as, spoken
from game.history.explanations import figures_of
from game.rulesets.registry import RULESETS
from game.store.badges import address, book_of, variant_of
from game.store.game import Game

register = template.Library()
LINK = '<a href="{}#{}" target="_blank" rel="noopener">{}<span class="vh"> {}</span></a>'
WHY = f'<cite class="rule">{LINK}{{}}</cite>'
PHASE = '<a class="term term--phase" href="{}#{}" target="_blank" rel="noopener">{}<span class="vh">: {}</span></a>'
TERM = '<a class="term" href="{}#{}" target="_blank" rel="noopener">{}</a>'
NEVER = re.compile(r"(?!)")
NO_LINKS = FigureLinks("", "", frozenset())


@register.simple_tag(takes_context=True)
def why(context: Context, figure: str, subject: object, text: object) -> SafeString:
    """A figure of a company (by key) or seat (by number), linked to its explanation."""
    return SafeString(figure_links(context).of(figure, subject, text))


@register.simple_tag(takes_context=True)
def figure_links(context: Context) -> FigureLinks:
    """Links to the explanations at the moment that the page shows; none on a page without a game. Boards draw with
    it."""
    game, past = context.get("game"), context.get("past")
    return figure_links_of(game, past.stop.serial if past else None) if game else NO_LINKS


def figure_links_of(game: Game, serial: int | None = None) -> FigureLinks:
    """Links to the explanations of a game, now or at the start of a phase."""
    return FigureLinks(_begins(game.pk), f"?at={serial}" if serial else "", figures_of(game))


@lru_cache(maxsize=4096)
def _begins(game_id: Any) -> str:
    return reverse("game_explanation", args=[game_id, "figure", "subject"]).removesuffix("figure/subject/")


def rulebook_of(context: Context) -> tuple[Rulebook | None, str]:
    """The rulebook of the page, and its URL for the game's variant. A page without a game has a ruleset as `rules`; a
    page without either gets the first ruleset."""
    game = context.get("game")
    key = getattr(game, "ruleset", None) or getattr(context.get("rules"), "key", None) or next(iter(RULESETS))
    book = book_of(key)
    if book is None:
        return None, ""
    return book, address(key) + (book.query(variant_of(game, book)) if game else "")


@register.simple_tag(takes_context=True)
def rule(context: Context, number: str) -> SafeString:
    """A cited rule as a small link with its name, if the game has a rulebook."""
    if not number:
        return SafeString("")
    book, page = rulebook_of(context)
    if book is None:
        return format_html('<cite class="rule">({})</cite>', number)
    game, read = context.get("game"), say("Read rule {rule}", rule=number)
    name = _name_of(book, variant_of(game, book) if game else book.usual.key, number)
    suffix = f" ({number})" if book.numbering.begins(number) and number not in name else ""
    return format_html(WHY, page, book.anchor_of(number), name, read, suffix)


@kept(2048)
def _name_of(book: Rulebook, variant: str, number: str) -> str:
    """The heading of a rule. The rulebooks are in English, so other languages say its number or word."""
    section = pages_of(book, variant, length_of).rule_at(book.anchor_of(number))
    return section.title if section and spoken() is ENGLISH else say("Rule {rule}", rule=number)


@register.simple_tag(takes_context=True)
def phase_title(context: Context, phase: Any) -> SafeString:
    """The title of a phase, linked to its rule."""
    book, page = rulebook_of(context)
    number = context["board"].phase_rules.get(phase.name, "")
    if book is None or not number:
        return SafeString(escape(say(phase.title)))
    return format_html(PHASE, page, book.anchor_of(number), say(phase.title), say("rule {rule}", rule=number))


@register.simple_tag(takes_context=True)
def term(context: Context, label: str, words: str = "") -> SafeString:
    """A heading or label; a glossary word gets its card and, without scripts, a link to it. `words`: the label as it is
    shown, where its translation depends on the place."""
    book, page = rulebook_of(context)
    words = words or say(label)
    return _term(book, page, label, words) if book else SafeString(escape(words))


@register.simple_tag(takes_context=True)
def glossary(context: Context) -> SafeString:
    """All glossary cards of the page's game for terms.js: word and meaning, by anchor."""
    book, _ = rulebook_of(context)
    return _cards(book) if book and book.terms else SafeString("")


@kept(4096)
def _term(book: Rulebook, page: str, label: str, words: str) -> SafeString:
    entry = book.term_of(label)
    return SafeString(escape(words)) if entry is None else format_html(TERM, page, word_anchor(entry.word), words)


@kept()
def _cards(book: Rulebook) -> SafeString:
    cards = {word_anchor(each.word): [say_as("glossary", each.word), say(each.meaning)] for each in book.terms}
    text = json.dumps(cards, ensure_ascii=False).replace("<", "\\u003c")
    return SafeString(f'<script type="application/json" id="glossary">{text}</script>')


def cited_in(book: Rulebook | None, page: str, sentence: str) -> SafeString:
    """A sentence with its rule linked to a rulebook."""
    if "(" not in sentence:
        return SafeString(escape(sentence))

    def link(match: re.Match[str]) -> str:
        anchor = book.anchor_of(match[1]) if book else ""
        return f'(<a class="ref" href="{page}#{anchor}" target="_blank" rel="noopener">{match[1]}</a>)'

    return SafeString(in_brackets(book).sub(link, escape(sentence)))


@cache
def in_brackets(book: Rulebook | None) -> re.Pattern[str]:
    """The pattern of a rule citation in log sentences, in any language."""
    return re.compile(rf"\((?:\w+ )?({book.numbering.pattern})\)") if book else NEVER
