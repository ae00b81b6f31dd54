"""Changes of seats: leaving, taking over, stand-ins, and ending a game by agreement."""
