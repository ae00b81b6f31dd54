"""The site, except that slow clients are cut off after a few seconds."""

from sectors_site.settings import *  # noqa: F403

HEAD_SECONDS, BODY_SECONDS = 4, 4
