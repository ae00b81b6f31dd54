"""The story of a game that is over: what it tells, what scores are made of, statistics, and a story of any game."""
