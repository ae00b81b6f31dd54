"""The chat of a game, its mutes and reports, and private notes."""
