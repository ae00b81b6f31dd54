"""The site's own application, which has no tables."""

from typing import Any

from django.apps import AppConfig
from django.conf import settings

from sectors_site import environment


class SiteConfig(AppConfig):
    """What every process of the site needs, and one that only starts others does not: it never sets Django up."""

    name = "sectors_site"
    verbose_name = "The site"

    def ready(self) -> None:
        """Any process that delays a task knows its broker. Loading the package itself would cost a process that only
        starts others 30 MB."""
        import sectors_site.celery  # noqa: F401
        from sectors_site.memory_tuning import give_back_what_is_free

        give_back_what_is_free()
        if backend := environment.text("EMAIL_BACKEND"):
            environment.found("EMAIL_BACKEND", backend, _sends_mail, "anymail.backends.mailgun.EmailBackend")
        _refuse_unknown_limits()


def _sends_mail(thing: Any) -> bool:
    from django.core.mail.backends.base import BaseEmailBackend

    return isinstance(thing, type) and issubclass(thing, BaseEmailBackend)


def _refuse_unknown_limits() -> None:
    """A number under a wrong name would change nothing, and nobody would know."""
    from accounts.limits import LIMITS

    for name in settings.LIMITS:
        if name not in LIMITS:
            environment.refuse(f"LIMITS names “{name}”; it must be a limit of docs/operations.md, such as “move”.")
