"""People: sign-up, sign-in, guests, preferences, tokens, mail about accounts, and the limits on requests."""
