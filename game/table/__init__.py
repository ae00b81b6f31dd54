"""The page of a game that is played: board, panel and actions."""
