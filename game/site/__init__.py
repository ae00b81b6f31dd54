"""The site as a whole: its banner, read-only times, and what is switched off."""
