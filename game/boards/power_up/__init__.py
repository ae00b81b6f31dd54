"""The board of Power Up, and the nouns of its game, which the rest of the site does not use."""

NOUNS = (
    "cortex",
    "Department of Energy",
    "eclipse",
    "final sale",
    "founder",
    "maniac",
    "merger",
    "Power Up",
    "rufus",
    "superslick",
    "tile",
    "whoops",
)
