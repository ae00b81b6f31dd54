"""The site's own settings, with one more address to compare pages with."""

from sectors_site.settings import *  # noqa: F403
from sectors_site.settings import LIMITS

ROOT_URLCONF = "tests.bench.urls"
EXTRA_CHOICES = {"max_turns": tuple(range(1, 24))}
LIMITS = {**LIMITS, "work": 10**9, "draft": 10**9}  # one reader asks for everything
