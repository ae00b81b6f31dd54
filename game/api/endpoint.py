"""What every address of the API has in common: who asks, what they may, the shapes of requests and answers, tags."""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from functools import cache, partial
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple, TypeVar

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.http.response import HttpResponseBase
from django.utils.http import parse_etags
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import gone, limits
from accounts.api_tokens import READ
from accounts.models import ApiToken, User
from accounts.sign_in_log import address_of
from game.api import shapes
from game.api.facts.games import Place, place_of
from game.api.problems import OPEN_TO_ALL, Problem, answer, problem_of
from game.api.rule_urls import rule_url, rule_url_at
from game.api.tokens import TokenAuthentication
from game.api.waits import WAITS, asks_again, groups_asked, is_one_too_many, waiting_for
from game.api.wrong_shapes import invalid, malformed
from game.engine.codec import Damaged
from game.engine.language import say
from game.infra import idempotency
from game.infra.work import working
from game.live.roll import FORGOTTEN_AFTER
from game.play import failures
from game.store.game import Game, Seat
from game.store.readers import game_for, own_seat
from sectors_site.compression import PACKED

T = TypeVar("T")
PREFLIGHT = {
    **OPEN_TO_ALL,
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, Prefer",
    "Access-Control-Max-Age": "86400",
}


KEPT = ("Location", "ETag", "Cache-Control")  # headers that belong to an answer that is kept
MATCHED = ("changed", "no-match")  # the problems of an operation that needs the ETag of what it changes


class Operation(NamedTuple):
    """What one method of an address takes and answers. `scope` is what the token must be allowed; where `is_open` the
    answer is there for strangers too, and shows a token's owner more. Every POST can be sent again with the same
    Idempotency-Key: where it `knows_keys`, its service sees to that itself. `for_one_game`: whether it is there for a
    token of one game; None where it is if the address names that game, or names none and is open."""

    name: str
    summary: str
    answer: type[Any] | None
    scope: str = READ
    is_open: bool = False
    query: type[Any] = shapes.NoQuery
    body: type[Any] | None = None
    status: int = 200
    limit: str = "read"
    problems: tuple[str, ...] = ()
    knows_keys: bool = False
    can_wait: bool = False
    is_stream: bool = False
    needs_match: bool = False
    for_one_game: bool | None = None


class NotModified(Exception):
    """The client has this answer already; `groups` are where a newer one would be announced."""

    def __init__(self, tag: str, groups: tuple[str, ...]) -> None:
        super().__init__(tag)
        self.tag, self.groups = tag, groups


class Wire(BaseRenderer):
    """Structs and plain data as JSON."""

    media_type, format, charset = "application/json", "json", None

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        return b"" if data is None else msgspec.json.encode(data)


