"""The base of all API endpoints: authentication, scopes, limits, request and response types, ETags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from typing import Any, ClassVar, NamedTuple

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

from accounts import api_tokens, limits, middleware
from accounts.api_tokens import READ
from accounts.models import ApiToken, User
from accounts.sign_ins import address_of
from game.api import shapes
from game.api.facts.games import Place, place_of
from game.api.long_poll import WAITS, is_over_limit, is_retry, waiting_for, wants_groups
from game.api.problems import OPEN_TO_ALL, Problem, answer, problem_of, rule_url, rule_url_at
from game.api.reading import read_body, read_query
from game.api.tokens import TokenAuthentication, unknown_token
from game.engine.codec import Damaged
from game.engine.language import say
from game.infra import credentials, idempotency
from game.infra.calls import measured_work
from game.live.connections import EXPIRY_SECONDS
from game.play import devices, failures
from game.store.game import Game, Seat
from game.store.readers import game_for, get_game, own_seat

GZIP_TAG_SUFFIX = "-gzip"  # on the ETag of a compressed response
PREFLIGHT = {
    **OPEN_TO_ALL,
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
    "Last-Event-ID, Prefer",
    "Access-Control-Max-Age": "86400",
}


STORED_HEADERS = ("Location", "ETag", "Cache-Control")  # headers stored with a response
MATCHED = ("changed", "no-match")  # problems of operations that require If-Match


class Operation(NamedTuple):
    """One method of an endpoint. `scope` is the scope that the token needs; if `is_open`, the response is public, and a
    token's owner sees more. Any POST can be repeated with the same Idempotency-Key: if it `knows_keys`, its service
    handles that itself. `for_one_game`: whether a token of one game may use it; None means yes if the address names
    that game, or names none and is open."""

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
    """The client already has this response; `groups` are the channels that announce a newer one."""

    def __init__(self, tag: str, groups: tuple[str, ...]) -> None:
        super().__init__(tag)
        self.tag, self.groups = tag, groups


class Wire(BaseRenderer):
    """Renders structs and plain data as JSON."""

    media_type, format, charset = "application/json", "json", None

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        return b"" if data is None else msgspec.json.encode(data)


class Endpoint(APIView):
    """An address of the API; `operations` declares its methods."""

    authentication_classes = [TokenAuthentication]
    permission_classes = []
    parser_classes = []
    renderer_classes = [Wire]
    operations: ClassVar[Mapping[str, Operation]] = {}
    operation: Operation | None = None
    post: Callable[..., Response]
    query: Any
    body: Any
    usage: limits.Usage | None = None
    is_at_device = False  # several people play this game in the browsers of the token's owner

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        with measured_work() as work:
            response = super().dispatch(request, *args, **kwargs)
            if isinstance(response, Response) and not response.is_rendered:
                response.render()
        work.charge(self._who_reads)
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check in this order: token, limits, Accept header, method, scope, request types. Rejected requests count
        against the limits."""
        method = (request.method or "").upper()
        self.operation = self.operations.get("GET" if method == "HEAD" else method)
        super().initial(request, *args, **kwargs)
        self.usage = self._spend(kwargs)
        super().perform_content_negotiation(request)
        if self.operation is None:
            return  # the framework responds with 405
        self._check_scope(self.operation)
        self._check_game(self.operation, kwargs)
        self._check_device(method, kwargs)
        self._check_stream_limit(request)
        self.query = read_query(request.query_params, self.operation.query)
        is_repeatable = method == "POST" and bool(self.key) and not self.operation.knows_keys
        self.body = None if self.operation.body is None else read_body(request._request, self.operation.body)
        if method in SAFE_METHODS or getattr(self.body, "dry_run", False):
            self.check_work()
        if self.token and method not in SAFE_METHODS:
            name = method.lower()
            setattr(self, name, partial(self._while_live, getattr(self, name)))
        if is_repeatable:
            self.post = partial(self._post_once, self.post)

    def check_work(self) -> None:
        """Refuse what costs a lot and changes nothing, once the reader's share of work is used up. Raises
        `limits.TooMany`."""
        limits.check("work", self._who_reads)

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """The framework calls this before authentication. `initial` rejects a client that does not accept JSON, after
        counting the request."""
        return Wire(), Wire.media_type

    def perform_authentication(self, request: Request) -> None:
        """Count a request with an invalid token as one without: this limits guessing, not users with valid tokens."""
        try:
            super().perform_authentication(request)
        except AuthenticationFailed:
            self.usage = self._spend(self.kwargs)
            raise

    def handle_exception(self, exc: Exception) -> HttpResponse:  # type: ignore[override]
        """Render every exception as a problem, except `NotModified`."""
        if isinstance(exc, NotModified):
            return self._not_modified(exc)
        if isinstance(exc, limits.TooMany):
            self.usage = exc.usage
        problem = self._deletion_problem(exc) or problem_of(exc)
        if problem.status == 409:
            problem.facts |= self._game_state()
        if "rule" in problem.facts and (url := self._rule_url(problem.facts["rule"])):
            problem.facts["rule_url"] = url
        if isinstance(exc, Damaged) and "game_id" in self.kwargs:
            failures.hold_damaged(game_id=self.kwargs["game_id"])
        if problem.kind == "method":
            problem.headers["Allow"] = ", ".join(self.allowed_methods)
        response = answer(problem)
        response.exception = True  # type: ignore[attr-defined]
        return response

    def _deletion_problem(self, error: Exception) -> Problem | None:
        """The problem if the account, or what the request names, has been deleted meanwhile."""
        if self.token and middleware.is_account_deleted(error, self.token.user):
            return Problem("no-token")
        return Problem("not-found") if middleware.refers_to_deleted_row(error) else None

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        for name, value in (*OPEN_TO_ALL.items(), *(self.usage.headers if self.usage else {}).items()):
            response[name] = value
        if not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-cache" if self.token else "public, no-cache"
        response["Vary"] = "Authorization, Accept-Language"
        return response

    def options(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        """Answer CORS preflight requests. The API uses no cookies."""
        return HttpResponse(status=204, headers={**PREFLIGHT, "Allow": ", ".join(self.allowed_methods)})

    @property
    def allowed_methods(self) -> list[str]:
        return [*self.operations, *(["HEAD"] if "GET" in self.operations else []), "OPTIONS"]

    @property
    def token(self) -> ApiToken | None:
        """The valid token of the request, if any."""
        auth = getattr(self.request, "auth", None) if hasattr(self.request, "_auth") else None
        return auth if isinstance(auth, ApiToken) else None

    @property
    def only_game(self) -> int | None:
        """The one game that the token is for, or None."""
        return self.token.only_game if self.token else None

    @property
    def person(self) -> User:
        """The owner of the token; requires a token."""
        assert isinstance(self.request.user, User)
        return self.request.user

    @property
    def reader(self) -> User | None:
        """The user whose view the response shows. None without a read scope, if only the public part is requested, or
        outside the token's one game, and where several seats are at one device."""
        is_public = isinstance(self.query, shapes.Seen) and self.query.as_ == "public"
        is_public = is_public or self.is_at_device or self.only_game not in {None, self.kwargs.get("game_id")}
        return self.person if self.token and READ in self.token.scopes and not is_public else None

    @property
    def key(self) -> str:
        """The Idempotency-Key. Raises `Problem`."""
        key = self._given_key
        if key and not _is_key(key):
            raise Problem("invalid", say("An Idempotency-Key is 1 to 64 of the characters A-Z, a-z, 0-9, - and _."))
        return key

    def was_answered(self, key: str) -> bool:
        """True if a POST of this user with this key has a stored response."""
        return idempotency.has_response(user=self.person, key=key)

    def find_game(self, game_id: int) -> Game:
        """The game, if the caller may know of it. Raises `Problem`."""
        game = game_for(game_id=game_id, user=self._user_or_none)
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
        if seat.device:
            raise Problem("not-seated", say(devices.IN_BROWSERS))
        return seat

    def tagged(self, tag: str, groups: tuple[str, ...] = ()) -> dict[str, str]:
        """The headers of a response with this tag. Raises `NotModified` if the client has it; `*` does not say what it
        has."""
        tags = _tags_in(self.request.headers.get("If-None-Match", ""))
        if f'"{tag}"' in [client_tag.removeprefix("W/") for client_tag in tags]:
            raise NotModified(tag, groups)
        return {"ETag": f'"{tag}"'}

    def check_match(self, tag: str) -> None:
        """Check that the client has read the current version. Raises `Problem`."""
        if_match = self.request.headers.get("If-Match")
        if if_match is None:
            raise Problem("no-match")
        tags = _tags_in(if_match)
        if f'"{tag}"' not in tags and "*" not in tags:
            raise Problem("changed", headers={"ETag": f'"{tag}"'})

    def _while_live(self, work: Callable[..., Response], request: Request, **place: Any) -> Response:
        """Do what locks a game or an account only if the token is still valid then. Raises `AuthenticationFailed`."""
        assert self.token is not None
        try:
            with credentials.used(partial(api_tokens.is_live, self.token)):
                return work(request, **place)
        except credentials.Revoked:
            raise unknown_token() from None

    def _post_once(self, work: Callable[..., Response], request: Request, **place: Any) -> Response:
        """Do the work, or return the response stored under this key. Secrets are returned once and not stored."""
        responses: list[Response] = []

        def do_work() -> idempotency.ResponseParts:
            response = work(request, **place)
            responses.append(response)
            headers = {name: response[name] for name in STORED_HEADERS if response.has_header(name)}
            return idempotency.ResponseParts(
                response.status_code, headers, Wire().render(shapes.without_secret(response.data))
            )

        request_facts = [request.path, msgspec.to_builtins(self.body)]
        answer = idempotency.run_once(user=self.person, key=self.key, requests=request_facts, work=do_work)
        if responses:
            return responses[0]
        if self.usage:
            self.usage.refund()
        self.usage = limits.spend("read", self.person.pk)  # a repeat only reads
        data = msgspec.Raw(answer.body) if answer.body else None
        return Response(data, status=answer.status, headers=answer.headers)

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
    def _user_or_none(self) -> User | None:
        return self.person if self.token else None

    def _not_modified(self, exception: NotModified) -> HttpResponse:
        if self.usage and is_retry(self.request.headers):
            self.usage.refund()
        elif self.usage:
            self.usage.exchange("unchanged", self._budget(self.kwargs)[1])
        response = HttpResponseNotModified(headers={"ETag": f'"{exception.tag}"'})
        if self.token and wants_groups(self.request.headers):
            response[WAITS] = waiting_for(self.person.pk, exception.groups)
        return response

    def _check_scope(self, operation: Operation) -> None:
        if operation.is_open or not operation.scope:
            return
        if self.token is None:
            raise Problem("no-token", headers={"WWW-Authenticate": "Bearer"})
        if operation.scope not in self.token.scopes:
            raise Problem("scope", say("This needs the scope “{scope}”.", scope=operation.scope), needs=operation.scope)

    def _check_game(self, operation: Operation, place: Mapping[str, Any]) -> None:
        """Check that a token of one game is used for that game, or for what strangers see. Raises `Problem`."""
        only, may = self.only_game, operation.for_one_game
        if only is None:
            return
        game_id = place.get("game_id")
        if game_id not in {only, None} or not (operation.is_open or game_id == only if may is None else may):
            raise Problem("one-game", say("This token is for game {game} alone.", game=only), game=only)

    def _check_device(self, method: str, place: Mapping[str, Any]) -> None:
        """Refuse what is done in a game at its host's device: programs read it as strangers do. Raises `Problem`."""
        if "game_id" not in place or not (self.token and self.person.shares_device):
            return
        game = get_game(game_id=place["game_id"])
        self.is_at_device = game is not None and devices.is_shared(game, self.person)
        if self.is_at_device and method not in SAFE_METHODS:
            raise Problem("not-seated", say(devices.IN_BROWSERS))

    def _check_stream_limit(self, request: Request) -> None:
        """Refuse a stream beyond the limit. Raises `TooMany`."""
        if is_over_limit(request.headers):
            self.usage = limits.all_in_use("streams", EXPIRY_SECONDS)
            raise limits.TooMany(self.usage)

    def _game_state(self) -> dict[str, Any]:
        """The state of the game in question, so that the caller need not guess; empty if they may not see it."""
        game = game_for(game_id=self.kwargs["game_id"], user=self._user_or_none) if "game_id" in self.kwargs else None
        if game is None:
            return {}
        return {"phase_serial": game.phase_serial, "step": game.phase_step, "game_status": game.status}

    def _rule_url(self, rule: str) -> str:
        """The address of a rule, as the requested or the new game is played."""
        if "game_id" in self.kwargs:
            return rule_url_at(rule, self.kwargs["game_id"])
        body = self.body
        return rule_url(rule, ruleset=body.ruleset, options=body.options) if isinstance(body, shapes.NewGame) else ""

    def _spend(self, place: Mapping[str, Any]) -> limits.Usage:
        """Count a request. A repeat with a stored response does no work: if that work's limit is exceeded, it counts as
        reading. Raises `TooMany`."""
        counts = limits.spend_together([self._budget(place), *self._network_limits()])
        exceeded = next((usage for usage in counts if usage.is_too_many), None)
        if exceeded is None:
            return counts[0]
        if exceeded.limit.name in {"read", "network"} or not self._repeats_answered_post():
            raise limits.TooMany(exceeded)
        exceeded.refund()
        return limits.spend("read", self.person.pk)

    def _network_limits(self) -> list[tuple[str, str]]:
        """One limit for all programs at an address, so that several accounts of one person share it; the retry of a
        wait is not counted."""
        if self.token is None or is_retry(self.request.headers):
            return []
        return [("network", self._network)]

    def _repeats_answered_post(self) -> bool:
        key = self._given_key
        return bool(self.token) and self.request.method == "POST" and _is_key(key) and self.was_answered(key)

    def _budget(self, place: Mapping[str, Any]) -> tuple[str, str]:
        """The limit that a request counts against, and its key."""
        if self.token is None:
            return "anon", self._network
        name = self.operation.limit if self.operation else "read"
        if limits.LIMITS[name].by == limits.PERSON_AND_GAME:
            return name, f"{self.token.user_id}.{place.get('game_id')}"
        return name, str(self.token.user_id)


def _is_key(text: str) -> bool:
    return 0 < len(text) <= 64 and text.isascii() and text.replace("-", "").replace("_", "").isalnum()


def digest_of(content: Any) -> str:
    """The tag of a response without a version: equal responses have equal tags."""
    return blake2b(msgspec.json.encode(content), digest_size=8).hexdigest()


def page_url(request: Request, **changes: Any) -> str:
    """The address of this request with other parameters."""
    query = QueryDict(request._request.META.get("QUERY_STRING", ""), mutable=True)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = str(value)
    return f"{request.path}?{query.urlencode()}" if query else str(request.path)


def _tags_in(header: str) -> list[str]:
    """The client's tags, without the marker of a compressed response."""
    return [tag.replace(f'{GZIP_TAG_SUFFIX}"', '"') for tag in parse_etags(header)]
