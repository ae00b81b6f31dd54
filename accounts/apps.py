"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and their preferences."""

    name = "accounts"
    verbose_name = "People"

    def ready(self) -> None:
        """The models are there now."""
        from accounts import api_tokens, bounces, factors, guesses, guests, sign_in_log

        sign_in_log.connect()
        guests.connect()
        api_tokens.connect()
        bounces.connect()
        guesses.connect()
        factors.connect()
