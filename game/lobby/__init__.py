"""Before a game: creating it, who may join, lists of games, inviting, waiting rooms, rematches, lessons, analysis
copies, games of guests."""
