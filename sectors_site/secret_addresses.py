"""Addresses that are keys, such as invitations: anybody who reads one could use it. They appear in no log and no
Referer, and are kept out of caches and search engines."""

from __future__ import annotations

import re
import string
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

PREFIXES = (
    "games/[0-9]+/invite/",
    "sign-in/",
    "accounts/confirm-email/",
    "accounts/password/reset/key/",
    "look/copy/",
    "look/",
    "mail/unsubscribe/",
    "moderation/closed/",
)
"""The part before the key, for Python and nginx."""
PATH = re.compile(f"/(?:{'|'.join(PREFIXES)})")
KEY = re.compile(rf"({PATH.pattern})[^\s\"'?#<>\\]+")
"""The key and what follows it in the path, up to the backslash of a line of JSON."""
ENCODED = re.compile("%(?:25)*([0-9A-Fa-f]{2})")
"""A character as %XX, encoded once or more often."""
PLAIN = frozenset(string.ascii_letters + string.digits + "-._~/")
"""Characters that may be written as %XX in an address without need."""
HEADERS = {
    # Forms need the origin, which "no-referrer" would remove.
    "Referrer-Policy": "strict-origin",
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


class SecretAddressMiddleware:
    """Sets headers so that nothing a page loads or links to learns its secret address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if PATH.match(request.path_info):
            for name, value in HEADERS.items():
                response.headers[name] = value
        return response


def hide_keys(words: str) -> str:
    """The text with all secret addresses truncated, also those that are spelled with %XX."""
    return KEY.sub(r"\1…", ENCODED.sub(_decode, words))


def _decode(encoded: re.Match[str]) -> str:
    character = chr(int(encoded[1], 16))
    return character if character in PLAIN else encoded[0]
