"""The decisions of Power Up: there is one, the turn."""
