"""The rulebook of City of the Big Shoulders: how to play on one screen, the words, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn
from game.engine.language import mark, mark_as, say
from game.rulesets.big_shoulders import tables


def turn_of(variant: str) -> Turn:
    """A decade line by line; there is one variant."""
    aim = say(
        "Found companies in the Chicago of 1875 and lead them through five decades. You buy shares with your "
        "own money; "
        "workers, cubes and goods belong to the companies. The most in cash, shares and goals at the end wins."
    )
    return Turn(aim, (*_before(), *_operation()), say("A decade in six lines"))


def _before() -> tuple[Line, ...]:
    trading = say("In turn you may sell, then buy one certificate or start a company, until all pass in a row.")
    building = say("Of {n} tiles in your hand you build one in secret and discard another.", n=tables.HAND_SIZE)
    placing = say("In turn you place one for a company of yours: it hires, advertises, raises funds or buys an asset.")
    return (
        Line(say("Trade shares."), trading, "BS 5.1"),
        Line(say("Build."), building, "BS 6.1"),
        Line(say("Place partners."), placing, "BS 6.2"),
    )


def _operation() -> tuple[Line, ...]:
    appeal = say("Spaces of the track bring a bonus, and the company with the most appeal operates first.")
    selling = say("Your companies buy cubes, run their factories from left to right and sell the goods.")
    paying = say("A dividend raises the value by up to three steps; withholding the revenue lowers it by one.")
    return (
        Line(say("Rise in appeal."), appeal, "BS 1.5"),
        Line(say("Produce and sell."), selling, "BS 7.4"),
        Line(say("Pay or withhold."), paying, "BS 7.5"),
    )


TERMS = (
    Term(mark_as("glossary", "appeal"), mark("How well known a company is, from 0 to 16; it never falls.")),
    Term(mark_as("glossary", "automation"), mark("A token that takes the place of a worker from then on.")),
    Term(mark_as("glossary", "bank pool"), mark("Certificates that were sold; they can be bought there.")),
    Term(
        mark_as("glossary", "capital asset"),
        mark("What a company buys for a bonus at once and, with a slot, for a use in each decade."),
    ),
    Term(
        mark_as("glossary", "certificate"),
        mark("Three, two or one of the ten shares of a company: the director’s, preferred or common."),
    ),
    Term(mark_as("glossary", "decade"), mark("A round of the game; there are five.")),
    Term(mark_as("glossary", "director"), mark("The player who leads a company and decides what it does.")),
    Term(
        mark_as("glossary", "Haymarket"),
        mark("The open heap of cubes, where two of a kind are traded for one of another kind."),
    ),
    Term(
        mark_as("glossary", "job market"),
        mark("The workers that can be hired; the fewer there are, the more the next one costs."),
    ),
    Term(mark_as("glossary", "manager"), mark("Adds goods, cubes or appeal whenever the factory runs.")),
    Term(
        mark_as("glossary", "partner"), mark("Placed in the action phase for one of your companies, once in a decade.")
    ),
    Term(mark_as("glossary", "salesperson"), mark("Raises the price of a company’s goods by one level.")),
    Term(mark_as("glossary", "sequence"), mark("One round of turns in the action phase.")),
    Term(mark_as("glossary", "step"), mark("One place on the track of values.")),
    Term(mark_as("glossary", "treasury"), mark("A company’s money, and its certificates that nobody has bought yet.")),
    Term(
        mark_as("glossary", "withhold the revenue"),
        mark("To keep it in the treasury; the value falls by a step."),
        ("withhold",),
    ),
)

BIG_SHOULDERS_RULEBOOK = Rulebook(
    key="big_shoulders",
    title="City of the Big Shoulders",
    numbering=Numbering(r"BS \d+(?:\.\d+)*|B-\d+"),
    turn=turn_of,
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("A decade"), "BS 3"),
        Start(mark("The stock phase"), "BS 5.1"),
        Start(mark("A turn of the action phase"), "BS 6.2"),
        Start(mark("An operation"), "BS 7.4"),
    ),
    index={
        "BS 1.3": "certificate limit",
        "BS 1.6": "supply chain",
        "BS 1.7": "worker, salesperson, manager, job market",
        "BS 2": "starting cash, option",
        "BS 5.2": "sell",
        "BS 5.3": "buy, bank pool",
        "BS 5.7": "take over",
        "BS 6.4": "automation",
        "BS 7.2": "raise fund",
        "BS 7.4": "goods, factory",
        "BS 7.5": "dividend, withhold",
        "BS 9": "game end, winner, win, score",
    },
    example="dividend, BS 7.5, B-35",
    pictures={
        "BS 1.1": "boards/big_shoulders/book/values.html",
        "BS 1.2": "boards/big_shoulders/book/certificates.html",
        "BS 1.4": "boards/big_shoulders/book/charter.html",
        "BS 1.5": "boards/big_shoulders/book/appeal.html",
        "BS 1.6": "boards/big_shoulders/book/chain.html",
        "BS 1.7": "boards/big_shoulders/book/market.html",
        "BS 1.10": "boards/big_shoulders/book/tiles.html",
        "BS 1.11": "boards/big_shoulders/book/assets.html",
        "BS 1.12": "boards/big_shoulders/book/demand.html",
    },
)
