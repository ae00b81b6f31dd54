"""Many games among bots, counted: standings, lengths, worth by turn, and how often each thing of a ruleset occurred."""
