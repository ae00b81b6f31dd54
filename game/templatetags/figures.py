"""Figures that link to their explanations."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString

from game.history.explanations import figures_of
from game.store.game import Game

register = template.Library()


class Way(NamedTuple):
    """The start and end of a game's explanation URLs, and the figures that have one."""

    begins: str
    ends: str
    figures: frozenset[str]

    def of(self, figure: str, subject: object, shown: object) -> str:
        """A figure, linked to its explanation if it has one."""
        if figure not in self.figures:
            return str(shown)
        return f'<a class="explain" href="{self.begins}{figure}/{subject}/{self.ends}">{shown}</a>'


NO_WAY = Way("", "", frozenset())


@register.simple_tag(takes_context=True)
def why(context: Context, figure: str, subject: object, shown: object) -> SafeString:
    """A figure of a company (by key) or seat (by number), linked to its explanation."""
    return SafeString(way_of(context).of(figure, subject, shown))


def way_of(context: Context) -> Way:
    """Links to the explanations at the moment that the page shows; none on a page without a game."""
    game, past = context.get("game"), context.get("past")
    return way_to(game, past.stop.serial if past else None) if game else NO_WAY


def way_to(game: Game, serial: int | None = None) -> Way:
    """Links to the explanations of a game, now or at the start of a phase."""
    return Way(_begins(game.pk), f"?at={serial}" if serial else "", figures_of(game))


@lru_cache(maxsize=4096)
def _begins(game_id: Any) -> str:
    return reverse("game_explanation", args=[game_id, "figure", "subject"]).removesuffix("figure/subject/")
