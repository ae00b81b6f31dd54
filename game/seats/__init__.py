"""Seats that change hands: leaving, taking over, stand-ins, and ending a game by agreement."""
