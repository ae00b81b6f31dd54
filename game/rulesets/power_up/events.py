"""What happens in Power Up."""

from __future__ import annotations

from typing import ClassVar

from game.engine.events import Event, Names
from game.engine.language import count, mark, say
from game.engine.phrases import listed, ordinal, thousands
from game.rulesets.power_up.numbers import Payout
from game.rulesets.power_up.tables import COMPANIES

DEPARTMENT = mark("The Department of Energy")
_COMPANY_FIELDS = ("company", "survivor")


class PowerUpEvent(Event, frozen=True, kw_only=True):
    """An event that names companies by their titles; holder None is the Department of Energy."""

    def _words(self, names: Names) -> dict[str, object]:
        words = super()._words(names)
        titles = {name: COMPANIES[str(words[name])].title for name in _COMPANY_FIELDS if name in words}
        return {**words, **titles, "seat": words.get("seat") or say(DEPARTMENT)}


class StartTileDrawn(PowerUpEvent, frozen=True, kw_only=True, tag="start_tile_drawn"):
    seat: int
    tile: str
    topic: ClassVar[str] = "tiles"
    text: ClassVar[str] = mark("{seat} drew the start tile {tile}. It is on the board.")
    you: ClassVar[str] = mark("You drew the start tile {tile}. It is on the board.")


class TurnOrderSet(PowerUpEvent, frozen=True, kw_only=True, tag="turn_order_set"):
    order: tuple[int, ...]

    def sentence(self, names: Names) -> str:
        return say("Turn order: {names}.", names=listed(names(seat) for seat in self.order))


class TilesDrawn(PowerUpEvent, frozen=True, kw_only=True, tag="tiles_drawn"):
    """The number of tiles is public; `TilesSeen` says which ones."""

    seat: int
    count: int
    left: int
    topic: ClassVar[str] = "tiles"
    figures: ClassVar[str] = mark("{left} in the bag")

    def sentence(self, names: Names) -> str:
        return count("{seat} drew {n} tile.", "{seat} drew {n} tiles.", self.count, seat=names(self.seat))

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return count("You drew {n} tile.", "You drew {n} tiles.", self.count)


class TilesSeen(PowerUpEvent, frozen=True, kw_only=True, tag="tiles_seen"):
    seat: int
    tiles: tuple[str, ...]
    topic: ClassVar[str] = "tiles"

    def sentence(self, names: Names) -> str:
        return say("You drew {tiles}.", tiles=listed(self.tiles))


class ActionsRolled(PowerUpEvent, frozen=True, kw_only=True, tag="actions_rolled"):
    seat: int
    actions: int
    text: ClassVar[str] = mark("{seat} has {actions} actions this turn.")
    you: ClassVar[str] = mark("You have {actions} actions this turn.")
    is_routine: ClassVar[bool] = True


class TileIsolated(PowerUpEvent, frozen=True, kw_only=True, tag="tile_isolated"):
    seat: int
    tile: str
    topic: ClassVar[str] = "tiles"
    weight: ClassVar[int] = 10
    short: ClassVar[str] = mark("{seat} played {tile}.")
    text: ClassVar[str] = mark("{seat} played {tile}. It touches no other tile.")
    you: ClassVar[str] = mark("You played {tile}. It touches no other tile.")


class FoundingFailed(PowerUpEvent, frozen=True, kw_only=True, tag="founding_failed"):
    seat: int
    tile: str
    topic: ClassVar[str] = "tiles"
    weight: ClassVar[int] = 10
    text: ClassVar[str] = mark("{seat} played {tile}. It stays neutral because all companies are active.")
    you: ClassVar[str] = mark("You played {tile}. It stays neutral because all companies are active.")


class CompanyFounded(PowerUpEvent, frozen=True, kw_only=True, tag="company_founded"):
    seat: int
    tile: str
    company: str
    size: int
    price: int
    topic: ClassVar[str] = "company"
    weight: ClassVar[int] = 55
    short: ClassVar[str] = mark("{seat} founded {company}.")
    text: ClassVar[str] = mark("{seat} played {tile}, founded {company} with {size} tiles and received one share.")
    you: ClassVar[str] = mark("You played {tile}, founded {company} with {size} tiles and received one share.")
    figures: ClassVar[str] = mark("price {price}")


