"""The page about the API: drawn from its own contract, so that neither says what the other does not."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.limit_words import rate_words
from accounts.limits import OF_PROGRAMS, limit_of
from game.api.problems import KINDS

ENDLESS = 2**31 - 1  # a limit that no caller can reach is not shown
KINDS_OF_JSON = {
    "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "null": "null",
    "object": "object",
}  # fmt: skip


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """What a program needs to know, every operation, every shape and every kind of problem."""
    kinds = [(name, kind.status, kind.title, kind.about) for name, kind in KINDS.items()]
    context = {
        "sections": _sections(),
        "shapes": _shapes(),
        "kinds": kinds,
        "limits": [(name, limit_of(name).what, rate_words(limit_of(name))) for name in OF_PROGRAMS],
        "bot": _bot(),
    }
    return render(request, "api/docs.html", context)


@cache
def _bot() -> str:
    """The example that the tests play whole games with."""
    return (settings.BASE_DIR / "docs" / "api" / "bot.py").read_text(encoding="utf-8")


@cache
def _sections() -> list[dict[str, Any]]:
    """The operations by the first word of their address."""
    from game.api.schema import document  # it is made when somebody first reads it

    sections: dict[str, list[dict[str, Any]]] = {}
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            sections.setdefault(operation["tags"][0], []).append(_operation(method, path, operation))
    return [{"name": name, "operations": operations} for name, operations in sections.items()]


def _operation(method: str, path: str, described: dict[str, Any]) -> dict[str, Any]:
    body = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = described["responses"].items()
    good: dict[str, Any] = next((told for status, told in answers if status.startswith("2")), {})
    shown = good.get("content", {}).get("application/json", {}).get("schema")
    return {
        "name": described["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": described["summary"],
        "about": described["description"],
        "parameters": [
            {"name": each["name"], "where": each["in"], "type": type_words(each["schema"]),
             "about": each.get("description", "")}
            for each in described.get("parameters", [])
        ],
        "body": body and type_words(body),
        "answer": shown and type_words(shown),
        "problems": [told["description"] for status, told in answers if status >= "4"],
    }  # fmt: skip


@cache
def _shapes() -> list[dict[str, Any]]:
    from game.api.schema import document

    return [
        {
            "name": name,
            "about": shape.get("description", ""),
            "fields": [(field, type_words(each)) for field, each in shape.get("properties", {}).items()],
        }
        for name, shape in sorted(document()["components"]["schemas"].items())
    ]


def type_words(schema: dict[str, Any]) -> str:
    """A JSON Schema in a few words: `list of Summary`, `whole number from 1 to 100`."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(type_words(each) for each in schema["anyOf"]))
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = schema.get("type", "")
    if kind == "array":
        items = schema.get("items") or {}
        return f"list of {type_words(items)}" if items else "list"
    return _plain_words(schema, KINDS_OF_JSON.get(str(kind), "anything"))


def _plain_words(schema: dict[str, Any], words: str) -> str:
    if schema.get("maximum", 0) >= ENDLESS:
        return f"{words} of at least {schema.get('minimum', 0)}"
    if "minimum" in schema and "maximum" in schema:
        return f"{words} from {schema['minimum']} to {schema['maximum']}"
    return f"{words}, {schema['format']}" if "format" in schema else words
