"""The outbox: notices, webhook messages and notification preferences, written in the transaction that causes them."""
