"""WebSockets: access, listeners of games, and the version numbers sent to them."""
