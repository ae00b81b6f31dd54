"""Power Up as the site asks, shows and tells it."""
