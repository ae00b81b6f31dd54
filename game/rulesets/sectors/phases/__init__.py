"""What happens in each phase, grouped by the rounds of the rulebook."""
