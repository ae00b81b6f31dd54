"""What is wrong with the form of a request, in the reader's language and with its place."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from game.api.problems import Problem
from game.engine.kinds import asked_words
from game.engine.language import say

NAMED = re.compile("Object (?P<what>missing required|contains unknown) field `(?P<name>.*)`", re.DOTALL)


def malformed(raw: bytes) -> Problem:
    """What is no JSON, and the first place at which it is none."""
    try:
        json.loads(raw.decode())
    except UnicodeDecodeError as error:
        return _misplaced(raw[: error.start].decode())
    except json.JSONDecodeError as error:
        return _misplaced(error.doc[: error.pos])
    except RecursionError:
        pass
    return Problem("malformed")  # what other readers take, such as NaN


def _misplaced(good: str) -> Problem:
    """The mistake stands after this."""
    at = {"line": good.count("\n") + 1, "column": len(good) - good.rfind("\n")}
    told = say("This is not JSON from line {line}, column {column} on.", **at)
    return Problem(
        "malformed", told, errors=[{"pointer": "#", "code": "malformed", "field": "", "detail": told, "facts": at}]
    )


def invalid(error: Exception, kind: type[Any], *, is_body: bool) -> Problem:
    """What msgspec refused, and where: `Expected int, got str - at $.phase_serial`."""
    why, _, place = str(error).partition(" - at `$")
    path = place.rstrip("`").replace("[", ".").replace("]", "").replace("...", "").split(".")[1:]
    named = NAMED.fullmatch(why)
    field = named["name"] if named else next((part for part in reversed(path) if not part.isdigit()), "")
    told = _words(named, field, kind)
    at = {"pointer": "/".join(["#", *path]), "field": field} if is_body else {"parameter": field}
    return Problem("invalid", told, errors=[{**at, "code": "wrong_shape", "detail": told}])


def _words(named: re.Match[str] | None, field: str, kind: type[Any]) -> str:
    if named and named["what"] == "missing required":
        return say("The field “{field}” is missing.", field=field)
    if named:
        return say("There is no field “{field}” here.", field=field[:40])
    asked = {each.encode_name: each.type for each in msgspec.structs.fields(kind)}
    if field in asked:
        return say("“{field}” must be {asked}.", field=field, asked=asked_words(asked[field]))
    return say("The body must be {asked}.", asked=asked_words(kind))
