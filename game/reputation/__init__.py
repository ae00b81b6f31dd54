"""Ratings and leaderboards, reliability, unlocked modes, shared homes, and bans in force."""
