"""Describes what is wrong with a malformed request, and where, in the reader's language."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from game.api.problems import Problem
from game.engine.kinds import asked_words
from game.engine.language import say

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
