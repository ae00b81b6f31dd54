"""Compiled queries, batches of writes, caches, requests to other hosts, metrics: what knows no game."""
