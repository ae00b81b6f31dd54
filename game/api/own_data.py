"""Endpoints for a user's own data: notes and drafts in a game, playing hours, and vacations."""

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
from game.chat import reading
from game.chat.models import Notebook
from game.clock import play_times
from game.engine.language import say
from game.play import drafts
from game.store import availability
from game.store.availability import Vacation
from game.store.game import Seat
from game.store.log import Draft as Kept


class Notes(Endpoint):
    """The reader's own notes on a game."""

    operations = {
        "GET": Operation("get_notes", "Your own notes on a game", answers.Notes, problems=("not-found",)),
        "PUT": Operation(
            "save_notes", "Save your notes; “revision” is the one that you read", answers.Notes, PLAY,
            body=shapes.NewNotes, limit="write", problems=("not-found", "not-seated", "refused"),
        ),
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        return self._response(self._notebook(game_id))

    def put(self, request: Request, game_id: int) -> Response:
        notebook, body = self._notebook(game_id), self.body
        new_notebook = reading.save_notes(game=notebook.game, user=self.person, text=body.text, revision=body.revision)
        return self._response(new_notebook)

    def _notebook(self, game_id: int) -> Notebook:
        """The reader's notebook for a game in which they play or played. Raises `Problem`."""
        notebook = reading.notebook_of(game_id=game_id, user=self.person)
        if notebook is None:
            raise Problem("not-found", say("There is no such game."))
        return notebook

    def _response(self, notebook: Notebook) -> Response:
        return Response(answers.Notes(notebook.text, notebook.revision))


class Draft(Endpoint):
    """The seat's draft for the open phase; it is submitted at the deadline if nothing else was."""

    operations = {
        "GET": Operation(
            "get_draft", "Your draft for the open phase", answers.Draft, problems=("not-found", "not-seated")
        ),
        "PUT": Operation(
            "save_draft", "Save a draft for your seat, if the rules would accept it now", answers.Draft, PLAY,
            body=shapes.NewDraft, limit="draft",
            problems=("not-found", "not-seated", "refused", "phase-closed", "not-running"),
        ),
        "DELETE": Operation(
            "discard_draft", "Discard your draft for the open phase", None, PLAY, status=204, limit="write",
            problems=("not-found", "not-seated", "refused", "phase-closed", "not-running"),
        ),
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        return self._response(self.find_seat(game_id))

    def put(self, request: Request, game_id: int) -> Response:
        self.check_work()
        seat = self.find_seat(game_id)
        drafts.save_draft(seat=seat, serial=self.body.phase_serial, requests=self.body.actions)
        return self._response(seat)

    def delete(self, request: Request, game_id: int) -> Response:
        seat = self.find_seat(game_id)
        drafts.discard_draft(seat=seat, serial=seat.game.phase_serial)
        return Response(None, status=204)

    def _response(self, seat: Seat) -> Response:
        serial = seat.game.phase_serial
        draft = Kept.objects.of_player(seat.pk, self.person.pk, serial).first()
        return Response(answers.Draft(serial, [] if draft is None else draft.content))


class Times(Endpoint):
    """The playing hours and vacations of the token's owner."""

    operations = {
        "GET": Operation("get_times", "Your playing hours and your vacations", answers.Times),
        "PUT": Operation(
            "choose_hours", "Set your playing hours of a week", answers.Times, MANAGE, body=shapes.Hours,
            limit="write", problems=("refused",),
        ),
    }  # fmt: skip

    def get(self, request: Request) -> Response:
        return Response(times_of(self.person))

    def put(self, request: Request) -> Response:
        play_times.choose_hours(user=self.person, hours=self.body.hours)
        return Response(times_of(self.person))


class Vacations(Endpoint):
    """Vacations, during which the deadlines of slower games wait."""

    operations = {
        "POST": Operation(
            "declare_vacation", "Declare a vacation, from tomorrow on", answers.Times, MANAGE, body=shapes.NewVacation,
            status=201, limit="write", problems=("refused",),
        )
    }  # fmt: skip

    def post(self, request: Request) -> Response:
        vacation = play_times.declare_vacation(user=self.person, first=self.body.first, last=self.body.last)
        headers = {"Location": reverse("api_vacation", args=[vacation.pk])}
        return Response(times_of(self.person), status=201, headers=headers)


class OneVacation(Endpoint):
    """One vacation."""

    operations = {
        "DELETE": Operation(
            "end_vacation",
            "Remove a vacation, or end it early",
            None,
            MANAGE,
            status=204,
            limit="write",
            problems=("not-found", "refused"),
        )
    }

    def delete(self, request: Request, number: int) -> Response:
        play_times.end_vacation(user=self.person, number=number)
        return Response(None, status=204)


def times_of(user: User) -> answers.Times:
    """A user's playing hours and vacations, with days in their own time zone."""
    zone, now = zone_of(user), timezone.now()
    vacations = [
        answers.VacationLine(
            vacation.pk, vacation.begins_at.astimezone(zone).date(), vacation.last_day.astimezone(zone).date()
        )
        for vacation in Vacation.objects.filter(user=user, ends_at__gt=now)
    ]
    days_left = play_times.vacation_days_left(user, now.astimezone(zone).year)
    return answers.Times(user.timezone, sorted(availability.week_hours(user)), vacations, days_left)
