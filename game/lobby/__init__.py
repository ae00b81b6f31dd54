"""Before a game: creating, browsing, joining, inviting, waiting rooms, rematches, lessons, analysis copies, guests."""
