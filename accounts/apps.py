"""The accounts application."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and their preferences."""

    name = "accounts"
    verbose_name = "People"
