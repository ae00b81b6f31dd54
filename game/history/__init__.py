"""A game as it went: past positions, the log, results, charts, the ledger, draws, the story, exports, the archive."""
