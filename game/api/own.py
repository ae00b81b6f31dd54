"""A person's own things: notes and drafts in a game, the hours in which they play, and their vacations."""

from __future__ import annotations

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import MANAGE, PLAY
from accounts.models import User
from accounts.quiet_hours import zone_of
from game.api import answers, shapes
from game.api.endpoint import Endpoint, Operation
from game.api.problems import Problem
from game.chat import notebooks
from game.chat.models import Notebook
from game.clock import play_times
from game.engine.language import say
from game.play import drafts
from game.store import availability
from game.store.game import Seat
from game.store.log import Draft as Kept
from game.store.time_models import Vacation


class Notes(Endpoint):
    """The reader's own notes on a game."""

    operations = {
        "GET": Operation("get_notes", "Your own notes on a game", answers.Notes, problems=("not-found",)),
        "PUT": Operation(
            "save_notes", "Keep your notes; “revision” is that of the ones you read", answers.Notes, PLAY,
            body=shapes.NewNotes, limit="write", problems=("not-found", "not-seated", "refused"),
        ),
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        return self._shown(self._book(game_id))

    def put(self, request: Request, game_id: int) -> Response:
        book, asked = self._book(game_id), self.body
        saved = notebooks.save_notes(game=book.game, user=self.person, text=asked.text, revision=asked.revision)
        return self._shown(saved)

    def _book(self, game_id: int) -> Notebook:
        """Also of those who have given their seat away."""
        book = notebooks.notebook_of(game_id=game_id, user=self.person)
        if book is None:
            raise Problem("not-found", say("There is no such game."))
        return book

    def _shown(self, book: Notebook) -> Response:
        return Response(answers.Notes(book.text, book.revision))


class Draft(Endpoint):
    """What the own seat has begun to decide in the open phase; at the deadline it is submitted for want of better."""

    operations = {
        "GET": Operation(
            "get_draft", "Your draft for the open phase", answers.Draft, problems=("not-found", "not-seated")
        ),
        "PUT": Operation(
            "save_draft", "Keep what your seat would send, if the rules would take it now", answers.Draft, PLAY,
            body=shapes.NewDraft, limit="draft",
            problems=("not-found", "not-seated", "refused", "phase-closed", "not-running"),
        ),
        "DELETE": Operation(
            "discard_draft", "Throw your draft for the open phase away", None, PLAY, status=204, limit="write",
            problems=("not-found", "not-seated", "refused", "phase-closed", "not-running"),
        ),
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        return self._shown(self.find_seat(game_id))

    def put(self, request: Request, game_id: int) -> Response:
        seat = self.find_seat(game_id)
        drafts.save_draft(seat=seat, serial=self.body.phase_serial, requests=self.body.actions)
        return self._shown(seat)

    def delete(self, request: Request, game_id: int) -> Response:
        seat = self.find_seat(game_id)
        drafts.discard_draft(seat=seat, serial=seat.game.phase_serial)
        return Response(None, status=204)

    def _shown(self, seat: Seat) -> Response:
        serial = seat.game.phase_serial
        kept = Kept.objects.in_time().filter(seat=seat, serial=serial).order_by(*Kept.NEWEST).first()
        return Response(answers.Draft(serial, [] if kept is None else kept.content))


class Times(Endpoint):
    """When the owner of the token plays, and when not."""

    operations = {
        "GET": Operation("get_times", "Your hours of the week and your vacations", answers.Times),
        "PUT": Operation(
            "choose_hours", "Say in which hours of a week you play", answers.Times, MANAGE, body=shapes.Hours,
            limit="write", problems=("refused",),
        ),
    }  # fmt: skip

    def get(self, request: Request) -> Response:
        return Response(times_of(self.person))

    def put(self, request: Request) -> Response:
        play_times.choose_hours(user=self.person, hours=self.body.hours)
        return Response(times_of(self.person))


class Vacations(Endpoint):
    """A time in which deadlines of slower games wait."""

    operations = {
        "POST": Operation(
            "declare_vacation", "Declare a vacation, from tomorrow on", answers.Times, MANAGE, body=shapes.NewVacation,
            status=201, limit="write", problems=("refused",),
        )
    }  # fmt: skip

    def post(self, request: Request) -> Response:
        made = play_times.declare_vacation(user=self.person, first=self.body.first, last=self.body.last)
        where = {"Location": reverse("api_vacation", args=[made.pk])}
        return Response(times_of(self.person), status=201, headers=where)


class OneVacation(Endpoint):
    """One of them."""

    operations = {
        "DELETE": Operation(
            "end_vacation",
            "Remove a vacation, or end it early",
            None,
            MANAGE,
            status=204,
            limit="write",
            problems=("not-found",),
        )
    }

    def delete(self, request: Request, number: int) -> Response:
        play_times.end_vacation(user=self.person, number=number)
        return Response(None, status=204)


def times_of(user: User) -> answers.Times:
    """When somebody plays, in days of their own zone."""
    zone, now = zone_of(user), timezone.now()
    found = [
        answers.VacationLine(each.pk, each.begins_at.astimezone(zone).date(), each.last_day.astimezone(zone).date())
        for each in Vacation.objects.filter(user=user, ends_at__gt=now)
    ]
    left = play_times.left_in(user, now.astimezone(zone).year)
    return answers.Times(user.timezone, sorted(availability.week_hours(user)), found, left)
