"""Verbs of the site: keyword-only, atomic, telling people after the commit."""
