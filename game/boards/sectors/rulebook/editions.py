"""The two editions as variants of one text: what their pages show otherwise than the document."""

from __future__ import annotations

from collections.abc import Mapping

from game.boards.rulebook import Variant
from game.engine.language import mark
from game.rulesets.sectors.options import EDITIONS

NOTES: Mapping[str, tuple[str, ...]] = {
    "S 1.1": ("D36", "D35"),
    "S 1.3": ("D33",),
    "S 1.9": ("D17", "D19"),
    "S 1.10": ("D2",),
    "S 2.1": ("D34",),
    "S 4.1": ("D2", "D3"),
    "S 4.2": ("D3",),
    "S 5.3": ("D4",),
    "S 6.3": ("D9",),
    "S 6.6": ("D22",),
    "S 6.8": ("D24",),
    "S 6.9": ("D25", "D26", "D27", "D28", "D29"),
    "S 7.1": ("D13",),
    "S 7.7": ("D32",),
    "S 7.8": ("D23", "D35"),
}
"""By section: the differences of the first edition that its sentences do not tell."""

PHRASES = {
    "S 1.1": "Each has {influence_points} influence points",
    "S 1.9": "A pot of {tranche_pot} dollars",
}
"""Sentences of the document that name a number of the edition."""


def sentences_of(number: int) -> dict[str, str]:
    """Those sentences with an edition's numbers."""
    return {section: phrase.format_map(vars(EDITIONS[number])) for section, phrase in PHRASES.items()}


EDITIONS_READ = (
    Variant(
        key="2",
        title=mark("Second edition"),
        means=mark("What a new game plays"),
        text=mark(
            "Sub-rounds go on until nobody orders. Headlines move the sectors, some actions cost more with each "
            "company that takes them, and income is taxed."
        ),
        sentences=sentences_of(2),
    ),
    Variant(
        key="1",
        title=mark("First edition"),
        means=mark("The older game"),
        text=mark(
            "Three sub-rounds that resolve together, twice the influence points, six companies from the start, and a "
            "tax on net worth. No headlines."
        ),
        intro="This page shows the tables of the first edition. **Bold** figures differ from the second edition, and "
        "notes at the top of a section say what else is different. S 8 lists every difference.",
        sentences=sentences_of(1),
        notes=NOTES,
    ),
)
