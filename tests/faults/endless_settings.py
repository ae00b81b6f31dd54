"""The site's own settings, with games among its rulesets that do not end."""

from game.rulesets.registry import RULESETS
from sectors_site.settings import *  # noqa: F403
from tests.faults.endless import ENDLESS

RULESETS.update(ENDLESS)
