"""Sectors: influence bids, secret orders, and companies voted through operating rounds by their shareholders."""
