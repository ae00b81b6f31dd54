"""What decided a game of City of the Big Shoulders: values, trades, dividends and fees, and the best dividend."""

from __future__ import annotations

from collections.abc import Iterator

from game.boards.big_shoulders.places import VALUE_WORDS
from game.boards.story.plain import storyteller
from game.boards.story.played import TRADING, Bookkeeping, Highlight, PlayedGame, PriceMove
from game.engine.events import Event
from game.engine.language import mark, say
from game.engine.phrases import thousands
from game.rulesets.big_shoulders.company_events import DividendReceived
from game.rulesets.big_shoulders.events import ValueMoved
from game.rulesets.big_shoulders.tables import COMPANIES

TITLES: dict[str, str] = {key: row.title for key, row in COMPANIES.items()}


def price_move(event: Event) -> PriceMove | None:
    """A move on the track of values."""
    return (event.company, event.was, event.price) if isinstance(event, ValueMoved) else None


def awards(game: PlayedGame) -> Iterator[Highlight]:
    """The largest dividend that one player received."""
    received = [(event, turn, scene) for turn, scene, event in game.events() if isinstance(event, DividendReceived)]
    if not received:
        return
    best, turn, scene = max(received, key=lambda each: each[0].amount)
    text = game.say_of(
        best.seat,
        mark("{name} received {amount} from {company} in decade {n}."),
        mark("You received {amount} from {company} in decade {n}."),
        amount=thousands(best.amount),
        company=TITLES[best.company],
        n=turn,
    )
    yield Highlight(say("Largest dividend"), text, best.amount, best.seat, scene.serial, turn)


BOOKS = Bookkeeping(
    sources=dict.fromkeys(("purchase", "purchase from the pool", "start", "sale"), TRADING)
    | dict.fromkeys(("fee", "bank's fee"), mark("fees of your tiles"))
    | {"dividend": mark("dividends"), "set-up": mark("starting cash")},
    rest=mark("goals"),
    counts_shares=True,
    price_move=price_move,
    price_of=VALUE_WORDS.of_company,
    company=TITLES.__getitem__,
)
story = storyteller(BOOKS, awards)
