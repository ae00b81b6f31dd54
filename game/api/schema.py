"""The API as OpenAPI 3.1, built from the endpoints' operations and types."""

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

from game.api.endpoint import Endpoint, Operation
from game.api.problems import KINDS, MEDIA_TYPE
from game.api.reading import may_be_empty
from game.api.shapes import WebhookMessage
from game.outbox.webhook_types import PING, TYPES

SIGNATURE_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")
REF_TEMPLATE = "#/components/schemas/{name}"
HEADERS = {
    "Idempotency-Key": (
        "is_post",
        "1 to 64 of A-Z, a-z, 0-9, - and _: a request sent again with it is done once.",
    ),
    "If-None-Match": ("can_wait", "The ETag of the answer you have: 304 says that it is still current."),
    "If-Match": ("needs_match", "The ETag of what you read, or *: 412 says that it has changed since."),
    "Last-Event-ID": (
        "is_stream",
        "The “id” of the last line of a stream that broke: the next continues after it.",
    ),
    "Prefer": ("can_wait", "wait=N with If-None-Match: the answer is held for up to N seconds (55 at most)."),
}


class ProblemShape(msgspec.Struct):
    """Every refusal (RFC 9457). `errors` point into the body; `rule` is the number of the rule that forbids it,
    `rule_url` its address. There may be further members with facts."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[dict[str, Any]] = []
    rule: str = ""
    rule_url: str = ""


class Described(AutoSchema):
    """Describes one operation for drf-spectacular."""

    view: Any

    @property
    def operation(self) -> Operation:
        """The operation of this method."""
        declared: Operation = self.view.operations[self.method]
        return declared

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
        """The body is optional only if all its fields are."""
        body = super()._get_request_body(direction)
        return body and {**body, "required": not may_be_empty(self.operation.body)}

    def get_response_serializers(self) -> Any:
        operation = self.operation
        answer_schema = None if operation.answer is None else self._schema(operation.answer)
        answers: dict[Any, Any] = {operation.status: OpenApiResponse(answer_schema, operation.summary)}
        if operation.can_wait:
            answers[304] = OpenApiResponse(None, "Nothing has changed")
        for status, names in _problems_by_status(operation, self.method, self.path).items():
            description = ", ".join(names)
            answers[str(status), MEDIA_TYPE] = OpenApiResponse(self._schema(ProblemShape), description)
        return answers

    def _process_override_parameters(self, direction: str = "request") -> dict[Any, Any]:
        parameters = {(parameter["name"], parameter["in"]): parameter for parameter in self._query()}
        flags = self.operation._asdict() | {"is_post": self.method == "POST"}
        for name, (flag, words) in HEADERS.items():
            if flags[flag]:
                needs = {"required": True} if flag == "needs_match" else {}
                header = {"description": words, "schema": {"type": "string"}}
                parameters[name, "header"] = {"name": name, "in": "header", **needs, **header}
        return parameters

    def _query(self) -> list[dict[str, Any]]:
        """The query parameters, from the type that parses them."""
        kind: Any = self.operation.query
        _, parts = _components_of(kind)
        properties = parts[kind.__name__].get("properties", {})
        required = parts[kind.__name__].get("required", [])
        return [
            {"name": name, "in": "query", "schema": schema, **({"required": True} if name in required else {})}
            for name, schema in properties.items()
        ]

    def _schema(self, kind: Any) -> dict[str, Any]:
        """A reference to a type's schema, which is added to the components with everything it uses."""
        shape, parts = _components_of(kind)
        for name, part in parts.items():
            component = ResolvedComponent(name=name, type=ResolvedComponent.SCHEMA, schema=part, object=name)
            self.registry.register_on_missing(component)
        return dict(shape)


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Token authentication."""

    target_class = "game.api.tokens.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, Any]:
        return {"type": "http", "scheme": "bearer", "description": "A token from your preferences: sat_…"}


def document() -> dict[str, Any]:
    """The whole OpenAPI document, built once per process."""
    # One thread builds it for all, in English whatever the first reader's language is.
    with _build_lock, override("en"):
        return _document()


_build_lock = Lock()


@cache
def _document() -> dict[str, Any]:
    Endpoint.schema = Described()  # it stores its current operation, so only one thread may use it
    generator = SchemaGenerator(patterns=[path("api/v1/", include("game.api.urls"))])  # type: ignore[no-untyped-call]
    contract: dict[str, Any] = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return _make_portable(contract | {"webhooks": _webhook_operations(contract["components"]["schemas"])})


@cache
def _components_of(kind: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of a type, and those of the types that it uses by their names."""
    (shape,), parts = msgspec.json.schema_components([kind], ref_template=REF_TEMPLATE)
    return shape, parts


def _make_portable(part: Any) -> Any:
    """A part of the document as other tools can read it. Every array gets an item type, since client generators know
    neither tuples nor untyped arrays. An empty default that its pattern forbids is removed."""
    if isinstance(part, list):
        return [_make_portable(item) for item in part]
    if not isinstance(part, dict):
        return part
    is_left_out = "pattern" in part and part.get("default") == ""
    dropped_keys = ("prefixItems", "default") if is_left_out else ("prefixItems",)
    plain = {key: _make_portable(value) for key, value in part.items() if key not in dropped_keys}
    if part.get("type") == "array" and not plain.get("items"):
        prefix_items = part.get("prefixItems", [])
        kinds = [kind for index, kind in enumerate(prefix_items) if kind not in prefix_items[:index]]
        plain["items"] = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds and {} not in kinds else {}
    return plain


def _webhook_operations(components: dict[str, Any]) -> dict[str, Any]:
    """The messages posted to webhooks, by type; they share one schema, which is added to the components."""
    shape, parts = _components_of(WebhookMessage)
    components.update(parts)
    answers = {
        "2XX": {"description": "The message is accepted. The answer to a ping contains its challenge."},
        "410": {"description": "Send nothing here any more."},
    }
    body = {"required": True, "content": {"application/json": {"schema": shape}}}
    headers = [
        {"name": name, "in": "header", "required": True, "schema": {"type": "string"}} for name in SIGNATURE_HEADERS
    ]
    summaries = {kind: str(summary) for kind, summary in TYPES.items()} | {
        PING: "Asks for an answer with the challenge"
    }
    return {
        kind: {"post": {"summary": summary, "parameters": headers, "requestBody": body, "responses": answers}}
        for kind, summary in summaries.items()
    }


def _problems_by_status(operation: Operation, method: str, path: str) -> dict[int, list[str]]:
    """The kinds of problems by status: the common ones, and the operation's own."""
    names = [*operation.problems, "no-token", "not-acceptable", "invalid", "rate-limited", "error", "busy"]
    names += [] if operation.is_open or not operation.scope else ["scope"]
    names += [] if operation.for_one_game or (operation.is_open and "{game_id}" not in path) else ["one-game"]
    names += ["malformed", "media-type", "too-large"] if operation.body else []
    names += ["key-reused"] if method == "POST" else []
    names_by_status: dict[int, list[str]] = {}
    for name in sorted(set(names)):
        names_by_status.setdefault(KINDS[name].status, []).append(name)
    return dict(sorted(names_by_status.items()))
