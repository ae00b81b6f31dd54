"""The board of Sectors."""
