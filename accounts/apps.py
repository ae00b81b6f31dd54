"""The accounts application."""

from django.apps import AppConfig, apps

ON_THE_DESK = {"auth": "Roles", "mfa": "Second factors"}
"""What the desk calls applications of others."""


class AccountsConfig(AppConfig):
    """People and their preferences."""

    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """The models are there now."""
        from accounts import api_tokens, bounces, guests, login_throttling, second_factor, sign_in_log

        sign_in_log.connect()
        guests.connect()
        api_tokens.connect()
        bounces.connect()
        login_throttling.connect()
        second_factor.connect()
        for label, name in ON_THE_DESK.items():
            apps.get_app_config(label).verbose_name = name
