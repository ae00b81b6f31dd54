"""The rulebook of City of the Big Shoulders: how to play on one screen, the words, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn
from game.engine.language import mark
from game.rulesets.big_shoulders import tables

AIM = (
    "Found companies in the Chicago of 1875 and lead them through five decades. Shares are bought with your own money; "
    "workers, cubes and goods are the companies’ affair. The most in cash, shares and goals at the end wins."
)
LINES = (
    Line(
        "Trade shares.",
        "In turn you may sell, then buy one certificate or start a company, until all pass in a row.",
        "BS 5.1",
    ),
    Line(
        "Build.",
        f"Of {tables.HAND_SIZE} tiles in your hand you build one in secret and discard another.",
        "BS 6.1",
    ),
    Line(
        "Place partners.",
        "In turn you place one for a company of yours: it hires, advertises, raises funds or buys an asset.",
        "BS 6.2",
    ),
    Line("Rise in appeal.", "Spaces of the track bring a bonus, and the highest company operates first.", "BS 1.5"),
    Line(
        "Produce and sell.",
        "Your companies buy cubes, run their factories from left to right and sell the goods.",
        "BS 7.4",
    ),
    Line("Pay or withhold.", "A dividend lifts the value by up to three steps; to withhold costs one.", "BS 7.5"),
)
TERMS = (
    Term("appeal", "How well known a company is, from 0 to 16; it never falls."),
    Term("automation", "A token that takes the space of a worker for good."),
    Term("bank pool", "Certificates that were sold; they can be bought there."),
    Term("capital asset", "What a company buys for a bonus at once and, with a slot, for a use in each decade."),
    Term("certificate", "Three, two or one of the ten shares of a company: the director’s, preferred or common."),
    Term("decade", "A round of the game; there are five."),
    Term("director", "Who leads a company and decides what it does."),
    Term("Haymarket", "The open heap of cubes, where two of a kind are traded for another one."),
    Term("job market", "The workers that can be hired; the fewer there are, the more the next one costs."),
    Term("manager", "Adds goods, cubes or appeal whenever the factory runs."),
    Term("partner", "Placed in the action phase for one of your companies, once in a decade."),
    Term("salesperson", "Raises the price of a company’s goods by one rung."),
    Term("sequence", "One round of turns in the action phase."),
    Term("step", "One place on the track of values."),
    Term("treasury", "A company’s money, and its certificates that nobody has bought yet."),
    Term("withhold", "Keep the revenue in the treasury; the value falls by a step."),
)

BIG_SHOULDERS_RULEBOOK = Rulebook(
    key="big_shoulders",
    title="City of the Big Shoulders",
    numbering=Numbering(r"BS \d+(?:\.\d+)*|B-\d+"),
    turn=lambda variant: Turn(AIM, LINES, "A decade in six lines"),
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("A decade"), "BS 3"),
        Start(mark("The stock phase"), "BS 5.1"),
        Start(mark("A turn of the action phase"), "BS 6.2"),
        Start(mark("An operation"), "BS 7.4"),
    ),
    example="dividend, BS 7.5, B-35",
)
