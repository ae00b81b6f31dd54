"""A game's past: past positions, the log, results, the figures of charts, the ledger, draws, the story, exports, the
archive."""
