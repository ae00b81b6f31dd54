"""Problems (RFC 9457) for every endpoint: what went wrong, why, where, with which numbers, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

import msgspec
import structlog
from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse
from django.urls import reverse
from rest_framework import exceptions

from accounts.limit_answers import describe_refusal, describe_wait
from accounts.limits import TooMany
from game.engine.actions import Refused
from game.engine.codec import Damaged
from game.engine.language import mark, say
from game.rulesets.registry import RULESETS
from game.store.badges import book_of
from game.store.game import Game

ROOT = "/api/v1"
MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 10  # by then a busy site has usually recovered
OPEN_TO_ALL = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Preference-Applied",
}
log = structlog.get_logger("game.api.problems")


class Kind(NamedTuple):
    """A kind of problem; its page shows `about`."""

    status: int
    title: str
    about: str


KINDS: Mapping[str, Kind] = {
    "malformed": Kind(400, mark("This is not JSON"), mark("The body must be one JSON object in UTF-8.")),
    "bad-request": Kind(
        400,
        mark("This request cannot be accepted"),
        mark("Its host, its address or a header is not one for this site."),
    ),
    "no-token": Kind(
        401, mark("A token is needed"), mark("Send “Authorization: Bearer sat_…” with a token from your settings.")
    ),
    "scope": Kind(403, mark("The token may not do this"), mark("Make a token with the scope that “needs” names.")),
    "one-game": Kind(
        403,
        mark("The token is for another game"),
        mark("It is valid only in the game that “game” names. Make another token."),
    ),
    "not-seated": Kind(403, mark("You have no seat there"), mark("Only a player of this game can do this.")),
    "not-host": Kind(403, mark("You are not the host"), mark("Only the host of the game may do this.")),
    "not-found": Kind(404, mark("There is nothing here"), mark("This does not exist, or you may not see it.")),
    "method": Kind(405, mark("Method not allowed"), mark("The header “Allow” names the methods of this address.")),
    "not-acceptable": Kind(
        406,
        mark("Only JSON is supported"),
        mark("Accept application/json; for a stream also application/x-ndjson or text/event-stream."),
    ),
    "too-slow": Kind(
        408, mark("The request took too long"), mark("Nothing was changed. The whole body must come within seconds.")
    ),
    "phase-closed": Kind(
        409, mark("The game has moved on"), mark("The answer names the phase and the step that are open now.")
    ),
    "not-running": Kind(
        409,
        mark("The game accepts nothing now"),
        mark("It has not started, is paused or on hold, or is over: see “game_status”."),
    ),
    "not-finished": Kind(409, mark("The game is not over"), mark("This is available when the game is over.")),
    "seat-taken": Kind(409, mark("No seat is free"), mark("Somebody else has it.")),
    "damaged": Kind(409, mark("The record of this game is damaged"), mark("A moderator looks at it.")),
    "changed": Kind(
        412,
        mark("It has changed since you read it"),
        mark("Read it again, and send the new ETag as If-Match if you still want the change."),
    ),
    "too-large": Kind(413, mark("The body is too large"), mark("Send less at once.")),
    "media-type": Kind(415, mark("Send JSON"), mark("The body’s Content-Type is application/json.")),
    "invalid": Kind(
        422, mark("The request has the wrong shape"), mark("“errors” points at the first thing that is wrong.")
    ),
    "refused": Kind(422, mark("This is refused"), mark("The rules refuse it; “errors” says why, with the numbers.")),
    "key-reused": Kind(
        422, mark("This key was used before"), mark("An Idempotency-Key belongs to one request: take a new one.")
    ),
    "no-match": Kind(
        428, mark("Say what you have read"), mark("Send the ETag of what you change as If-Match, or * for any state.")
    ),
    "rate-limited": Kind(429, mark("Too many requests"), mark("Wait as many seconds as “Retry-After” says.")),
    "error": Kind(500, mark("A mistake of ours"), mark("Nothing was changed. It is in our log.")),
    "switched-off": Kind(503, mark("This is switched off"), mark("Nothing was changed. “detail” says what is off.")),
    "busy": Kind(
        503, mark("The site is busy"), mark("Try again with the same key. “detail” says whether anything was changed.")
    ),
}
REFUSALS = {
    "no_game": "not-found",
    "no_webhook": "not-found",
    "no_message": "not-found",
    "not_host": "not-host",
    "not_seated": "not-seated",
    "seat_taken": "seat-taken",
    "phase_closed": "phase-closed",
    "turn_moved": "phase-closed",
    "too_late": "phase-closed",
    "not_running": "not-running",
    "not_waiting": "not-running",
    "key_reused": "key-reused",
    "rules_failed": "error",
}
"""The problem of a refusal by its code; every other refusal is `refused`."""


class Problem(Exception):
    """An error response (RFC 9457): `detail` is a sentence, `facts` are extra members."""

    def __init__(self, kind: str, detail: str = "", *, headers: Mapping[str, str] | None = None, **facts: Any) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.facts, self.headers = kind, detail, facts, dict(headers or {})

    @property
    def status(self) -> int:
        return KINDS[self.kind].status

    def body(self) -> dict[str, Any]:
        kind = KINDS[self.kind]
        detail = self.detail or say(kind.about)
        return {
            "type": f"{settings.SITE_URL}{ROOT}/problems/{self.kind}",
            "title": say(kind.title),
            "status": kind.status,
            "detail": detail,
            **self.facts,
        }


def answer(problem: Problem) -> HttpResponse:
    """The problem as a response."""
    response = HttpResponse(msgspec.json.encode(problem.body()), status=problem.status, content_type=MEDIA_TYPE)
    response["Cache-Control"] = "no-store"
    for name, value in (*OPEN_TO_ALL.items(), *problem.headers.items()):
        response[name] = value
    return response


def problem_of(error: Exception) -> Problem:
    """The problem for an exception; an unexpected one is logged."""
    for kind, build_problem in PROBLEM_BUILDERS.items():
        if isinstance(error, kind):
            return build_problem(error)
    log.error("api_failed", exc_info=error)
    return Problem("error")


def _refusal_problem(refused: Refused) -> Problem:
    """The problem that reports a refusal with the text, rule, code and numbers that a page shows."""
    pointer = "#" if refused.place is None else f"#/actions/{refused.place}"
    if refused.field:
        pointer += f"/{refused.field}"
    rule: dict[str, Any] = {"rule": refused.rule} if refused.rule else {}
    error = {
        "pointer": pointer,
        "code": refused.code,
        "field": refused.field,
        "detail": refused.text,
        "facts": dict(refused.facts),
        **rule,
    }
    return Problem(REFUSALS.get(refused.code, "refused"), refused.text, **rule, errors=[error], nothing_was_sent=True)


def _limit_problem(error: TooMany) -> Problem:
    """The limit's name and size, and when to try again."""
    usage = error.usage
    return Problem(
        "rate-limited",
        f"{describe_refusal(usage)} {describe_wait(usage)}",
        headers=error.headers,
        limit=usage.limit.name,
        most=usage.limit.most,
        window=usage.limit.seconds,
        retry_after=usage.left_seconds,
    )


