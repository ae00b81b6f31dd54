"""Bots of the site and bots of people: who owns them, and when they play. How one decides is in its game's rules."""
