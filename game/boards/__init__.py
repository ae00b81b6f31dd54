"""How each game is asked, shown and told: pure values from views and offers, without requests, rows or services."""
