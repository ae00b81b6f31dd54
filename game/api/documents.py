"""Endpoints about the API itself: kinds of problems, the OpenAPI document, and the 404 for unknown addresses."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

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
            raise Problem("not-found", say("There is no such problem; there are {known}.", known=", ".join(KINDS)))
        return Response(shapes.ProblemPage(name, kind.status, say(kind.title), say(kind.about)))


class OpenApi(Endpoint):
    """The OpenAPI document."""

    operations = {"GET": Operation("get_openapi", "This document", dict[str, Any], is_open=True)}

    def get(self, request: Request) -> Response:
        from game.api.schema import document  # it imports every endpoint, this one included

        return Response(document())


class Nowhere(Endpoint):
    """Every other address: an API problem, for any method."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Problem("not-found", say("There is no such address."))

    def options(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        raise Problem("not-found", say("There is no such address."))


def is_of_api(request: HttpRequest) -> bool:
    """True for addresses of the API."""
    return request.path_info.startswith("/api/")
