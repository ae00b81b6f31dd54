"""The clock: the sweep, pauses and more time by players, outages, dry runs of closings, and when people play."""
