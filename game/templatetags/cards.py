"""Company cards: rendered in Python, because a template takes four times as long."""

from collections.abc import Iterable
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from game.engine.language import mark, say
from game.templatetags.boards import pips, units
from game.templatetags.charts import spark
from game.templatetags.figures import way_of
from game.templatetags.marks import at, money, steps_moved, token
from game.templatetags.rules import term
from game.templatetags.words import company_note, throughput_words

register = template.Library()

SEP = '<span class="sep">/</span>'
STANDINGS = {"inactive": mark("not floated"), "insolvent": mark("insolvent")}


@register.simple_tag(takes_context=True)
def company_cards(context: Context, companies: Iterable[Any]) -> SafeString:
    """A card per company; a closed one shows only its name."""
    drawn = (
        closed_card(context, company) if company.status == "bankrupt" else card(context, company)
        for company in companies
    )
    return SafeString("\n".join(drawn))


def closed_card(context: Context, company: Any) -> str:
    closed = say("bankrupt")
    return (
        f'<article class="co co--closed" id="co-{company.ticker}"><header '
        f'class="co-h">{token(context, company)}<div class="co-n">'
        f"<h4>{escape(company.name)}</h4><p>{company.ticker} {SEP} <em>{closed}</em></p></div></header></article>"
    )


def card(context: Context, company: Any) -> str:
    picked = " co--picked" if company.is_acting else ""
    return (
        f'<article class="co co--{company.status}{picked}" id="co-{company.ticker}">\n'
        f"{head(context, company)}\n{figures(context, company)}\n{supply_and_demand(context, company)}\n"
        f"{pips(context, company)}\n"
        f"{on_offer(context, company)}\n{notes(company)}\n</article>"
    )


def head(context: Context, company: Any) -> str:
    """Name, share price, and its movement."""
    way, history, standing = way_of(context), context["history"], STANDINGS.get(company.status)
    told = f" {SEP} <em>{say(standing)}</em>" if standing else ""
    course = spark(at(history.prices, company.ticker))
    moved = steps_moved(company, at(history.opening, company.ticker))
    return (
        f'<header class="co-h">{token(context, company)}<div class="co-n"><h4>{escape(company.name)}</h4>'
        f"<p>{company.ticker} {SEP} {escape(say(company.tier_title))}{told}</p></div>\n"
        f'<div class="co-p"><b>{way.of("price", company.ticker, company.price)}</b>{course}</div></header>\n'
        f'<p class="co-d">{moved}<span class="co-note">{escape(company_note(company))}</span></p>'
    )


def figures(context: Context, company: Any) -> str:
    way = way_of(context)
    shown = (
        (mark("Unit price"), "unit_price", company.unit_price),
        (mark("Treasury"), "treasury", money(company.treasury)),
        (mark("Cost"), "operating_cost", company.operating_cost),
        (mark("Prestige"), "prestige", company.prestige),
    )
    told = "".join(
        f"<div><dt>{term(context, name)}</dt><dd>{way.of(figure, company.ticker, told)}</dd></div>"
        for name, figure, told in shown
    )
    return f'<dl class="figs">{told}</dl>'


def supply_and_demand(context: Context, company: Any) -> str:
    way = way_of(context)
    throughput = way.of("throughput", company.ticker, say("Throughput {n}", n=company.throughput))
    return (
        f'<div class="sd">{units(company, way)}'
        f'<span class="sd-t">{throughput}<small>{throughput_words(company)}</small></span></div>'
    )


def on_offer(context: Context, company: Any) -> str:
    """Where shares are for sale, and how many the reader has."""
    places = [say("IPO {n} at {price}", n=company.ipo, price=company.ipo_price)] if company.ipo else []
    places += [say("market {n} at {price}", n=company.market, price=company.price)] if company.market else []
    places = places or [say("No share on offer")]
    places += [say("{n} set aside", n=company.aside)] if company.aside else []
    you = context.get("you")
    own = company.holdings.get(you.number) if you else 0
    mine = f"<strong>{say('You {n}', n=own)}</strong>" if own else ""
    return f'<p class="co-f"><span>{f" {SEP} ".join(places)}</span>{mine}</p>'


def notes(company: Any) -> str:
    """Abilities, cards and active effects."""
    abilities = "".join(f'<p class="co-a">{escape(say(ability))}</p>' for ability in company.abilities)
    cards = "".join(f'<p class="co-a co-a--card">{escape(say(name))}</p>' for name in company.cards)
    at_work = (escape(say("{effect}, still in effect", effect=say(effect))) for effect in company.effects)
    return abilities + cards + "".join(f'<p class="co-a co-a--effect">{told}</p>' for told in at_work)
