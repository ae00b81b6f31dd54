"""Endpoints for the token's owner and other people."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import ApiToken
from game.api import answers, shapes
from game.api.endpoint import Endpoint, Operation, digest_of
from game.api.facts.games import (
    decisions_of,
    groups_of_invitee,
    groups_of_person,
    invitations_to,
    standing_at,
    standings_of,
)
from game.api.facts.people import PersonFacts, find_by_name, find_by_number, unfinished_games
from game.api.long_poll import WAITS, waiting_for, wants_groups
from game.api.problems import Problem
from game.bots.accounts import most_games_of
from game.engine.language import say


class Me(Endpoint):
    """The owner of the token."""

    operations = {"GET": Operation("get_me", "Whose token this is", shapes.Me)}

    def get(self, request: Request) -> Response:
        me = self.person
        games = unfinished_games(me)
        return Response(shapes.Me(me.pk, me.username, me.is_bot, me.language, games, most_games_of(me)))


class Decisions(Endpoint):
    """Every decision that waits for the token's owner, in all games; supports long polling."""

    operations = {
        "GET": Operation(
            "list_decisions",
            "Every decision that waits for you, earliest deadline first",
            shapes.Decisions,
            can_wait=True,
            for_one_game=True,
        )
    }

    def get(self, request: Request) -> Response:
        items = decisions_of(self.person.pk, only=self.only_game)
        return Response(shapes.Decisions(items), headers=_headers_for_person(self, items))


class Invitations(Endpoint):
    """The games to which hosts have invited the token's owner by name; supports long polling."""

    operations = {
        "GET": Operation(
            "list_invitations",
            "Games you are invited to by name, newest first",
            answers.Invitations,
            can_wait=True,
        )
    }

    def get(self, request: Request) -> Response:
        person = self.person.pk
        items = invitations_to(person)
        headers = self.tagged(f"{person}-{digest_of(items)}", groups_of_invitee(person, items))
        return Response(answers.Invitations(items), headers=headers)


class Stream(Endpoint):
    """The state of all games of the token's owner. If sockets and pages share a process, the response continues as a
    stream: see `game.api.streaming`."""

    operations = {
        "GET": Operation(
            "get_stream",
            "The state of all your games in numbers, or a stream with a line for every change",
            shapes.Stream,
            can_wait=True,
            is_stream=True,
            for_one_game=True,
        )
    }

    def get(self, request: Request) -> Response:
        standings = standings_of(self.person.pk, only=self.only_game)
        headers = _headers_for_person(self, standings)
        if wants_groups(request.headers):
            headers[WAITS] = waiting_for(self.person.pk, groups_of_person(self.person.pk, only=self.only_game))
        return Response(shapes.Stream("hello", standings), headers=headers)


class GameStream(Endpoint):
    """The state of one game, and a stream of its changes, for players and spectators."""

    operations = {
        "GET": Operation(
            "get_game_stream",
            "The state of one game in numbers, or a stream with a line for every change",
            shapes.Stream,
            query=shapes.Seen,
            problems=("not-found",),
            can_wait=True,
            is_stream=True,
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers = self.tagged(place.tag, place.groups)
        if wants_groups(request.headers):
            headers[WAITS] = waiting_for(self.person.pk, place.groups)
        return Response(shapes.Stream("hello", standing_at(place)), headers=headers)


class Token(Endpoint):
    """The token of the request."""

    operations = {
        "GET": Operation("get_token", "What this token is and may do", shapes.TokenFacts, scope="", for_one_game=True),
        "DELETE": Operation(
            "revoke_token", "Revoke this token", None, scope="", status=204, limit="write", for_one_game=True
        ),
    }

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Every token may read and revoke itself."""
        super().initial(request, *args, **kwargs)
        if self.operation is not None and self.token is None:
            raise Problem("no-token", headers={"WWW-Authenticate": "Bearer"})

    def get(self, request: Request) -> Response:
        token = self._own()
        created_at, expires_at = token.created_at, token.expires_at
        return Response(
            shapes.TokenFacts(token.name, token.prefix, token.scopes, created_at, expires_at, token.only_game)
        )

    def delete(self, request: Request) -> Response:
        self._own().delete()
        return Response(None, status=204)

    def _own(self) -> ApiToken:
        assert self.token is not None
        return self.token


class Person(Endpoint):
    """The public facts of one user."""

    operations = {
        "GET": Operation("get_person", "A person or a bot", PersonFacts, is_open=True, problems=("not-found",))
    }

    def get(self, request: Request, number: int) -> Response:
        facts = find_by_number(number, reader=self.reader)
        if facts is None:
            raise Problem("not-found", say("Nobody has this number."))
        return Response(facts)


class People(Endpoint):
    """Users by name."""

    operations = {
        "GET": Operation("find_people", "Find someone by name", shapes.People, is_open=True, query=shapes.PeopleQuery)
    }

    def get(self, request: Request) -> Response:
        person = find_by_name(self.query.name, reader=self.reader)
        return Response(shapes.People([person] if person else []))


def _headers_for_person(endpoint: Endpoint, content: Any) -> dict[str, str]:
    """The headers with which the user can revalidate or wait for a newer response about all their games."""
    person = endpoint.person.pk
    return endpoint.tagged(f"{person}-{digest_of(content)}", groups_of_person(person, only=endpoint.only_game))
