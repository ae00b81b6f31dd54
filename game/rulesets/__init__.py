"""The rulesets this site plays: one folder per game, one line each in the registry."""
