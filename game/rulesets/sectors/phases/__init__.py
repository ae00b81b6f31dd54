"""The resolution of each phase, grouped by the rounds of the rulebook."""
