"""The Celery application; its schedule and limits are in the settings."""

import os

from celery import Celery

from sectors_site.log_context import follow_tasks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
# Checks import every page, a fifth of a worker's memory; `migrate`, the web process and `./dev check` run them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "yes")

app = Celery("sectors", amqp="sectors_site.broker:Broker")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
follow_tasks()
