"""The moderation desk: everything read-only, nothing sealed, and every act through the services."""

from game.admin import bounces, cases, games, guests, hints, people, reports, requests, rows, site_desk

__all__ = ["bounces", "cases", "games", "guests", "hints", "people", "reports", "requests", "rows", "site_desk"]
