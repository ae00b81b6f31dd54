"""Sending what the outbox holds: email, notifications of browsers, webhooks, and the pages on which they are chosen."""
