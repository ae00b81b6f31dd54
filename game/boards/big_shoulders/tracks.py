"""The track of values and the track of appeal, with the companies on them. (BS 1.1, BS 1.5)"""

from __future__ import annotations

import msgspec

from game.engine.language import mark, say
from game.rulesets.big_shoulders.tables import APPEAL_BONUSES, BONUS_TITLES, MOST_APPEAL, VALUES
from game.rulesets.big_shoulders.view import CompanyView, ShouldersView

SHORT = {
    "worker": mark("worker"),
    "salesperson": mark("sales"),
    "automation": mark("auto"),
    "partner": mark("partner"),
    "goods_token": mark("token"),
    "stock_step": mark("value"),
}
"""What stands on a space of the appeal track."""


class Space(msgspec.Struct, frozen=True):
    """A space of a track with the companies on it, the first one first; `bonus` in a word, `title` in full."""

    number: int
    companies: tuple[CompanyView, ...]
    bonus: str = ""
    title: str = ""


def value_track(view: ShouldersView) -> tuple[Space, ...]:
    """Every value from the lowest; on one value the companies stand in the order in which they operate."""
    there = _started(view)
    return tuple(Space(value, tuple(one for one in there if one.price == value)) for value in VALUES)


def appeal_track(view: ShouldersView) -> tuple[Space, ...]:
    """Every space from 0 with its bonus; who stands ahead on a space comes first."""
    there = _started(view)
    return tuple(
        Space(number, tuple(one for one in there if one.appeal == number), *bonus_on(number))
        for number in range(MOST_APPEAL + 1)
    )


def bonus_on(number: int) -> tuple[str, str]:
    """The bonus of a space of the appeal track in a word and in full; both empty without one."""
    bonus = APPEAL_BONUSES.get(number, "")
    return (say(SHORT[bonus]), say(BONUS_TITLES[bonus])) if bonus else ("", "")


def _started(view: ShouldersView) -> list[CompanyView]:
    return sorted((company for company in view.companies if company.is_started), key=lambda company: company.rank)


def in_order(view: ShouldersView) -> list[CompanyView]:
    """Started companies in the order in which they operate, then those that have not started."""
    return [*_started(view), *(company for company in view.companies if not company.is_started)]


def next_bonus(company: CompanyView) -> tuple[int, str]:
    """The next space of the appeal track with a bonus, in the word of the track; 0 where none is left."""
    space = next((space for space in APPEAL_BONUSES if space > company.appeal), 0)
    return (space, bonus_on(space)[0]) if space else (0, "")
