"""The rulebook of Power Up: how to play on one screen, the glossary, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn
from game.engine.language import mark, mark_as, say
from game.engine.phrases import thousands
from game.rulesets.power_up import tables

LEAST, MOST = min(tables.ACTION_WEIGHTS), max(tables.ACTION_WEIGHTS)


def turn_of(variant: str) -> Turn:
    """A turn line by line; there is one variant."""
    aim = say(
        "Everybody begins with {cash}. The game ends when a company has {one} tiles, or two have {two} each, or the "
        "tiles run out. Then all shares are sold, and the most cash wins.",
        cash=thousands(tables.STARTING_CASH),
        one=tables.END_SIZE,
        two=tables.END_SIZE_OF_TWO,
    )
    return Turn(aim, (_rolled(), *_tiles(), *_others()), say("A turn in nine lines"))


def _rolled() -> Line:
    text = say(
        "You have {least} to {most} of them. Each counts at once, and everybody sees it.", least=LEAST, most=MOST
    )
    return Line(say("Your actions are rolled."), text, "PU 3")


def _tiles() -> tuple[Line, ...]:
    tile = say("Each tile belongs on its own cell of the map. You play at least one each turn.")
    founding = say(
        "A tile that touches only neutral tiles founds a company of your choice, and you receive one share for free."
    )
    growth = say(
        "A tile that touches one company makes it larger: its price rises by {step} for each tile.",
        step=tables.PRICE_STEP,
    )
    merger = say(
        "A tile that touches several companies lets the largest take over the others. Their holders sell all shares at "
        "the old price; the largest holder also receives {first} times it, the second {second} times.",
        first=tables.FIRST_BONUS,
        second=tables.SECOND_BONUS,
    )
    return (
        Line(say("Play a tile."), tile, "PU 4.2"),
        Line(say("Found."), founding, "PU 4.3"),
        Line(say("Expand."), growth, "PU 4.4"),
        Line(say("Merge."), merger, "PU 4.5"),
    )


def _others() -> tuple[Line, ...]:
    buying = say("Once you have played a tile, each further action can buy one share of an active company.")
    drawing = say("One action fills your hand to {n} tiles. Nothing else does.", n=tables.HAND_LIMIT)
    undoing = say("You can take actions back until something hidden is drawn or your turn is over.")
    department = say(
        "If the host has chosen it, it receives shares at each founding and takes its share of the bonuses."
    )
    return (
        Line(say("Buy."), buying, "PU 4.6"),
        Line(say("Draw."), drawing, "PU 4.1"),
        Line(say("Think twice."), undoing, "PU 3"),
        Line(say("Mind the Department of Energy."), department, "PU 4.7"),
    )


TERMS = (
    Term(
        mark_as("glossary", "action"),
        mark("What you do in your turn: play a tile, buy a share or draw. You have two to four."),
    ),
    Term(mark_as("glossary", "active"), mark("A company that owns tiles on the map; others can be founded.")),
    Term(mark_as("glossary", "bag"), mark("The tiles that nobody has drawn yet.")),
    Term(
        mark_as("glossary", "bonus"),
        mark("Money for the two largest holders of a company that is taken over, and at the end."),
    ),
    Term(
        mark_as("glossary", "Department of Energy"),
        mark("A holder without a player; it receives shares at foundings and bonuses."),
    ),
    Term(mark_as("glossary", "expand"), mark("To add tiles to one company; its price rises.")),
    Term(mark_as("glossary", "found"), mark("To begin a company with a tile that touches neutral tiles only.")),
    Term(
        mark_as("glossary", "grant"),
        mark("The shares that the Department of Energy receives at a founding; their number is drawn at random."),
    ),
    Term(mark_as("glossary", "hand"), mark("Your tiles, at most five; only you see them.")),
    Term(
        mark_as("glossary", "merger"), mark("A tile that touches several companies: the largest takes over the others.")
    ),
    Term(mark_as("glossary", "neutral tile"), mark("A tile on the map that belongs to no company.")),
    Term(
        mark_as("glossary", "price"),
        mark("What a share costs and pays: the start price, and 50 for each tile beyond the second."),
    ),
    Term(mark_as("glossary", "size"), mark("The number of tiles a company owns."), ("tiles",)),
    Term(mark_as("glossary", "survivor"), mark("The company that takes over the others in a merger.")),
)

POWER_UP_RULEBOOK = Rulebook(
    key="power_up",
    title="Power Up",
    numbering=Numbering(r"PU \d+(?:\.\d+)?|P-\d+"),
    turn=turn_of,
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("Your turn"), "PU 3"),
        Start(mark("What a tile does"), "PU 4.2"),
        Start(mark("Who is paid in a merger"), "PU 4.5"),
        Start(mark("How the game ends"), "PU 5"),
    ),
    index={
        "PU 1": "price, share price, company",
        "PU 3": "action",
        "PU 4.5": "merge, takeover, bonus, survivor, tie, sell",
        "PU 4.7": "DOE, grant",
        "PU 5": "game end",
        "PU 6": "winner, win, final sale",
        "PU 8": "deadline, caretaker",
    },
    example="bonus, PU 4.5, P-18",
)
