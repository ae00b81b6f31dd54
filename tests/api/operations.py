"""Every operation of the API, as its URL table and its endpoints name them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from game.api.endpoint import Endpoint, Operation
from game.api.schema import document
from game.api.urls import urlpatterns


class Place(NamedTuple):
    """An operation with the pattern of its address."""

    method: str
    pattern: str
    operation: Operation


def every_operation() -> Iterator[Place]:
    for each in urlpatterns:
        kind: type[Endpoint] = each.callback.view_class  # type: ignore[attr-defined]
        for method, operation in kind.operations.items():
            yield Place(method, str(each.pattern), operation)


def path_of(pattern: str, **given: object) -> str:
    """The address of an operation about this."""
    for name, value in given.items():
        for converter in ("int:", "slug:", "str:", ""):
            pattern = pattern.replace(f"<{converter}{name}>", str(value))
    assert "<" not in pattern, pattern
    return pattern


def check_promised(place: Place, answer: Any) -> None:
    """An answer has a status, a type and a shape that the contract promises."""
    promised = document()["paths"]["/api/v1/" + _braced(place.pattern)][place.method.lower()]["responses"]
    assert str(answer.status_code) in promised, (place.operation.name, answer.status_code)
    for media_type, content in promised[str(answer.status_code)].get("content", {}).items():
        assert answer["Content-Type"] == media_type
        shape = {**content["schema"], "components": document()["components"]}
        Draft202012Validator(shape).validate(answer.json())


def _braced(pattern: str) -> str:
    for converter in ("int:", "slug:", "str:"):
        pattern = pattern.replace(f"<{converter}", "{")
    return pattern.replace("<", "{").replace(">", "}")
