"""Endpoints for games before they start: lists, creating, seats, starting."""

from __future__ import annotations

from typing import Any

import msgspec
from django.db import transaction
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import MANAGE
from game.api import answers, shapes
from game.api.endpoint import MATCHED, Endpoint, Operation, digest_of, page_url
from game.api.facts.games import GameFilters, Summary, list_games, place_of, summary_of
from game.chat import writing
from game.engine.actions import Refused
from game.lobby import inviting, lobby
from game.lobby.free_seats import free_seats_after
from game.play import moves
from game.seats import stand_ins, takeover
from game.store import eyes

TABLE = ("not-found", "not-host", "not-running", "refused")


class Games(Endpoint):
    """The visible games, and creating one."""

    operations = {
        "GET": Operation("list_games", "Games, newest first", shapes.Games, is_open=True, query=shapes.GamesQuery),
        "POST": Operation(
            "create_game",
            "Create a game; its host is seated",
            Summary,
            MANAGE,
            body=shapes.NewGame,
            status=201,
            limit="write",
            problems=("refused",),
        ),
    }

    def get(self, request: Request) -> Response:
        filters = GameFilters(**msgspec.structs.asdict(self.query))
        games, cursor = list_games(reader=self.reader, filters=filters)
        return Response(shapes.Games(games, page_url(request, cursor=cursor) if cursor else None))

    @transaction.atomic
    def post(self, request: Request) -> Response:
        fields = msgspec.structs.asdict(self.body)
        keeps_clock, has_chat, takes_bots = (fields.pop(name) for name in ("keeps_clock", "has_chat", "takes_bots"))
        game = lobby.create_game(host=self.person, **fields)
        if keeps_clock:
            lobby.keep_clock(game_id=game.pk, user=self.person)
        if takes_bots:
            lobby.change_game(game_id=game.pk, user=self.person, takes_bots=True)
        if not has_chat:
            writing.create_switched_off(game)
        place = place_of(self.find_game(game.pk), self.person)
        return Response(summary_of(place), status=201, headers={"Location": reverse("api_game", args=[game.pk])})


