"""The filter `{{ game.name|apart }}`, available in every template, isolates user text from the text around it."""

from django import template

from game.engine.language import apart

register = template.Library()
register.filter("apart", apart)
