"""Power Up: tiles become energy companies, companies merge, and the player with the most cash wins."""