class Endpoint(APIView):
    """An address: `operations` by method says everything that is known of it beforehand."""

    authentication_classes = [TokenAuthentication]
    permission_classes = []
    parser_classes = []
    renderer_classes = [Wire]
    operations: ClassVar[Mapping[str, Operation]] = {}
    operation: Operation | None = None
    post: Callable[..., Response]
    query: Any
    body: Any
    spent: limits.Spent | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with working() as work:
            response = super().dispatch(request, *args, **kwargs)
            if isinstance(response, Response) and not response.is_rendered:
                response.render()
        work.charge(self._who_reads)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Judge a request in this order: the token, the limits, the form of the answer, the method, what the token is
        for, the shape. Whatever is refused has counted."""
        method = (request.method or "").upper()
        self.operation = self.operations.get("GET" if method == "HEAD" else method)
        super().initial(request, *args, **kwargs)
        self.spent = self._spend(kwargs)
        super().perform_content_negotiation(request)
        if self.operation is None:
            return  # the framework answers that there is no such method
        self._check_scope(self.operation)
        self._check_game(self.operation, kwargs)
        self._check_place(request)
        self.query = _read_query(request.query_params, self.operation.query)
        is_kept = method == "POST" and bool(self.key) and not self.operation.knows_keys
        self.body = None if self.operation.body is None else _read_body(request._request, self.operation.body)
        if method in SAFE_METHODS or getattr(self.body, "dry_run", False):
            limits.check("work", self._who_reads)
        if is_kept:
            self.post = partial(self._post_once, self.post)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """The framework asks for this before it knows who asks: a client that accepts no JSON is refused in `initial`,
        after that has been counted."""
        return Wire(), Wire.media_type

    def perform_authentication(self, request: Request) -> None:
        """An invalid token counts as none: guessers of tokens are limited, people with valid ones are not."""
        try:
            super().perform_authentication(request)
        except AuthenticationFailed:
            self.spent = self._spend(self.kwargs)
            raise

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Every problem in the one form; that nothing is new is none."""
        if isinstance(exc, NotModified):
            return self._not_modified(exc)
        if isinstance(exc, limits.TooMany):
            self.spent = exc.spent
        problem = self._lost(exc) or problem_of(exc)
        if problem.status == 409:
            problem.facts |= self._where_it_is()
        if "rule" in problem.facts and (url := self._rule_url(problem.facts["rule"])):
            problem.facts["rule_url"] = url
        if isinstance(exc, Damaged) and "game_id" in self.kwargs:
            failures.hold_damaged(game_id=self.kwargs["game_id"])
        if problem.kind == "method":
            problem.headers["Allow"] = ", ".join(self.allowed_methods)
        response = answer(problem)
        response.exception = True  # type: ignore[attr-defined]
        return response

    def _lost(self, error: Exception) -> Problem | None:
        """Where the account, or what the request names, was deleted meanwhile."""
        if self.token and gone.lost_account(error, self.token.user):
            return Problem("no-token")
        return Problem("not-found") if gone.names_what_is_gone(error) else None

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in (*OPEN_TO_ALL.items(), *(self.spent.headers if self.spent else {}).items()):
            response[name] = value
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache" if self.token else "public, no-cache"
        response["Vary"] = "Authorization, Accept-Language"
        return response

    def options(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """What browsers ask before a page of another site may ask; there are no cookies to be used."""
        return HttpResponse(status=204, headers={**PREFLIGHT, "Allow": ", ".join(self.allowed_methods)})

    @property
    def allowed_methods(self) -> list[str]:
        return [*self.operations, *(["HEAD"] if "GET" in self.operations else []), "OPTIONS"]

    @property
    def token(self) -> ApiToken | None:
        """What the request was sent with, where that was good."""
        found = getattr(self.request, "auth", None) if hasattr(self.request, "_auth") else None
        return found if isinstance(found, ApiToken) else None

    @property
    def only_game(self) -> int | None:
        """The one game that the token is for, if it is not for all."""
        return self.token.only_game if self.token else None

    @property
    def person(self) -> User:
        """The owner of the token; asked for where there is one."""
        assert isinstance(self.request.user, User)
        return self.request.user

    @property
    def reader(self) -> User | None:
        """The person whose view the answer shows: None without a token that may read, if only the public part is
        requested, or outside the one game of the token."""
        is_public = isinstance(self.query, shapes.Seen) and self.query.as_ == "public"
        is_public = is_public or self.only_game not in {None, self.kwargs.get("game_id")}
        return self.person if self.token and READ in self.token.scopes and not is_public else None

    @property
    def key(self) -> str:
        """The Idempotency-Key. Raises `Problem`."""
        key = self._given_key
        if key and not _is_key(key):
            raise Problem("invalid", say("An Idempotency-Key is 1 to 64 of the characters A-Z, a-z, 0-9, - and _."))
        return key

    def was_answered(self, key: str) -> bool:
        """Whether a POST of this person with this key was answered, and would be answered the same again."""
        return idempotency.has(user=self.person, key=key)

    def find_game(self, game_id: int) -> Game:
        """The game, if the caller may know of it. Raises `Problem`."""
        game = game_for(game_id=game_id, user=self._whoever)
        if game is None:
            raise Problem("not-found", say("There is no such game."))
        return game

    def find_place(self, game_id: int) -> Place:
        """The game from the caller's seat. Raises `Problem`."""
        game = game_for(game_id=game_id, user=self.reader)
        if game is None:
            raise Problem("not-found", say("There is no such game."))
        return place_of(game, self.reader)

    def find_seat(self, game_id: int) -> Seat:
        """The caller's own seat. Raises `Problem`."""
        self.find_game(game_id)
        seat = own_seat(game_id=game_id, user=self.person)
        if seat is None:
            raise Problem("not-seated", say("You have no seat in this game."))
        return seat

    def tagged(self, tag: str, groups: tuple[str, ...] = ()) -> dict[str, str]:
        """The headers of an answer with this tag. Raises `NotModified` where the client has it; `*` says nothing about
        what it has."""
        tags = _known_tags(self.request.headers.get("If-None-Match", ""))
        if f'"{tag}"' in [each.removeprefix("W/") for each in tags]:
            raise NotModified(tag, groups)
        return {"ETag": f'"{tag}"'}

    def check_match(self, tag: str) -> None:
        """That the client has read what it is about to change. Raises `Problem`."""
        given = self.request.headers.get("If-Match")
        if given is None:
            raise Problem("no-match")
        tags = _known_tags(given)
        if f'"{tag}"' not in tags and "*" not in tags:
            raise Problem("changed", headers={"ETag": f'"{tag}"'})

    def _post_once(self, work: Callable[..., Response], request: Request, **place: Any) -> Response:
        """Do the work, or answer as before where it was done under this key; a secret is told once and not kept."""
        done: list[Response] = []

        def answered() -> idempotency.Answer:
            response = work(request, **place)
            done.append(response)
            headers = {name: response[name] for name in KEPT if response.has_header(name)}
            return idempotency.Answer(
                response.status_code, headers, Wire().render(shapes.without_secret(response.data))
            )

        asked = [request.path, msgspec.to_builtins(self.body)]
        kept = idempotency.once(user=self.person, key=self.key, asked=asked, work=answered)
        if done:
            return done[0]
        if self.spent:
            self.spent.give_back()
        self.spent = limits.spend("read", self.person.pk)  # telling it again does nothing but read
        data = msgspec.Raw(kept.body) if kept.body else None
        return Response(data, status=kept.status, headers=kept.headers)

    @property
    def _who_reads(self) -> str:
        return str(self.token.user_id) if self.token else self._network

    @property
    def _network(self) -> str:
        return limits.network_of(address_of(self.request._request))

    @property
    def _given_key(self) -> str:
        return str(self.request.headers.get("Idempotency-Key", ""))

    @property
    def _whoever(self) -> User | None:
        return self.person if self.token else None

    def _not_modified(self, found: NotModified) -> HttpResponse:
        if self.spent and asks_again(self.request.headers):
            self.spent.give_back()
        elif self.spent:
            self.spent.exchange("unchanged", self._budget(self.kwargs)[1])
        response = HttpResponseNotModified(headers={"ETag": f'"{found.tag}"'})
        if self.token and groups_asked(self.request.headers):
            response[WAITS] = waiting_for(self.person.pk, found.groups)
        return response

    def _check_scope(self, operation: Operation) -> None:
        if operation.is_open or not operation.scope:
            return
        if self.token is None:
            raise Problem("no-token", headers={"WWW-Authenticate": "Bearer"})
        if operation.scope not in self.token.scopes:
            raise Problem("scope", say("This needs the scope “{scope}”.", scope=operation.scope), needs=operation.scope)

    def _check_game(self, operation: Operation, place: Mapping[str, Any]) -> None:
        """Check that a token of one game is used for it, or for what strangers see. Raises `Problem`."""
        only, may = self.only_game, operation.for_one_game
        if only is None:
            return
        asked = place.get("game_id")
        if asked not in {only, None} or not (operation.is_open or asked == only if may is None else may):
            raise Problem("one-game", say("This token is for game {game} alone.", game=only), game=only)

    def _check_place(self, request: Request) -> None:
        """That a stream was not one too many. Raises `TooMany`."""
        if is_one_too_many(request.headers):
            self.spent = limits.none_left("streams", FORGOTTEN_AFTER)
            raise limits.TooMany(self.spent)

    def _where_it_is(self) -> dict[str, Any]:
        """The state of the game in question, so that the caller need not guess; nothing about one they may not know."""
        game = game_for(game_id=self.kwargs["game_id"], user=self._whoever) if "game_id" in self.kwargs else None
        if game is None:
            return {}
        return {"phase_serial": game.phase_serial, "step": game.phase_step, "game_status": game.status}

    def _rule_url(self, rule: str) -> str:
        """Where a rule stands by which the game is played that was asked, or is to be."""
        if "game_id" in self.kwargs:
            return rule_url_at(rule, self.kwargs["game_id"])
        asked = self.body
        return rule_url(rule, ruleset=asked.ruleset, options=asked.options) if isinstance(asked, shapes.NewGame) else ""

    def _spend(self, place: Mapping[str, Any]) -> limits.Spent:
        """Count a request. One that asks again for the answer it got does no work: where the limit of that work is used
        up it counts as reading. Raises `TooMany`."""
        found = limits.spend_together([self._budget(place), *self._of_network()])
        over = next((spent for spent in found if spent.is_too_many), None)
        if over is None:
            return found[0]
        if over.limit.name in {"read", "network"} or not self._asks_for_its_answer():
            raise limits.TooMany(over)
        over.give_back()
        return limits.spend("read", self.person.pk)

    def _of_network(self) -> list[tuple[str, str]]:
        """All programs of an address together, so that many accounts of one person get no more than so much; a wait
        that looks again is no request of its own."""
        if self.token is None or asks_again(self.request.headers):
            return []
        return [("network", self._network)]

    def _asks_for_its_answer(self) -> bool:
        key = self._given_key
        return bool(self.token) and self.request.method == "POST" and _is_key(key) and self.was_answered(key)

    def _budget(self, place: Mapping[str, Any]) -> tuple[str, str]:
        """Which limit a request counts for, and whose."""
        if self.token is None:
            return "anon", self._network
        name = self.operation.limit if self.operation else "read"
        if limits.LIMITS[name].by == limits.GAME:
            return name, f"{self.token.user_id}.{place.get('game_id')}"
        return name, str(self.token.user_id)


def _is_key(text: str) -> bool:
    return 0 < len(text) <= 64 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def digest_of(shown: Any) -> str:
    """The tag of an answer that nothing else numbers: equal answers have equal ones."""
    return blake2b(msgspec.json.encode(shown), digest_size=8).hexdigest()


def page_url(request: Request, **changes: Any) -> str:
    """The address of this request with other parameters."""
    query = QueryDict(request._request.META.get("QUERY_STRING", ""), mutable=True)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = str(value)
    return f"{request.path}?{query.urlencode()}" if query else str(request.path)


def _read_query(given: QueryDict, kind: type[T]) -> T:
    """The parameters of an address. Raises `Problem`; a parameter that nobody knows is refused."""
    known = _known_to(kind)  # type: ignore[arg-type]
    for name, values in given.lists():
        if name not in known or len(values) > 1:
            told = say("This address takes each of these parameters once: {known}.", known=", ".join(sorted(known)))
            told = told if known else say("This address takes no parameters.")
            code = "repeated_parameter" if name in known else "unknown_parameter"
            raise Problem("invalid", told, errors=[{"parameter": name[:40], "code": code, "detail": told}])
    try:
        if zero := next((name for name, value in given.items() if "\x00" in value), ""):
            raise msgspec.ValidationError(f"No text has a zero byte - at `$.{zero}`")
        return msgspec.convert(given.dict(), kind, strict=False)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        raise invalid(error, kind, is_body=False) from None


@cache
def _known_to(kind: Any) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def may_be_empty(kind: Any) -> bool:
    """Whether no body at all is the same as an empty object."""
    return not any(field.required for field in msgspec.structs.fields(kind))


def _read_body(request: HttpRequest, kind: type[T]) -> T:
    """The body, strictly. Raises `Problem`."""
    raw = request.body.removeprefix(BOM_UTF8)  # PowerShell and .NET begin with one
    if not raw and may_be_empty(kind):
        return kind()
    if request.content_type != "application/json":
        raise Problem("media-type")
    try:
        found = msgspec.json.decode(raw, type=kind)
        json.loads(raw, object_pairs_hook=_once_each, parse_int=str, parse_float=str)
        return found
    except msgspec.ValidationError as error:
        raise invalid(error, kind, is_body=True) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise malformed(raw) from None


def _known_tags(header: str) -> list[str]:
    """The tags that a client names, as they were before an answer was compressed."""
    return [each.replace(f'{PACKED}"', '"') for each in parse_etags(header)]


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without duplicate keys: readers differ about which of two counts. Raises `Problem`."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            told = say("The key “{key}” appears twice in one object.", key=key[:40])
            error = {"pointer": "#", "code": "repeated_key", "field": key[:40], "detail": told}
            raise Problem("invalid", told, errors=[error])
        found[key] = value
    return found
