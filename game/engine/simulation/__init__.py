"""Many games among bots, counted: standings, lengths, worth by turn, and how often everything of a ruleset occurred."""
