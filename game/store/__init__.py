"""The stored game: its row, its log, its board as rows, who may see it, and how it is read."""
