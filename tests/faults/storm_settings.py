"""The site's own settings, with games that do not end, and webhooks that reach a host of the test on this machine."""

import os

from game.infra.safe_http import Reach
from tests.faults.endless_settings import *  # noqa: F403

OUTGOING = Reach(
    look_up=lambda name: ["127.0.0.1"],
    may_be_reached=lambda address: True,
    port=int(os.environ["HOOKS_PORT"]),
    authorities=os.environ["HOOKS_AUTHORITIES"],
)
