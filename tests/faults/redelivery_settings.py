"""The service, except that a task that nobody acknowledged is delivered again after two seconds instead of an hour."""

from sectors_site.settings import *  # noqa: F403
from sectors_site.settings import CELERY_BROKER_TRANSPORT_OPTIONS

CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] = 2
