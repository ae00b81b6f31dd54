"""The API as OpenAPI 3.1, made from the operations of the endpoints and the types of what they take and answer."""

from __future__ import annotations

from functools import cache
from threading import Lock
from typing import Any

import msgspec
from django.urls import include, path
from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import OpenApiResponse

from game.api.endpoint import Endpoint, Operation, may_be_empty
from game.api.problems import KINDS, MEDIA_TYPE
from game.api.shapes import WebhookMessage
from game.outbox.webhook_events import PING, TYPES

SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")
WHERE = "#/components/schemas/{name}"
HEADERS = {
    "Idempotency-Key": ("is_post", "1 to 64 of A-Z, a-z, 0-9, - and _: the same request with it is answered once."),
    "If-None-Match": ("can_wait", "The ETag of the answer you have: 304 says that it is still the newest."),
    "If-Match": ("needs_match", "The ETag of what you read, or *: 412 says that it has changed since."),
    "Last-Event-ID": ("is_stream", "The “id” of the last line of a stream that broke: the next one goes on after it."),
    "Prefer": ("can_wait", "wait=N with If-None-Match: the answer is held for up to N seconds (55 at most)."),
}


class ProblemShape(msgspec.Struct):
    """What every refusal is (RFC 9457). `errors` point into the body; `rule` is the number of the rule that says no,
    `rule_url` where it is read. Further facts may stand beside them."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] = []
    rule: str = ""
    rule_url: str = ""


class Described(AutoSchema):
    """One operation, as its endpoint describes it."""

    view: Any

    @property
    def operation(self) -> Operation:
        """What the endpoint says of this method."""
        found: Operation = self.view.operations[self.method]
        return found

    def get_operation_id(self) -> str:
        return self.operation.name

    def get_summary(self) -> str:
        return self.operation.summary

    def get_description(self) -> str:  # type: ignore[override]
        scope = self.operation.scope
        if self.operation.is_open:
            return "Needs no token; a token with the scope “read” shows what its owner may see."
        return f"Needs a token with the scope “{scope}”." if scope else "Needs any token."

    def get_tags(self) -> list[str]:
        return [self.path.removeprefix("/api/v1/").partition("/")[0]]

    def get_auth(self) -> list[dict[str, Any]]:
        return [*super().get_auth(), *([{}] if self.operation.is_open else [])]

    def get_request_serializer(self) -> Any:
        body = self.operation.body
        return None if body is None else {"application/json": self._schema(body)}

    def _get_request_body(self, direction: str = "request") -> Any:
        """Left out may only be a body of which every field may be left out."""
        found = super()._get_request_body(direction)
        return found and {**found, "required": not may_be_empty(self.operation.body)}

    def get_response_serializers(self) -> Any:
        operation = self.operation
        shown = None if operation.answer is None else self._schema(operation.answer)
        answers: dict[Any, Any] = {operation.status: OpenApiResponse(shown, operation.summary)}
        if operation.can_wait:
            answers[304] = OpenApiResponse(None, "Nothing is new")
        for status, names in _problems(operation, self.method, self.path).items():
            told = ", ".join(names)
            answers[str(status), MEDIA_TYPE] = OpenApiResponse(self._schema(ProblemShape), told)
        return answers

    def _process_override_parameters(self, direction: str = "request") -> dict[Any, Any]:
        found = {(each["name"], each["in"]): each for each in self._query()}
        flags = self.operation._asdict() | {"is_post": self.method == "POST"}
        for name, (flag, words) in HEADERS.items():
            if flags[flag]:
                needs = {"required": True} if flag == "needs_match" else {}
                described = {"description": words, "schema": {"type": "string"}}
                found[name, "header"] = {"name": name, "in": "header", **needs, **described}
        return found

    def _query(self) -> list[dict[str, Any]]:
        """The parameters of the address, from the type that reads them."""
        kind = self.operation.query
        _, parts = msgspec.json.schema_components([kind], ref_template=WHERE)
        properties = parts[kind.__name__].get("properties", {})
        required = parts[kind.__name__].get("required", [])
        return [
            {"name": name, "in": "query", "schema": schema, **({"required": True} if name in required else {})}
            for name, schema in properties.items()
        ]

    def _schema(self, kind: Any) -> dict[str, Any]:
        """A reference to the shape of a type, which is put among the components with all that it is made of."""
        (shape,), parts = msgspec.json.schema_components([kind], ref_template=WHERE)
        for name, part in parts.items():
            found = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, schema=part, object=name)
            self.registry.register_on_missing(found)
        return dict(shape)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a token is sent."""

    target_class = "game.api.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A token from your preferences: sat_…"}


def document() -> dict[str, Any]:
    """The whole contract. It belongs to this version of the code alone."""
    with _making, override("en"):  # of those who come first at once, one makes it, whatever they speak
        return _document()


_making = Lock()


@cache
def _document() -> dict[str, Any]:
    Endpoint.schema = Described()  # it notes which operation it describes, so only one thread may ask it
    made = SchemaGenerator(patterns=[path("api/v1/", include("game.api.urls"))])  # type: ignore[no-untyped-call]
    found: dict[str, Any] = made.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return _portable(found | {"webhooks": _webhooks(found["components"]["schemas"])})


def _portable(part: Any) -> Any:
    """The same as other programs read it. Every array says of what: generators of clients know neither tuples nor
    arrays of anything. An empty text that stands for what is left out is no default where its pattern forbids it."""
    if isinstance(part, list):
        return [_portable(each) for each in part]
    if not isinstance(part, dict):
        return part
    is_left_out = "pattern" in part and part.get("default") == ""
    dropped = ("prefixItems", "default") if is_left_out else ("prefixItems",)
    plain = {key: _portable(value) for key, value in part.items() if key not in dropped}
    if part.get("type") == "array" and not plain.get("items"):
        places = part.get("prefixItems", [])
        kinds = [kind for at, kind in enumerate(places) if kind not in places[:at]]
        plain["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds and {} not in kinds else {}
    return plain


def _webhooks(components: dict[str, Any]) -> dict[str, Any]:
    """What is posted to webhooks, by its type; all have one shape, which is put among the components."""
    (shape,), parts = msgspec.json.schema_components([WebhookMessage], ref_template=WHERE)
    components.update(parts)
    answers = {
        "2XX": {"description": "It is taken. A ping is answered with its challenge."},
        "410": {"description": "Send nothing here any more."},
    }
    body = {"required": True, "content": {"application/json": {"schema": shape}}}
    named = [{"name": name, "in": "header", "required": True, "schema": {"type": "string"}} for name in SIGNED]
    about = {kind: str(words) for kind, words in TYPES.items()} | {PING: "Asks for its challenge"}
    return {
        kind: {"post": {"summary": words, "parameters": named, "requestBody": body, "responses": answers}}
        for kind, words in about.items()
    }


def _problems(operation: Operation, method: str, path: str) -> dict[int, list[str]]:
    """The kinds of problems by status: what everything may meet, and the operation's own."""
    names = [*operation.problems, "no-token", "not-acceptable", "invalid", "rate-limited", "error", "busy"]
    names += [] if operation.is_open or not operation.scope else ["scope"]
    names += [] if operation.for_one_game or (operation.is_open and "{game_id}" not in path) else ["one-game"]
    names += ["malformed", "media-type", "too-large"] if operation.body else []
    names += ["key-reused"] if method == "POST" else []
    found: dict[int, list[str]] = {}
    for name in sorted(set(names)):
        found.setdefault(KINDS[name].status, []).append(name)
    return dict(sorted(found.items()))
