"""The filter that every template has for people's own words beside others: `{{ game.name|apart }}`."""

from django import template

from game.engine.language import apart

register = template.Library()
register.filter("apart", apart)
