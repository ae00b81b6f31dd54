"""The moderation desk: everything read-only, nothing sealed, and every act through the services."""

from game.admin import games, guests, people, reports, rows

__all__ = ["games", "guests", "people", "reports", "rows"]
