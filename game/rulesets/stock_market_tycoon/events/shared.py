"""The base of all events of Stock Market Tycoon."""

from __future__ import annotations

from game.engine.events import Event, Names
from game.rulesets.stock_market_tycoon.cards import title_of
from game.rulesets.stock_market_tycoon.tables import COMPANIES


class TycoonEvent(Event, frozen=True, kw_only=True):
    """An event that names companies by their titles and cards by their names."""

    def _words(self, names: Names) -> dict[str, object]:
        words = super()._words(names)
        if "company" in words:
            words["company"] = COMPANIES[words["company"]].title  # type: ignore[index]
        if "card" in words:
            words["card"] = title_of(str(words["card"]))
        if "owner" in words:
            words["owner"] = names(getattr(self, "owner"))  # noqa: B009
        return words

    def seats(self) -> tuple[int, ...]:
        owner = getattr(self, "owner", None)
        return super().seats() if owner is None else (*super().seats(), owner)
