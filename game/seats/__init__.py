"""Changes of seats: leaving, taking over, stand-ins."""
