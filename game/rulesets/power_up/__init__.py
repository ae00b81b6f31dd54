"""Power Up: tiles become energy companies, companies swallow each other, and whoever ends with most cash wins."""
