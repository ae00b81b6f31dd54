"""The bench's settings without limits: whoever times a site from outside is refused long before a thousand samples."""

from tests.bench.settings import *  # noqa: F403

LIMITED = False
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
