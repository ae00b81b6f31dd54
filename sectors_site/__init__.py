"""The site: settings, addresses and the processes that serve them."""

# Imported with the package, so that every process that delays a task knows which broker takes it.
from sectors_site.celery import app as celery_app

__all__ = ["celery_app"]
