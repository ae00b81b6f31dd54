"""Prometheus metrics of this process: phases opened, deadline lateness, failed attempts."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from prometheus_client import Counter, Histogram

PHASES = Counter("sectors_phases", "Phases resolved, whoever closed them.", ["ruleset"])
LATENESS = Histogram(
    "sectors_lateness_seconds",
    "How long after its deadline a phase was closed.",
    buckets=(0.5, 1, 1.5, 2, 3, 5, 10, 30, 60, 600),
)
FAILURES = Counter("sectors_failed_resolutions", "Attempts at a game in which the rules failed.", ["ruleset"])


def count_phases(ruleset: str, number: int) -> None:
    """Count resolved phases of a game, after the commit."""
    transaction.on_commit(lambda: PHASES.labels(ruleset).inc(number), robust=True)


def note_lateness(late: timedelta) -> None:
    """Record how late a phase was closed, after the commit."""
    transaction.on_commit(lambda: LATENESS.observe(late.total_seconds()), robust=True)
