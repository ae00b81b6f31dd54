"""The pages alone, for a WSGI server behind a proxy that buffers requests; `serving` needs no such proxy."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")

application = get_wsgi_application()
