"""The clock: the sweep, pauses, more time, outages, rehearsals, and when people play."""
