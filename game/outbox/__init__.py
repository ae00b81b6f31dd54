"""The outbox: notices, the reminder before a deadline, webhook messages and notification preferences, written in the
transaction that causes them."""
