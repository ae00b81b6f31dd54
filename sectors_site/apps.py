"""The site's own application; it has no tables."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings

from sectors_site import environment


class SiteConfig(AppConfig):
    """Start-up work of every site process. Supervisors do not run it: they never set up Django."""

    name = "sectors_site"
    verbose_name = "The site"

    def ready(self) -> None:
        """Load the Celery application, so that any process can delay a task. Importing it with the package would cost
        supervisors 30 MB."""
        import sectors_site.celery  # noqa: F401
        from sectors_site.processes import return_freed_memory

        return_freed_memory()
        if backend := environment.text("EMAIL_BACKEND"):
            environment.load_object("EMAIL_BACKEND", backend, _sends_mail, "anymail.backends.mailgun.EmailBackend")
        _refuse_unknown_limits()


def _sends_mail(value: Any) -> bool:
    from django.core.mail.backends.base import BaseEmailBackend

    return isinstance(value, type) and issubclass(value, BaseEmailBackend)


def _refuse_unknown_limits() -> None:
    """Refuse to start with a limit under a wrong name, which would be ignored without anybody noticing."""
    from accounts.limits import LIMITS

    for name in settings.LIMITS:
        if name not in LIMITS:
            environment.refuse(f"LIMITS names “{name}”; it must be a limit of docs/operations.md, such as “move”.")
