"""Before a game: creating, browsing, joining, inviting, the waiting room, rematches, lessons and guests."""
