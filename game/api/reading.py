"""Reading a request strictly: its query, its body, and what is wrong with a malformed one, in the reader's language."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from functools import cache
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest, QueryDict

from game.api.problems import Problem
from game.engine.language import say
from game.engine.requests import asked_words

T = TypeVar("T")
FIELD_ERROR = re.compile("Object (?P<what>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)


def malformed(raw: bytes) -> Problem:
    """The first place at which a body is not JSON."""
    try:
        json.loads(raw.decode())
    except UnicodeDecodeError as error:
        return _syntax_problem(raw[: error.start].decode())
    except json.JSONDecodeError as error:
        return _syntax_problem(error.doc[: error.pos])
    except RecursionError:
        pass
    return Problem("malformed")  # what other parsers accept, such as NaN


def _syntax_problem(valid_text: str) -> Problem:
    """The syntax error follows this text."""
    position = {"line": valid_text.count("\n") + 1, "column": len(valid_text) - valid_text.rfind("\n")}
    detail = say("This is not JSON from line {line}, column {column} on.", **position)
    return Problem(
        "malformed",
        detail,
        errors=[{"pointer": "#", "code": "malformed", "field": "", "detail": detail, "facts": position}],
    )


def invalid(error: Exception, kind: type[Any], *, is_body: bool) -> Problem:
    """The problem for a msgspec error such as `Expected int, got str - at $.phase_serial`."""
    why, _, place = str(error).partition(" - at `$")
    path = place.rstrip("`").replace("[", ".").replace("]", "").replace("...", "").split(".")[1:]
    field_error = FIELD_ERROR.fullmatch(why)
    field = field_error["name"] if field_error else next((part for part in reversed(path) if not part.isdigit()), "")
    detail = _shape_text(field_error, field, kind)
    location = {"pointer": "/".join(["#", *path]), "field": field} if is_body else {"parameter": field}
    return Problem("invalid", detail, errors=[{**location, "code": "wrong_shape", "detail": detail}])


def _shape_text(field_error: re.Match[str] | None, field: str, kind: type[Any]) -> str:
    if field_error and field_error["what"] == "missing required":
        return say("The field “{field}” is missing.", field=field)
    if field_error:
        return say("There is no field “{field}” here.", field=field[:40])
    field_types = {field_info.encode_name: field_info.type for field_info in msgspec.structs.fields(kind)}
    if field in field_types:
        return say("“{field}” must be {asked}.", field=field, asked=asked_words(field_types[field]))
    return say("The body must be {asked}.", asked=asked_words(kind))


def read_query(parameters: QueryDict, kind: type[T]) -> T:
    """Parse the query string. Raises `Problem`, also for unknown parameters."""
    field_names = _field_names(kind)  # type: ignore[arg-type]
    for name, values in parameters.lists():
        if name not in field_names or len(values) > 1:
            detail = say(
                "This address takes each of these parameters once: {known}.", known=", ".join(sorted(field_names))
            )
            detail = detail if field_names else say("This address takes no parameters.")
            code = "repeated_parameter" if name in field_names else "unknown_parameter"
            raise Problem("invalid", detail, errors=[{"parameter": name[:40], "code": code, "detail": detail}])
    try:
        if zero := next((name for name, value in parameters.items() if "\x00" in value), ""):
            raise msgspec.ValidationError(f"No text has a zero byte - at `$.{zero}`")
        return msgspec.convert(parameters.dict(), kind, strict=False)
    except (msgspec.ValidationError, ValueError, OverflowError) as error:
        raise invalid(error, kind, is_body=False) from None


@cache
def _field_names(kind: Any) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def may_be_empty(kind: Any) -> bool:
    """True if an empty body counts as an empty object."""
    return not any(field.required for field in msgspec.structs.fields(kind))


def read_body(request: HttpRequest, kind: type[T]) -> T:
    """Parse the body strictly. Raises `Problem`."""
    raw = request.body.removeprefix(BOM_UTF8)  # PowerShell and .NET begin with one
    if not raw and may_be_empty(kind):
        return kind()
    if request.content_type != "application/json":
        raise Problem("media-type")
    try:
        body = msgspec.json.decode(raw, type=kind)
        json.loads(raw, object_pairs_hook=_unique_keys, parse_int=str, parse_float=str)
        return body
    except msgspec.ValidationError as error:
        raise invalid(error, kind, is_body=True) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise malformed(raw) from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object without duplicate keys, because parsers differ in which one counts. Raises `Problem`."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values:
            detail = say("The key “{key}” appears twice in one object.", key=key[:40])
            error = {"pointer": "#", "code": "repeated_key", "field": key[:40], "detail": detail}
            raise Problem("invalid", detail, errors=[error])
        values[key] = value
    return values
