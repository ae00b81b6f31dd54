"""Arithmetic of deadlines: paces, the clock of a phase, weights that fade. Pure: no game, no database."""
