"""Bots of the site and bots of people: who owns them, and how they are asked to play."""