class Game(Endpoint):
    """One game without its position; supports waiting."""

    operations = {
        "GET": Operation(
            "get_game",
            "A game without its position",
            Summary,
            is_open=True,
            query=shapes.Seen,
            problems=("not-found",),
            can_wait=True,
        ),
        "PATCH": Operation(
            "change_game",
            "Change the name of a game, who may join it or whether it is rated, before it begins, as its host",
            Summary,
            MANAGE,
            body=shapes.Changes,
            limit="write",
            problems=(*TABLE, *MATCHED),
            needs_match=True,
        ),
        "DELETE": Operation(
            "abandon_game",
            "Cancel a game that has not begun, as its host",
            None,
            MANAGE,
            status=204,
            limit="write",
            problems=TABLE,
        ),
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers = self.tagged(place.tag, place.groups)
        return Response(summary_of(place), headers=headers)

    def patch(self, request: Request, game_id: int) -> Response:
        self.find_game(game_id)
        with transaction.atomic():
            game = moves.lock(game_id)
            assert game is not None
            self.check_match(place_of(game, self.reader).tag)
            lobby.change_game(game_id=game_id, user=self.person, **msgspec.structs.asdict(self.body))
        place = place_of(self.find_game(game_id), self.reader)
        return Response(summary_of(place), headers={"ETag": f'"{place.tag}"'})

    def delete(self, request: Request, game_id: int) -> Response:
        self.find_game(game_id)
        lobby.cancel_game(game_id=game_id, user=self.person)
        return Response(None, status=204)


class FreeSeats(Endpoint):
    """Seats of running games that can be taken over."""

    operations = {
        "GET": Operation(
            "list_free_seats",
            "The seats of running games that you may take over, the oldest first",
            answers.FreeSeats,
            query=shapes.FreeSeatsQuery,
        )
    }

    def get(self, request: Request) -> Response:
        seats, cursor = free_seats_after(user=self.person, cursor=self.query.cursor, limit=self.query.limit)
        page = answers.FreeSeats(seats, page_url(request, cursor=cursor) if cursor else None)
        return Response(page, headers=self.tagged(digest_of(page)))


class Table(Endpoint):
    """Changes a game and responds with its new state."""

    def changed(self, game_id: int, status: int = 200) -> Response:
        return Response(summary_of(place_of(self.find_game(game_id), self.person)), status=status)


class Seats(Table):
    """Taking a seat, seating bots and inviting players."""

    operations = {
        "POST": Operation(
            "take_seat",
            "Sit down, or seat a bot or invite a player by number as the host",
            Summary,
            MANAGE,
            body=shapes.NewSeat,
            limit="write",
            problems=(*TABLE, "seat-taken"),
        )
    }

    def post(self, request: Request, game_id: int) -> Response:
        body: shapes.NewSeat = self.body
        if body.bot:
            self.find_game(game_id)
            self._seat_bot(game_id, body.bot)
        elif body.person is not None:
            self.find_game(game_id)
            inviting.invite(game_id=game_id, user=self.person, person=body.person)
        else:
            if not eyes.is_invited(game_id=game_id, token=body.invitation):
                self.find_game(game_id)
            displayed_rating = body.is_rated
            lobby.join_game(game_id=game_id, user=self.person, token=body.invitation, is_rated=displayed_rating)
        return self.changed(game_id)

    def _seat_bot(self, game_id: int, level: str) -> None:
        """Attribute the refusal of an unknown level to the field `bot`."""
        try:
            lobby.add_bot(game_id=game_id, user=self.person, level=level)
        except Refused as refused:
            if refused.field == "level":
                refused.field = "bot"
            raise


class Seat(Table):
    """One seat: take it over, or leave it before the start."""

    operations = {
        "POST": Operation(
            "take_over_seat",
            "Take a seat over that nobody decides for",
            Summary,
            MANAGE,
            body=shapes.FreeSeat,
            limit="write",
            problems=(*TABLE, "seat-taken"),
        ),
        "DELETE": Operation(
            "leave_seat",
            "Leave before the start, or send somebody away as the host",
            None,
            MANAGE,
            status=204,
            limit="write",
            problems=(*TABLE, "not-seated"),
        ),
    }

    def post(self, request: Request, game_id: int, number: int) -> Response:
        token = self.body.invitation
        if not eyes.is_invited(game_id=game_id, token=token):
            self.find_game(game_id)
        takeover.take_seat(game_id=game_id, user=self.person, number=number, token=token)
        return self.changed(game_id)

    def delete(self, request: Request, game_id: int, number: int) -> Response:
        self.find_game(game_id)
        lobby.empty_seat(game_id=game_id, user=self.person, number=number)
        return Response(None, status=204)


def service_endpoint(name: str, summary: str, service: Any, *problems: str) -> type[Table]:
    """The endpoint of a service that needs only the game and the user."""

    class ServiceEndpoint(Table):
        operations = {
            "POST": Operation(
                name,
                summary,
                Summary,
                MANAGE,
                body=shapes.Nothing,
                limit="write",
                problems=("not-found", "not-running", "refused", *problems),
            )
        }

        def post(self, request: Request, game_id: int) -> Response:
            self.find_game(game_id)
            service(game_id=game_id, user=self.person)
            return self.changed(game_id)

    ServiceEndpoint.__name__, ServiceEndpoint.__doc__ = name, f"{summary}."
    return ServiceEndpoint


Start = service_endpoint("start_game", "Deal and open the first phase, as the host", lobby.start_game, "not-host")
Resign = service_endpoint("resign", "Give up your seat for good; the caretaker plays it", takeover.resign, "not-seated")
Return = service_endpoint(
    "take_seat_back", "Decide again where the caretaker or a stand-in played", stand_ins.reclaim_seat, "not-seated"
)
GiveBack = service_endpoint("give_seat_back", "Play a seat for its player no more", stand_ins.give_back, "not-seated")
