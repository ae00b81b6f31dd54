"""Sockets: who may open one, how many, which are open, and which stay open."""
