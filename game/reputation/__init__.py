"""Ratings, reliability, shared homes, and bans in force."""
