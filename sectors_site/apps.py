"""The site's own application, which has no tables."""

from django.apps import AppConfig


class SiteConfig(AppConfig):
    """What every process of the site needs, and one that only starts others does not: it never sets Django up."""

    name = "sectors_site"
    verbose_name = "The site"

    def ready(self) -> None:
        """Whoever delays a task knows which broker takes it. With the package itself it would cost a process that
        only starts others 30 MB."""
        import sectors_site.celery  # noqa: F401
        from sectors_site.memory import give_back_what_is_free

        give_back_what_is_free()
