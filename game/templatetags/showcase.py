"""The pictures of the front page, drawn by the board's functions."""

from collections import defaultdict
from typing import Any

from django import template
from django.utils.safestring import SafeString

from game.engine.language import say
from game.lobby.showcase import Showcase
from game.templatetags.boards import draw_ladder
from game.templatetags.charts import DASHES, Line, draw_lines

register = template.Library()


@register.simple_tag
def showcase_ladder(game: Showcase) -> SafeString:
    at: dict[int, list[Any]] = defaultdict(list)
    for company in game.companies:
        if company.status != "bankrupt":
            at[company.price].append(company)
    return draw_ladder(game.chart, at, None)


@register.simple_tag
def showcase_chart(game: Showcase) -> SafeString:
    """The winner's line is the heavy one."""
    first, *others = game.leaders
    lines = [
        Line(first.name, _css(first.seat, "mine"), first.worth),
        *(Line(one.name, _css(one.seat), one.worth) for one in others),
    ]
    return draw_lines(
        game.labels, lines, "showcase", say("{score} of the leading players after each turn", score=say(game.score))
    )


def _css(seat: int, more: str = "") -> str:
    return f"p{seat + 1} d{seat % DASHES + 1} {more}".rstrip()
