"""People with tokens, as their programs use the API."""

import itertools
from typing import Any

from django.test import Client

from accounts import api_tokens
from accounts.api_tokens import SCOPES, WEBHOOKS
from game.store.game import Game
from tests.tables import person

ROOT = "/api/v1/"
_keys = itertools.count(1)


class Program:
    """What somebody's program sends and gets; without a name it has no token, and with a game one for that alone."""

    def __init__(
        self, name: str = "", scopes: Any = tuple(SCOPES), *, only_game: int | None = None, **headers: str
    ) -> None:
        self.client, self.headers = Client(), dict(headers)
        if name:
            given: dict[str, Any] = {"user": person(name), "name": "program", "days": 30}
            if only_game is not None:
                given["only_game"], scopes = only_game, set(scopes) - {WEBHOOKS}
            token, text = api_tokens.issue(scopes=scopes, **given)
            self.token, self.headers["Authorization"] = token, f"Bearer {text}"

    def get(self, path: str, **headers: str) -> Any:
        return self._checked(self.client.get(ROOT + path, headers={**self.headers, **headers}))

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        sent: dict[str, Any] = {"data": "" if body is None else body, "content_type": "application/json"}
        return self._checked(self.client.post(ROOT + path, headers={**self.headers, **headers}, **sent))

    def put(self, path: str, body: Any, **headers: str) -> Any:
        sent: dict[str, Any] = {"data": body, "content_type": "application/json"}
        return self._checked(self.client.put(ROOT + path, headers={**self.headers, **headers}, **sent))

    def patch(self, path: str, body: Any, **headers: str) -> Any:
        sent: dict[str, Any] = {"data": body, "content_type": "application/json"}
        return self._checked(self.client.patch(ROOT + path, headers={**self.headers, **headers}, **sent))

    def delete(self, path: str, **headers: str) -> Any:
        return self._checked(self.client.delete(ROOT + path, headers={**self.headers, **headers}))

    def move(self, game: Game | int, *actions: dict[str, Any], **more: Any) -> Any:
        """Send actions for the phase and the step that are open."""
        number = game if isinstance(game, int) else game.pk
        now = self.get(f"games/{number}").json()
        body = {"phase_serial": now["phase_serial"], "step": now["step"], "actions": list(actions), **more}
        return self.post(f"games/{number}/moves", body, **{"Idempotency-Key": f"k{next(_keys)}"})

    def _checked(self, response: Any) -> Any:
        """What holds for every answer."""
        assert response.status_code < 500, response.content
        if response.status_code >= 400:
            assert response["Content-Type"] == "application/problem+json", response.content
            body = response.json()
            assert body["status"] == response.status_code
            assert body["detail"]
            assert body["title"]
        elif response.content:
            assert response["Content-Type"] == "application/json"
        assert "Authorization" in response["Vary"]
        assert response["Access-Control-Allow-Origin"] == "*"
        return response


def filled(field: dict[str, Any], least: bool = True) -> Any:
    """A value that an open field takes."""
    match field["type"]:
        case "range":
            return field["low"] if least else field["high"]
        case "choice":
            return field["values"][0][0]
        case "cells":
            return field["cells"][0]["value"]
        case "several" | "records":
            return []
        case "split" | "counts":
            return {}
        case _:
            return False


def action_of(offer: dict[str, Any], least: bool = True) -> dict[str, Any]:
    """The action that an offer asks for, with every open field filled."""
    fields: dict[str, Any] = {}
    for field in offer["fields"]:
        when = field.get("when")
        if when is None or fields.get(when["name"]) in when["values"]:
            fields[field["name"]] = filled(field, least)
    return {"kind": offer["kind"], **offer["fixed"], **fields}
