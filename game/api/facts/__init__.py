"""What programs read: games, people, rules and the past in facts and codes."""
