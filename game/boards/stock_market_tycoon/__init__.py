"""The board of Stock Market Tycoon, and the nouns of its game, which the rest of the site does not use."""

NOUNS = (
    "Atlas Bank",
    "buyback",
    "chairman",
    "debenture",
    "Global Industries",
    "Nova Tech",
    "Omega Energy",
    "Stock Market Tycoon",
    "Titan Steel",
    "Vital Care",
)
