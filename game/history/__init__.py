"""A game's past: past positions, the log, results, charts, the ledger, draws, the story, exports, the archive."""
