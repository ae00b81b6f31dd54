"""How each game is shown and its decisions are asked: pure values from views and offers, without requests, rows or
services."""
