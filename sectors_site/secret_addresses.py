"""Addresses that are keys, such as an invitation: who reads one could use it. They are in no log and no Referer, and
kept by no cache and no search engine."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

BEGIN = (
    "games/[0-9]+/invite/",
    "sign-in/",
    "accounts/confirm-email/",
    "accounts/password/reset/key/",
    "look/",
    "mail/unsubscribe/",
    "moderation/closed/",
)
"""What stands before the key, for Python and for nginx."""
PATH = re.compile(f"/(?:{'|'.join(BEGIN)})")
KEY = re.compile(rf"({PATH.pattern})[^/\s\"'?#<>]+")
HEADERS = {
    # Forms need the origin, which "no-referrer" would take from them too.
    "Referrer-Policy": "strict-origin",
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


class SecretAddressMiddleware:
    """What browsers are told about a page at such an address: nothing it loads or leads to learns where it was."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if PATH.match(request.path_info):
            for name, words in HEADERS.items():
                response.headers[name] = words
        return response


def without_keys(words: str) -> str:
    """A text with every such address cut short."""
    return KEY.sub(r"\1…", words)
