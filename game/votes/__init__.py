"""Proposals that the players of a game vote on: ending it, voting a leaver out, pausing it, rewinding it."""
