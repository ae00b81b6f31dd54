"""Arithmetic of deadlines: paces, phase clocks, reliability. Pure: no game, no database."""
