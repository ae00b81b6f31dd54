"""How each game is shown and how its decisions are asked: pure functions of views and offers, without requests, rows or
services."""
