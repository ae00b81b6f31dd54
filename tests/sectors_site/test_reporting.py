"""What a Sentry would be told of an error, and what a wrong setting says."""

from __future__ import annotations

import json
from importlib.util import find_spec
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars

from sectors_site import logs

SEALED = "bid-of-four-hundred"
EVENT: dict[str, Any] = {
    "event_id": "1",
    "level": "error",
    "message": SEALED,
    "logentry": {"message": SEALED},
    "request": {"url": f"https://play.example.org/games/7/invite/{SEALED}/", "data": SEALED, "cookies": SEALED},
    "user": {"ip_address": SEALED},
    "breadcrumbs": {"values": [{"message": SEALED}]},
    "extra": {"sys.argv": [SEALED]},
    "contexts": {"celery": {"args": [SEALED]}},
    "exception": {
        "values": [
            {
                "type": "ValueError",
                "value": SEALED,
                "stacktrace": {
                    "frames": [{"function": "close", "lineno": 7, "vars": {"x": SEALED}, "pre_context": [SEALED]}]
                },
            }
        ]
    },
}


def test_kind_and_place_are_told_and_nothing_that_anybody_sent_or_hides() -> None:
    with bound_contextvars(request="r1", game=7, socket=SEALED):
        result = logs.scrub(json.loads(json.dumps(EVENT)))
    assert SEALED not in json.dumps(result)
    (raised,) = result["exception"]["values"]
    assert (raised["type"], raised["stacktrace"]["frames"]) == ("ValueError", [{"function": "close", "lineno": 7}])
    assert result["tags"] == {"request": "r1", "game": "7"}


def test_without_an_address_nothing_is_started() -> None:
    logs.report_errors("", process="web", site="play.example.org")


@pytest.mark.parametrize("dsn", ["sentry", "https://sentry.example.org/1", "https://pssst@/1", "https://pssst@host"])
def test_a_wrong_address_is_one_sentence_without_its_key(dsn: str) -> None:
    with pytest.raises(SystemExit) as ended:
        logs.report_errors(dsn, process="web", site="play.example.org")
    assert str(ended.value).startswith("SENTRY_DSN must be an address such as ")
    assert "pssst" not in str(ended.value)


def test_without_the_package_the_start_says_what_to_install() -> None:
    """The package is not among those the site is locked to."""
    assert find_spec("sentry_sdk") is None
    with pytest.raises(SystemExit, match="sentry-sdk is not installed"):
        logs.report_errors("https://pssst@sentry.example.org/1", process="web", site="play.example.org")