class SharesGranted(PowerUpEvent, frozen=True, kw_only=True, tag="shares_granted"):
    company: str
    shares: int
    topic: ClassVar[str] = "company"

    def sentence(self, names: Names) -> str:
        return count(
            "The Department of Energy received {n} share of {company}.",
            "The Department of Energy received {n} shares of {company}.",
            self.shares,
            company=COMPANIES[self.company].title,
        )


class CompanyExpanded(PowerUpEvent, frozen=True, kw_only=True, tag="company_expanded"):
    seat: int
    tile: str
    company: str
    joined: int
    size: int
    price: int
    topic: ClassVar[str] = "company"
    weight: ClassVar[int] = 30
    short: ClassVar[str] = mark("{seat} expanded {company} to {size} tiles.")
    figures: ClassVar[str] = mark("price {price}")

    def sentence(self, names: Names) -> str:
        return count(
            "{seat} played {tile} and expanded {company} by {n} tile to {size}.",
            "{seat} played {tile} and expanded {company} by {n} tiles to {size}.",
            self.joined,
            seat=names(self.seat),
            tile=self.tile,
            company=COMPANIES[self.company].title,
            size=self.size,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return count(
            "You played {tile} and expanded {company} by {n} tile to {size}.",
            "You played {tile} and expanded {company} by {n} tiles to {size}.",
            self.joined,
            tile=self.tile,
            company=COMPANIES[self.company].title,
            size=self.size,
        )


class MergerBegun(PowerUpEvent, frozen=True, kw_only=True, tag="merger_begun"):
    seat: int
    tile: str
    survivor: str
    victims: tuple[str, ...]
    topic: ClassVar[str] = "merger"
    weight: ClassVar[int] = 65
    short: ClassVar[str] = mark("{company} takes over {gone}.")

    def _words(self, names: Names) -> dict[str, object]:
        words = super()._words(names)
        gone = listed(COMPANIES[company].title for company in self.victims)
        return {**words, "company": words["survivor"], "gone": gone}

    def sentence(self, names: Names) -> str:
        return say(
            "{seat} played {tile}: {company} takes over {gone}.",
            seat=names(self.seat),
            tile=self.tile,
            company=COMPANIES[self.survivor].title,
            gone=listed(COMPANIES[company].title for company in self.victims),
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return say(
            "You played {tile}: {company} takes over {gone}.",
            tile=self.tile,
            company=COMPANIES[self.survivor].title,
            gone=listed(COMPANIES[company].title for company in self.victims),
        )


class CompanyAcquired(PowerUpEvent, frozen=True, kw_only=True, tag="company_acquired"):
    """The full account of one company that was taken over: `size` and `price` are those before the tile."""

    company: str
    survivor: str
    size: int
    price: int
    payouts: tuple[Payout, ...]
    topic: ClassVar[str] = "merger"
    weight: ClassVar[int] = 50
    text: ClassVar[str] = mark("{survivor} took over {company} with its {size} tiles.")
    figures: ClassVar[str] = mark("price {price}")


class HolderPaid(PowerUpEvent, frozen=True, kw_only=True, tag="holder_paid"):
    """A holder of shares was paid out, in a merger or at the end of the game."""

    seat: int | None
    company: str
    shares: int
    price: int
    bonus: int
    topic: ClassVar[str] = "money"

    def sentence(self, names: Names) -> str:
        who = say(DEPARTMENT) if self.seat is None else names(self.seat)
        company = COMPANIES[self.company].title
        if self.bonus:
            return count(
                "{seat} sold {n} share of {company} and received a bonus.",
                "{seat} sold {n} shares of {company} and received a bonus.",
                self.shares,
                seat=who,
                company=company,
            )
        return count(
            "{seat} sold {n} share of {company}.",
            "{seat} sold {n} shares of {company}.",
            self.shares,
            seat=who,
            company=company,
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        company = COMPANIES[self.company].title
        if self.bonus:
            return count(
                "You sold {n} share of {company} and received a bonus.",
                "You sold {n} shares of {company} and received a bonus.",
                self.shares,
                company=company,
            )
        return count(
            "You sold {n} share of {company}.", "You sold {n} shares of {company}.", self.shares, company=company
        )

    def figure(self, names: Names) -> str:
        sale = f"{self.shares} × {thousands(self.price)}"
        return f"+{thousands(self.bonus)} + {sale}" if self.bonus else f"+{sale}"


class MergerCompleted(PowerUpEvent, frozen=True, kw_only=True, tag="merger_completed"):
    survivor: str
    size: int
    price: int
    topic: ClassVar[str] = "merger"
    text: ClassVar[str] = mark("{survivor} now has {size} tiles.")
    figures: ClassVar[str] = mark("price {price}")


class ShareBought(PowerUpEvent, frozen=True, kw_only=True, tag="share_bought"):
    seat: int
    company: str
    price: int
    topic: ClassVar[str] = "money"
    weight: ClassVar[int] = 25
    text: ClassVar[str] = mark("{seat} bought a share of {company}.")
    you: ClassVar[str] = mark("You bought a share of {company}.")
    figures: ClassVar[str] = "−{price}"


class TurnEnded(PowerUpEvent, frozen=True, kw_only=True, tag="turn_ended"):
    seat: int
    unused: int

    def sentence(self, names: Names) -> str:
        return count(
            "{seat} ended the turn with {n} action unused.",
            "{seat} ended the turn with {n} actions unused.",
            self.unused,
            seat=names(self.seat),
        )

    def sentence_for(self, seat: int, names: Names) -> str:
        if seat != self.seat:
            return self.sentence(names)
        return count(
            "You ended the turn with {n} action unused.",
            "You ended the turn with {n} actions unused.",
            self.unused,
        )


class GameEnded(PowerUpEvent, frozen=True, kw_only=True, tag="game_ended"):
    end: str

    def sentence(self, names: Names) -> str:
        return say("The game is over: {why}.", why=say(ENDS[self.end]))


class CompanyCashedIn(PowerUpEvent, frozen=True, kw_only=True, tag="company_cashed_in"):
    """The final account of one active company. (PU 6)"""

    company: str
    size: int
    price: int
    payouts: tuple[Payout, ...]
    topic: ClassVar[str] = "company"
    text: ClassVar[str] = mark("All shares of {company} were sold. It has {size} tiles.")
    figures: ClassVar[str] = mark("price {price}")


class FinalCash(PowerUpEvent, frozen=True, kw_only=True, tag="final_cash"):
    seat: int
    place: int
    cash: int
    topic: ClassVar[str] = "money"
    text: ClassVar[str] = mark("{seat} finished {place}.")
    you: ClassVar[str] = mark("You finished {place}.")
    figures: ClassVar[str] = "{cash}"

    def _words(self, names: Names) -> dict[str, object]:
        return {**super()._words(names), "place": ordinal(self.place)}


ENDS = {
    "giant": mark("one company has 50 tiles or more"),
    "rivals": mark("two companies have 30 tiles or more"),
    "exhausted": mark("the bag and a hand are empty"),
}
"""Why a game ends. (PU 5)"""

AnyEvent = (
    StartTileDrawn
    | TurnOrderSet
    | TilesDrawn
    | TilesSeen
    | ActionsRolled
    | TileIsolated
    | FoundingFailed
    | CompanyFounded
    | SharesGranted
    | CompanyExpanded
    | MergerBegun
    | CompanyAcquired
    | HolderPaid
    | MergerCompleted
    | ShareBought
    | TurnEnded
    | GameEnded
    | CompanyCashedIn
    | FinalCash
)
EVENTS: dict[str, type[Event]] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
