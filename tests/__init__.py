"""The tests mirror the code."""
