"""The API: parses, calls one selector or service, and encodes. No game is named here."""
