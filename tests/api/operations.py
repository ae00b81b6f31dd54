"""Every operation of the API, as its URL table and its endpoints name them."""

from collections.abc import Iterator
from typing import NamedTuple

from game.api.endpoint import Endpoint, Operation
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
