"""Sockets: who may open one, who listens to which game, and the numbers that they are sent."""
