"""Reports on many bot games: figures, charts and pages."""
