"""Endpoints for past phases, draws and the chat."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import PLAY
from game.api import shapes
from game.api.endpoint import Endpoint, Operation, digest_of, page_url
from game.api.facts.log import MessageLine, Moment, line_of, may_read, messages_of, moment_of, stops_of
from game.api.play import started_game
from game.api.problems import Problem
from game.chat import writing
from game.engine.language import say
from game.history.draws import Draws, draws_of
from game.history.past import NoSuchMoment


class History(Endpoint):
    """The moments at which a game stopped."""

    operations = {
        "GET": Operation(
            "list_history",
            "Where the game stopped, oldest first",
            shapes.History,
            is_open=True,
            query=shapes.Seen,
            limit="heavy",
            problems=("not-found", "not-running"),
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers = self.tagged(place.tag)
        return Response(shapes.History(stops_of(started_game(place))), headers=headers)


class Past(Endpoint):
    """One past moment."""

    operations = {
        "GET": Operation(
            "get_moment",
            "What your seat, or a stranger, saw when a phase began",
            Moment,
            is_open=True,
            query=shapes.Seen,
            limit="heavy",
            problems=("not-found", "not-running"),
        )
    }

    def get(self, request: Request, game_id: int, serial: int) -> Response:
        place = self.find_place(game_id)
        headers = self.tagged(place.tag)
        started_game(place)
        try:
            return Response(moment_of(place, serial), headers=headers)
        except NoSuchMoment as error:
            raise Problem("not-found", str(error)) from error


class GameDraws(Endpoint):
    """The draws of a finished game, for repeating them."""

    operations = {
        "GET": Operation(
            "get_draws",
            "Every draw of a game that is over, with the secrets it was made from",
            Draws,
            is_open=True,
            query=shapes.Seen,
            limit="heavy",
            problems=("not-found", "not-running", "not-finished"),
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        game = started_game(place)
        if not game.is_over:  # its secret would reveal draws to come
            raise Problem("not-finished")
        headers = self.tagged(place.tag)  # a client that has the response costs nothing and is not counted
        return Response(draws_of(game), headers=headers)


class Chat(Endpoint):
    """The players' messages; after the end everybody may read new ones."""

    operations = {
        "GET": Operation(
            "get_chat",
            "The newest messages, oldest first",
            shapes.Chat,
            is_open=True,
            query=shapes.ChatQuery,
            problems=("not-found", "not-seated"),
        ),
        "POST": Operation(
            "say",
            "Write a message at your table",
            MessageLine,
            PLAY,
            body=shapes.Saying,
            status=201,
            limit="write",
            problems=("not-found", "not-seated", "refused"),
            knows_keys=True,
        ),
    }

    def get(self, request: Request, game_id: int) -> Response:
        game = self.find_place(game_id).game
        if not may_read(game, self.reader):
            raise Problem("not-seated", say("Only the players of this game can read its chat."))
        items, before = messages_of(game, self.reader, before=self.query.before, limit=self.query.limit)
        page = shapes.Chat(items, page_url(request, before=before) if before else None)
        return Response(page, headers=self.tagged(digest_of(page)))

    def was_answered(self, key: str) -> bool:
        return writing.has_sent(game_id=self.kwargs["game_id"], user=self.person, token=key)

    def post(self, request: Request, game_id: int) -> Response:
        self.find_seat(game_id)
        message = writing.say(game_id=game_id, user=self.person, text=self.body.text, token=self.key)
        message.refresh_from_db()
        return Response(line_of(message), status=201)
