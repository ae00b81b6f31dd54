"""The printed numbers of Power Up."""
