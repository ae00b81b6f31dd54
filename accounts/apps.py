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
        from accounts import addresses, api_tokens, guests, security, sign_ins

        sign_ins.connect()
        guests.connect()
        api_tokens.connect()
        addresses.connect()
        security.connect()
        for label, name in DESK_NAMES.items():
            apps.get_app_config(label).verbose_name = name
