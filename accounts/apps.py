"""The accounts application."""

from django.apps import AppConfig, apps

DESK_NAMES = {"auth": "Roles", "mfa": "Second factors"}
"""Names of third-party applications on the desk."""


class AccountsConfig(AppConfig):
    """Users and their preferences."""

    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """Connect the signal handlers."""
        from accounts import api_tokens, bounces, guests, login_throttling, second_factor, sign_in_log

        sign_in_log.connect()
        guests.connect()
        api_tokens.connect()
        bounces.connect()
        login_throttling.connect()
        second_factor.connect()
        for label, name in DESK_NAMES.items():
            apps.get_app_config(label).verbose_name = name
