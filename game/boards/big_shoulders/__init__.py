"""The board of City of the Big Shoulders, and the nouns of its game, which the rest of the site does not use."""

NOUNS = (
    "Anglo-American Provision",
    "Brunswick-Balke-Collender",
    "City of the Big Shoulders",
    "Cracker Jack",
    "Elgin National Watch",
    "Haymarket",
    "livestock",
    "salesperson",
    "salespeople",
    "stockyard",
)
