"""The door to a running game: it is locked, the rules are asked, and everything is written once."""
