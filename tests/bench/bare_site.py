"""A Django site with Django's own applications and one page: what a start costs anybody. `python -m
tests.bench.bare_site check` is its manage.py."""

import sys

from django.conf import settings
from django.core.asgi import get_asgi_application
from django.core.management import execute_from_command_line
from django.http import HttpRequest, HttpResponse
from django.urls import path

CONTEXT = ("template.context_processors.request", "contrib.auth.context_processors.auth")
MIDDLEWARE = ("sessions.middleware.Session", "auth.middleware.Authentication", "messages.middleware.Message")
settings.configure(
    ROOT_URLCONF=__name__,
    SECRET_KEY="bare",
    INSTALLED_APPS=[
        f"django.contrib.{name}" for name in ("admin", "auth", "contenttypes", "messages", "sessions", "staticfiles")
    ],
    MIDDLEWARE=[f"django.contrib.{name}Middleware" for name in MIDDLEWARE],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "OPTIONS": {
                "context_processors": [
                    *(f"django.{name}" for name in CONTEXT),
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
)


def hello(request: HttpRequest) -> HttpResponse:
    return HttpResponse("hello")


urlpatterns = [path("", hello)]

if __name__ == "__main__":
    execute_from_command_line(sys.argv)
else:
    application = get_asgi_application()
