"""Endpoints for playing: position, offers, moves and log."""

from __future__ import annotations

from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import PLAY
from game.api import moves, shapes
from game.api.endpoint import Endpoint, Operation, page_url
from game.api.facts.games import Place, place_of
from game.api.facts.log import EventFilter, events_of
from game.api.facts.play import foresee, offers_of, results_of, view_of
from game.api.problems import Problem
from game.engine.language import say
from game.play import failures
from game.store.game import Game, Seat

MOVES = ("not-found", "not-seated", "refused", "phase-closed", "not-running")


class Position(Endpoint):
    """The game as the reader's seat sees it."""

    operations = {
        "GET": Operation(
            "get_position",
            "What your seat, or a stranger, sees",
            shapes.Position,
            is_open=True,
            query=shapes.PositionQuery,
            problems=("not-found", "not-running"),
            can_wait=True,
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers = self.tagged(place.tag, place.groups)
        game = started_game(place)
        offers = shapes.Offers(**offers_of(place)) if self.query.include and place.own else None
        position = shapes.Position(game.pk, game.version, game.phase_serial, place.seat, view_of(place), offers)
        return Response(position, headers=headers)


class Offers(Endpoint):
    """What the reader's seat may do now."""

    operations = {
        "GET": Operation(
            "get_offers",
            "What your seat may ask now, and what not and why",
            shapes.Offers,
            problems=("not-found", "not-seated", "not-running"),
            can_wait=True,
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        if place.own is None:
            raise Problem("not-seated", say("You have no seat in this game."))
        headers = self.tagged(place.tag, place.groups)
        started_game(place)
        return Response(shapes.Offers(**offers_of(place)), headers=headers)


class Moves(Endpoint):
    """Submit, revise, withdraw, pass, take back, be ready."""

    operations = {
        "POST": Operation(
            "make_move",
            "Send actions for your seat, all or none",
            shapes.Receipt,
            PLAY,
            body=shapes.Move,
            limit="move",
            problems=MOVES,
            knows_keys=True,
        )
    }

    def was_answered(self, key: str) -> bool:
        return moves.was_sent(game_id=self.kwargs["game_id"], user_id=self.person.pk, key=key)

    def post(self, request: Request, game_id: int) -> Response:
        seat, move = self.find_seat(game_id), self.body
        if self.person.is_bot and not self.key:
            raise Problem("invalid", say("Bots send an Idempotency-Key with every move, so that it can be sent again."))
        submission = moves.Submission(move.actions, move.phase_serial, move.step, move.replace, self.key)
        return Response(self._receipt(seat, submission))

    def _receipt(self, seat: Seat, submission: moves.Submission) -> shapes.Receipt:
        if self.body.dry_run:
            return self._dry_run_receipt(seat, submission)
        receipt = moves.submit(seat=seat, submission=submission, user_id=self.person.pk)
        seat_version = Seat.objects.values_list("version", flat=True).get(pk=seat.pk)
        return shapes.Receipt(submission.serial, receipt.version, seat_version, receipt.closed, receipt.is_repeat)

    def _dry_run_receipt(self, seat: Seat, submission: moves.Submission) -> shapes.Receipt:
        place = place_of(game := self.find_game(seat.game_id), self.person)
        if place.own is None or place.own.number != seat.number:  # the seat has changed hands
            raise Problem("not-seated", say("You have no seat in this game."))
        moves.check_dry_run(game=game, seat=seat, submission=submission)
        with failures.as_refusals(game_id=game.pk):
            preview = foresee(place, submission.requests)
        return shapes.Receipt(game.phase_serial, game.version, seat.version, False, False, True, preview)


class Log(Endpoint):
    """The events that the reader may know."""

    operations = {
        "GET": Operation(
            "get_log",
            "What has happened, oldest first",
            shapes.Events,
            is_open=True,
            query=shapes.LogQuery,
            limit="heavy",
            problems=("not-found",),
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place, query = self.find_place(game_id), self.query
        headers = self.tagged(place.tag, place.groups)
        first, last = window(query, place.game.version)
        selection = EventFilter(first, last, query.about, query.topic)
        names = [row.shown_name for row in place.rows]
        events = events_of(place.game, seat=place.seat, names=names, event_filter=selection)
        return Response(shapes.Events(events, self._next(request, first, last, place.game.version)), headers=headers)

    def _next(self, request: Request, first: int, last: int, newest: int) -> str | None:
        if self.query.before is not None:
            return page_url(request, before=first) if first > 1 else None
        return page_url(request, after=last) if last < newest else None


class Results(Endpoint):
    """The result of a finished game."""

    operations = {
        "GET": Operation(
            "get_results",
            "Places, scores and the course of a game that is over",
            shapes.Results,
            is_open=True,
            query=shapes.Seen,
            problems=("not-found", "not-finished"),
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        if not place.game.is_over:
            raise Problem("not-finished")
        headers = self.tagged(place.tag)
        return Response(msgspec.convert(results_of(place), shapes.Results), headers=headers)


def started_game(place: Place) -> Game:
    """The game, if it has a position. Raises `Problem`."""
    if not place.game.has_position:
        raise Problem("not-running", say("This game has not started yet."))
    return place.game


def window(query: Any, newest: int) -> tuple[int, int]:
    """The first and the last public version of a page of the log, inclusive."""
    if query.before is not None:
        last = min(query.before - 1, newest)
        return max(last - query.limit + 1, 0), last
    first = (query.after or 0) + 1 if query.after is not None else 0
    return first, min(first + query.limit - 1, newest)
