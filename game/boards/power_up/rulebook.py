"""The rulebook of Power Up: how to play on one screen, the glossary, and where to begin."""

from __future__ import annotations

from game.boards.rulebook import Line, Numbering, Rulebook, Start, Term, Turn
from game.engine.language import mark
from game.engine.phrases import thousands
from game.rulesets.power_up import tables

AIM = (
    f"Everybody begins with {thousands(tables.STARTING_CASH)}. The game ends when a company has {tables.END_SIZE} "
    f"tiles, or two have {tables.END_SIZE_OF_TWO} each, or the tiles run out. Then all shares are sold, and the "
    "most cash wins."
)
LEAST, MOST = min(tables.ACTION_WEIGHTS), max(tables.ACTION_WEIGHTS)
LINES = (
    Line(
        "Your actions are rolled.",
        f"You have {LEAST} to {MOST} of them. Each counts at once, and everybody sees it.",
        "PU 3",
    ),
    Line("Play a tile.", "Each tile belongs on its own cell of the map. Every turn plays at least one.", "PU 4.2"),
    Line(
        "Found.",
        "Touching only neutral tiles, it founds a company of your choice, and you receive one share for free.",
        "PU 4.3",
    ),
    Line(
        "Expand.",
        f"Touching one company, it makes that company larger: its price rises by {tables.PRICE_STEP} for each tile.",
        "PU 4.4",
    ),
    Line(
        "Merge.",
        "Touching several, it lets the largest take over the others. Their holders sell all shares at the old "
        f"price; the largest holder also receives {tables.FIRST_BONUS} times it, the second "
        f"{tables.SECOND_BONUS} times.",
        "PU 4.5",
    ),
    Line("Buy.", "Once you have played a tile, each further action can buy one share of an active company.", "PU 4.6"),
    Line("Draw.", f"One action fills your hand to {tables.HAND_LIMIT} tiles. Nothing else does.", "PU 4.1"),
    Line("Think twice.", "You can take actions back until something hidden is drawn or your turn is over.", "PU 3"),
    Line(
        "Mind the Department of Energy.",
        "If the host has chosen it, it receives shares at each founding and takes its part of the bonuses.",
        "PU 4.7",
    ),
)
TERMS = (
    Term("action", "What you do in your turn: play a tile, buy a share or draw. You have two to four."),
    Term("active", "A company that owns tiles on the map; others can be founded."),
    Term("bag", "The tiles that nobody has drawn yet."),
    Term("bonus", "Money for the two largest holders of a company that is taken over, and at the end."),
    Term("Department of Energy", "A holder without a player; it receives shares at foundings and bonuses."),
    Term("expand", "To add tiles to one company; its price rises."),
    Term("found", "To begin a company with a tile that touches neutral tiles only."),
    Term("grant", "The shares that the Department of Energy receives at a founding, by lot."),
    Term("hand", "Your tiles, at most five; only you see them."),
    Term("merger", "A tile that touches several companies: the largest takes over the others."),
    Term("neutral tile", "A tile on the map that belongs to no company."),
    Term("price", "What a share costs and pays: the start price, and 50 for each tile beyond the second."),
    Term("size", "The number of tiles a company owns.", ("tiles",)),
    Term("survivor", "The company that takes over the others in a merger."),
)

POWER_UP_RULEBOOK = Rulebook(
    key="power_up",
    title="Power Up",
    numbering=Numbering(r"PU \d+(?:\.\d+)?|P-\d+"),
    turn=lambda variant: Turn(AIM, LINES, "A turn in nine lines"),
    lists=("Decisions",),
    terms=TERMS,
    appendix="The draws",
    starts=(
        Start(mark("Your turn"), "PU 3"),
        Start(mark("What a tile does"), "PU 4.2"),
        Start(mark("Who is paid in a merger"), "PU 4.5"),
        Start(mark("How the game ends"), "PU 5"),
    ),
    example="bonus, PU 4.5, P-18",
)
