"""Generates a key for web push."""

import base64
from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Prints the key for the environment. Keep it: after a change, users must allow notifications again."""

    help = "Print a new PUSH_KEY, with which this site signs notifications for browsers."

    def handle(self, *args: Any, **options: Any) -> None:
        from cryptography.hazmat.primitives.asymmetric import ec

        private_key = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
        text = base64.urlsafe_b64encode(private_key.to_bytes(32, "big")).decode().rstrip("=")
        self.stdout.write(f"PUSH_KEY={text}")
