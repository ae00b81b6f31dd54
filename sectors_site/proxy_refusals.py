"""nginx's own answers when it refuses a request or the site is down: a problem document for programs, a page for
people."""

from __future__ import annotations

import json
from typing import NamedTuple

CONNECTIONS = 60  # requests per IP address
RETRY_SECONDS = 10  # seconds until a retry makes sense
ENGLISH, GERMAN = "en", "de"
BACK_TEXTS = {ENGLISH: "To the front page", GERMAN: "Zur Startseite"}


class Words(NamedTuple):
    """A refusal in one language, for programs and for people."""

    title: str
    detail: str
    heading: str
    text: str


class Refusal(NamedTuple):
    """The texts for some statuses; `kind` is the problem's name, `wait` the seconds until a retry."""

    statuses: tuple[int, ...]
    kind: str
    wait: int
    words: dict[str, Words]


REFUSALS = (
    Refusal(
        (413,),
        "too-large",
        0,
        {
            ENGLISH: Words(
                "The body is too large",
                "Send less at once.",
                "That request is too large",
                "Nothing was changed. Go back, shorten what you send and try again.",
            ),
            GERMAN: Words(
                "Der Inhalt ist zu groß",
                "Sende weniger auf einmal.",
                "Die Anfrage ist zu groß",
                "Es wurde nichts geändert. Geh zurück, kürze deine Eingabe und versuche es noch einmal.",
            ),
        },
    ),
    Refusal(
        (429,),
        "rate-limited",
        RETRY_SECONDS,
        {
            ENGLISH: Words(
                "Too many requests",
                f"More than {CONNECTIONS} requests from your network are being answered. Nothing was changed.",
                "Too many requests",
                "Your network asks for too much at once. Nothing was changed. Try again in a few seconds.",
            ),
            GERMAN: Words(
                "Zu viele Anfragen",
                f"Mehr als {CONNECTIONS} Anfragen aus deinem Netz werden gerade beantwortet. Es wurde nichts geändert.",
                "Zu viele Anfragen",
                "Aus deinem Netz kommt zu viel auf einmal. Es wurde nichts geändert. Versuche es in einigen Sekunden "
                "noch einmal.",
            ),
        },
    ),
    Refusal(
        (502, 503, 504),
        "busy",
        RETRY_SECONDS,
        {
            ENGLISH: Words(
                "The site is busy",
                "The site does not answer. What you sent may have been done: send it again with the same key.",
                "One moment",
                "The site does not answer. Try again in a few seconds. The page then shows whether your last entry was "
                "submitted; submitting again does no harm.",
            ),
            GERMAN: Words(
                "Die Website ist ausgelastet",
                "Die Website antwortet nicht. Vielleicht ist geschehen, worum du gebeten hast: Sende es noch einmal "
                "mit demselben Key.",
                "Einen Moment",
                "Die Website antwortet nicht. Versuche es in einigen Sekunden noch einmal. Dann siehst du, ob deine "
                "letzte Eingabe angekommen ist; noch einmal abzugeben schadet nicht.",
            ),
        },
    ),
)
HEADER_COMMENT = """\
# What nginx answers by itself: to programs as the API does, in the language they accept; to people a page, in the one
# they have chosen.
"""
COMMON_HEADERS = """\
        add_header Cache-Control no-store always;
        add_header Content-Language $sectors_language always;
        add_header Referrer-Policy strict-origin always;
        add_header Retry-After $sectors_retry always;
        add_header X-Content-Type-Options nosniff always;
"""
PAGE = (
    '<!doctype html><html lang="$sectors_language"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>$sectors_heading / Sectors</title>'
    "<style>:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:34rem;"
    "margin:15vh auto 0;padding:0 1.25rem}a{color:inherit}</style></head>"
    '<body><main><h1>$sectors_heading</h1><p>$sectors_text</p><p><a href="/">$sectors_back</a></p></main></body></html>'
)


def maps() -> str:
    """The nginx maps that choose kind, language and text of the answer."""
    status, status_and_language = "$status", "$status/$sectors_language"
    languages = {"default": "$sectors_accepted", f"@page/{ENGLISH}": ENGLISH, f"@page/{GERMAN}": GERMAN}
    waits = {f"~^({_statuses(each)})$": str(each.wait) for each in REFUSALS if each.wait}
    refusals = {
        f"~^({_statuses(each)})/{language}$": (each, words)
        for each in REFUSALS
        for language, words in each.words.items()
    }
    maps_text = (
        _map("$request_uri", "sectors_refusal", {"default": "@page", "~^/api/": "@problem"}),
        _map("$http_accept_language", "sectors_accepted", {"default": ENGLISH, "~*^de": GERMAN}),
        _map("$sectors_refusal/$cookie_language", "sectors_language", languages),
        _map(status, "sectors_retry", waits),
        _map(
            status_and_language,
            "sectors_problem",
            {key: _problem(each, words) for key, (each, words) in refusals.items()},
        ),
        _map(status_and_language, "sectors_heading", {key: words.heading for key, (_, words) in refusals.items()}),
        _map(status_and_language, "sectors_text", {key: words.text for key, (_, words) in refusals.items()}),
        _map("$sectors_language", "sectors_back", BACK_TEXTS),
    )
    return HEADER_COMMENT + "\n".join(maps_text)


def locations() -> str:
    """The nginx locations that answer with them."""
    statuses = "|".join(map(_statuses, REFUSALS)).replace("|", " ")
    return f"""\
    error_page {statuses} $sectors_refusal;
    location @problem {{
        default_type application/problem+json;
        add_header Access-Control-Allow-Origin * always;
        add_header Access-Control-Expose-Headers Retry-After always;
{COMMON_HEADERS}        return 200 $sectors_problem;
    }}
    location @page {{
        default_type "text/html; charset=utf-8";
        # Where a part of a page was to come, this page takes nobody's place.
        add_header HX-Reswap none always;
        add_header Content-Security-Policy "default-src 'none'; style-src 'unsafe-inline'" always;
{COMMON_HEADERS}        return 200 '{PAGE}';
    }}
"""


def _map(source: str, name: str, values: dict[str, str]) -> str:
    lines = "".join(f"    {_quoted(key)} {_quoted(value)};\n" for key, value in values.items())
    return f"map {_quoted(source)} ${name} {{\n{lines}}}\n"


def _quoted(text: str) -> str:
    assert "'" not in text, "nginx ends a text there"
    return f"'{text}'"


def _statuses(refusal: Refusal) -> str:
    return "|".join(map(str, refusal.statuses))


def _problem(refusal: Refusal, words: Words) -> str:
    type_url = f"$scheme://$http_host/api/v1/problems/{refusal.kind}"
    problem = {"type": type_url, "title": words.title, "status": "$status", "detail": words.detail}
    wait = {"retry_after": refusal.wait} if refusal.wait else {}
    return json.dumps(problem | wait, ensure_ascii=False).replace('"$status"', "$status")
