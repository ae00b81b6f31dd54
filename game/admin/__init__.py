"""The moderation desk. Everything is read-only, nothing sealed is shown, and every intervention goes through the
services."""

from game.admin import cases, games, people, reports, requests, rows, site_desk

__all__ = ["cases", "games", "people", "reports", "requests", "rows", "site_desk"]
