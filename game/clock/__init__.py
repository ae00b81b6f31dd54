"""The clock: the sweep, more time by players, outages, dry runs of closings, and when people play."""
