"""The API about itself: kinds of problems, the OpenAPI document, the page rendered from it, and unknown addresses."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.limit_answers import describe_rate
from accounts.limits import API_LIMITS, limit_of
from game.api import shapes
from game.api.endpoint import Endpoint, Operation
from game.api.problems import KINDS, Problem
from game.engine.language import say


class ProblemKind(Endpoint):
    """One kind of problem, to which `type` points."""

    operations = {
        "GET": Operation("get_problem", "A kind of problem", shapes.ProblemPage, is_open=True, problems=("not-found",))
    }

    def get(self, request: Request, name: str) -> Response:
        kind = KINDS.get(name)
        if kind is None:
            raise Problem(
                "not-found", say("There is no such problem. The problems are {known}.", known=", ".join(KINDS))
            )
        return Response(shapes.ProblemPage(name, kind.status, say(kind.title), say(kind.about)))


class OpenApi(Endpoint):
    """The OpenAPI document."""

    operations = {"GET": Operation("get_openapi", "This document", dict[str, Any], is_open=True)}

    def get(self, request: Request) -> Response:
        from game.api.schema import document  # it imports every endpoint, this one included

        return Response(document())


class Nowhere(Endpoint):
    """Answers every unknown address of the API with a problem, for any method."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Problem("not-found", say("There is no such address."))

    def options(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        raise Problem("not-found", say("There is no such address."))


def is_of_api(request: HttpRequest) -> bool:
    """True for addresses of the API."""
    return request.path_info.startswith("/api/")


UNLIMITED = 2**31 - 1  # larger maximums are not shown
KINDS_OF_JSON = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null",
    "object": "object",
}  # fmt: skip


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """The guide for programs, every operation, every type and every kind of problem."""
    kinds = [(name, kind.status, kind.title, kind.about) for name, kind in KINDS.items()]
    context = {
        "sections": _sections(),
        "shapes": _shapes(),
        "kinds": kinds,
        "limits": [(name, limit_of(name).what, describe_rate(limit_of(name))) for name in API_LIMITS],
        "bot": _bot(),
    }
    return render(request, "api/docs.html", context)


@cache
def _bot() -> str:
    """The source of the example bot, which the tests let play whole games."""
    return (settings.BASE_DIR / "docs" / "api" / "bot.py").read_text(encoding="utf-8")


@cache
def _sections() -> list[dict[str, Any]]:
    """The operations by the first part of their path."""
    from game.api.schema import document  # the page is built when first read

    sections: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            sections.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    return [{"name": name, "operations": operations} for name, operations in sections.items()]


def _operation(method: str, path: str, described: dict[str, Any]) -> dict[str, Any]:
    body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = described["responses"].items()
    success: dict[str, Any] = next((response for status, response in answers if status.startswith("2")), {})
    answer_schema = success.get("content", {}).get("application/json", {}).get("schema")
    return {
        "name": described["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": described["summary"],
        "about": described["description"],
        "parameters": [
            {"name": parameter["name"], "where": parameter["in"], "type": type_words(parameter["schema"]),
             "about": parameter.get("description", "")}
            for parameter in described.get("parameters", [])
        ],
        "body": body and type_words(body),
        "answer": answer_schema and type_words(answer_schema),
        "problems": [response["description"] for status, response in answers if status >= "4"],
    }  # fmt: skip


@cache
def _shapes() -> list[dict[str, Any]]:
    from game.api.schema import document

    return [
        {
            "name": name,
            "about": shape.get("description", ""),
            "fields": [
                (field, type_words(field_schema)) for field, field_schema in shape.get("properties", {}).items()
            ],
        }
        for name, shape in sorted(document()["components"]["schemas"].items())
    ]


def type_words(schema: dict[str, Any]) -> str:
    """A JSON Schema in words: `list of Summary`, `whole number from 1 to 100`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(alternative) for alternative in schema["anyOf"]))
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "")
    if kind == "array":
        items = schema.get("items") or {}
        return f"list of {type_words(items)}" if items else "list"
    return _plain_words(schema, KINDS_OF_JSON.get(str(kind), "anything"))


def _plain_words(schema: dict[str, Any], words: str) -> str:
    if schema.get("maximum", 0) >= UNLIMITED:
        return f"{words} of at least {schema.get('minimum', 0)}"
    if "minimum" in schema and "maximum" in schema:
        return f"{words} from {schema['minimum']} to {schema['maximum']}"
    return f"{words}, {schema['format']}" if "format" in schema else words
