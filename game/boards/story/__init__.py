"""The story of a finished game: its types, the parts of scores, statistics, and a story that works for any game."""
