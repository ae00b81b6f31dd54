"""One decision of a game: how a phase is asked, read, foreseen and told."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from game.boards.fields import BadField, Filled
from game.boards.shapes import Asked, Request, Ticket
from game.engine.language import mark
from game.engine.offers import Offer

__all__ = ["Decision", "Request", "Values", "named"]

Values = dict[str, list[str]]


class Decision(ABC):
    """The form of one phase. One file of a board holds one of these.

    `prompt` is the imperative sentence without its full stop, `{company}` the company it is about. `names` are the
    fields of the form, an ending underscore standing for all that begin so; `lists` those that may stand several times.
    `at_once` says that what is sent counts at once."""

    prompt: ClassVar[str] = ""
    names: ClassVar[frozenset[str]] = frozenset()
    lists: ClassVar[frozenset[str]] = frozenset()
    at_once: ClassVar[str] = mark("This counts at once")

    @abstractmethod
    def read(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        """The requests a form makes; an empty list asks for nothing. Raises `BadField`."""

    @abstractmethod
    def fill(self, request: Mapping[str, Any], offers: Sequence[Offer]) -> Values:
        """What the form holds when it shows a request that was made or saved earlier."""

    @abstractmethod
    def ticket(self, asked: Asked) -> Ticket:
        """The form with its heading, its preview and its buttons."""

    @abstractmethod
    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        """A request in a player's words, as part of a sentence."""

    def ahead(self, form: Filled, offers: Sequence[Offer]) -> list[Request]:
        """Those requests of a form that are for later phases: a pass in the open one leaves them alone. Raises
        `BadField`."""
        return []

    def with_defaults(self, asked: Asked) -> Filled:
        """What the form holds, with something sensible where nothing is chosen."""
        return asked.filled

    def confirm(self, wanted: Sequence[Request], form: Filled) -> None:
        """Raise `BadField` where nothing is asked for at once, or something final is not confirmed."""
        if not wanted:
            raise BadField("", "Nothing is chosen.")

    def fit(self, form: Filled, view: Any, offers: Sequence[Offer]) -> Filled:
        """The form after one of its fields has changed on which others depend."""
        return form

    def redrawn(self, sent: Filled, fitted: Filled) -> list[str]:
        """The templates of the fields that `fit` changed, to be drawn again."""
        return []


def named(request: Mapping[str, Any], **fields: str) -> Values:
    """The form's fields that hold a request's values as they are: request's name to form's name."""
    return {field: [str(request.get(name, ""))] for name, field in fields.items()}
