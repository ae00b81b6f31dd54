"""Collects the texts that players read, and compares them with the catalogues: docs/languages.md."""