def _framework_problem(error: exceptions.APIException) -> Problem:
    kinds = {400: "malformed", 401: "no-token", 403: "scope", 404: "not-found", 405: "method", 406: "not-acceptable"}
    kind = {**kinds, 415: "media-type", 429: "rate-limited"}.get(error.status_code, "malformed")
    headers = {"WWW-Authenticate": "Bearer"} if error.status_code == 401 else {}
    return Problem(kind, str(error.detail) if kind == "no-token" else "", headers=headers)


def _busy_problem() -> Problem:
    """The database does not answer; the transaction was rolled back."""
    return Problem(
        "busy", say("Nothing was changed. Try again with the same key."), headers={"Retry-After": str(RETRY_SECONDS)}
    )


PROBLEM_BUILDERS: Mapping[type[Exception], Callable[[Any], Problem]] = {
    Problem: lambda problem: problem,
    Refused: _refusal_problem,
    TooMany: _limit_problem,
    exceptions.APIException: _framework_problem,
    Http404: lambda _: Problem("not-found"),
    PermissionDenied: lambda _: Problem("not-seated"),
    RequestDataTooBig: lambda _: Problem("too-large"),
    Damaged: lambda _: Problem("damaged"),
    OperationalError: lambda _: _busy_problem(),
    InterfaceError: lambda _: _busy_problem(),
}


def rule_url(rule: str, *, ruleset: str, options: Mapping[str, Any]) -> str:
    """The address of a rule in the API; empty if the game has no rulebook."""
    book = book_of(ruleset) if ruleset in RULESETS else None
    if book is None:
        return ""
    variant = str(options.get(book.option, ""))
    query = f"?{urlencode({'variant': variant})}" if variant and variant in book.by_key else ""
    return settings.SITE_URL + reverse("api_rule", args=[ruleset, rule]) + query


def rule_url_at(rule: str, game_id: int) -> str:
    """The address of a rule for this game."""
    game = Game.objects.only("ruleset", "options").get(pk=game_id)
    return rule_url(rule, ruleset=game.ruleset, options=game.options)
