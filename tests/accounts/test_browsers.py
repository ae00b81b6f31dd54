"""A user agent in words: the common browsers and systems by name, and nothing guessed of any other."""

import pytest

from accounts.languages import override_language
from accounts.templatetags.browsers import browser

MOZILLA, WEBKIT = "Mozilla/5.0", "AppleWebKit/537.36 (KHTML, like Gecko)"
WINDOWS, ANDROID = "(Windows NT 10.0; Win64; x64", "(Linux; Android 10; K)"
IPHONE = "(iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
NAMED = {
    f"{MOZILLA} {WINDOWS}; rv:126.0) Gecko/20100101 Firefox/126.0": "Firefox on Windows",
    f"{MOZILLA} (X11; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0": "Firefox on Linux",
    f"{MOZILLA} {ANDROID} {WEBKIT} Chrome/125.0.0.0 Mobile Safari/537.36": "Chrome on Android",
    f"{MOZILLA} {WINDOWS}) {WEBKIT} Chrome/125.0.0.0 Safari/537.36 Edg/125.0.2535.51": "Edge on Windows",
    f"{MOZILLA} {WINDOWS}) {WEBKIT} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0": "Opera on Windows",
    f"{MOZILLA} {IPHONE} Version/17.5 Mobile/15E148 Safari/604.1": "Safari on iOS",
    f"{MOZILLA} {IPHONE} CriOS/125.0.6422.80 Mobile/15E148 Safari/604.1": "Chrome on iOS",
    f"{MOZILLA} (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.4 Safari/605.1.15": "Safari on macOS",
    "Lynx/2.9 (Linux)": "Unknown browser on Linux",
    "Firefox/126.0": "Firefox",
    "Kiosk 3000": "Unknown browser",
    "": "Unknown browser",
}  # fmt: skip


@pytest.mark.parametrize(("user_agent", "words"), NAMED.items())
def test_in_words(user_agent: str, words: str) -> None:
    assert browser(user_agent) == words


def test_in_german() -> None:
    with override_language("de"):
        lines = [browser(user_agent) for user_agent in ("Firefox/126.0 (Windows)", "Lynx (Linux)", "Kiosk 3000")]
    assert lines == ["Firefox unter Windows", "Unbekannter Browser unter Linux", "Unbekannter Browser"]
