"""The door to a running game: it locks the game, asks the rules, and writes everything once."""
