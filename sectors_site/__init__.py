"""The site: settings, addresses, the processes that serve them, backups, health and figures."""
