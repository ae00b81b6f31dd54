"""Endpoints for the pages next to the board: tables, ledger, explained figures, rounds, outcomes and story."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from game.api import answers, shapes
from game.api.endpoint import Endpoint, Operation
from game.api.facts.games import Place
from game.api.play import started_game
from game.api.problems import Problem
from game.boards.story.played import GameStory
from game.engine.language import say
from game.history import explanations
from game.history.ledger import may_read_books, movements_of
from game.history.outcomes import outcomes_context
from game.history.past import NoSuchMoment, course_of
from game.history.round_reports import NoSuchTurn, check_turn, reports_of, turns_of, unplayed_words
from game.history.stories import story_of
from game.history.viewer import Viewer, viewer_of
from game.store.game import Status

STARTED_PROBLEMS = ("not-found", "not-running")


class Report(Endpoint):
    """A report about a game that has started."""

    def as_reader(self, place: Place) -> Viewer:
        """The game as the reader sees it; a player who has resigned sees what strangers see."""
        return viewer_of(started_game(place), self.reader)


def report(name: str, summary: str, answer: type, query: type = shapes.Seen, *problems: str) -> dict[str, Operation]:
    """A GET that is open to everybody, and shows a player more."""
    kind = Operation(
        name, summary, answer, is_open=True, query=query, limit="heavy", problems=(*STARTED_PROBLEMS, *problems)
    )
    return {"GET": kind}


class Course(Report):
    """The data of the charts."""

    operations = report("get_course", "Prices, scores and shares at the end of each turn", answers.Course)

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers, course = self.tagged(place.tag), started_game(place).course
        points = [
            answers.CoursePoint(point["turn"], point["prices"], point["worth"], point.get("held", {}))
            for point in course
        ]
        return Response(answers.Course(points), headers=headers)


class Tables(Report):
    """The spreadsheet."""

    operations = report("get_tables", "Everything your seat, or a stranger, sees, in tables", answers.Tables)

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers, viewer = self.tagged(place.tag), self.as_reader(place)
        sheets = [sheet for sheet in viewer.sheets(viewer.names) if sheet.rows]
        return Response(answers.Tables(sheets, sorted(explanations.figures_of(place.game))), headers=headers)


class Ledger(Report):
    """The movements of money, if they are public."""

    operations = report(
        "get_ledger",
        "Every movement of money, oldest first: where the rules show it, and in every game that is over",
        answers.Ledger,
        shapes.Seen,
        "not-finished",
    )

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        headers, game = self.tagged(place.tag), started_game(place)
        if not may_read_books(game):
            detail = say("The ledger of this game can be read when the game is over.")
            raise Problem("not-finished", detail)
        lines = [
            answers.LedgerLine(
                at, transfer.turn, transfer.serial, transfer.payer, transfer.payee, transfer.amount, transfer.why
            )
            for at, transfer in movements_of(game, course_of(game))
        ]
        return Response(answers.Ledger(lines), headers=headers)


class Explanation(Report):
    """A figure with everything that adds up to it."""

    operations = report(
        "explain_figure",
        "What a figure is made of, now or when a phase began",
        explanations.Explanation,
        shapes.ExplanationQuery,
    )

    def get(self, request: Request, game_id: int, figure: str, subject: str) -> Response:
        place = self.find_place(game_id)
        headers, viewer = self.tagged(place.tag), self.as_reader(place)
        try:
            explanation = explanations.explanation_of(viewer, figure, subject, self.query.at)
        except NoSuchMoment as error:
            raise Problem("not-found", str(error)) from error
        if explanation is None:
            raise Problem("not-found", say(explanations.UNKNOWN))
        return Response(explanation, headers=headers)


class Turn(Report):
    """The results of a turn, round by round."""

    operations = report("get_turn", "The rounds of a turn, each in the tables of its results", answers.TurnReport)

    def get(self, request: Request, game_id: int, turn: int) -> Response:
        place = self.find_place(game_id)
        headers, viewer = self.tagged(place.tag), self.as_reader(place)
        course = course_of(place.game)
        try:
            check_turn(viewer.game.rules, course, turn)
        except NoSuchTurn as error:
            raise Problem("not-found", str(error)) from error
        rounds = [
            answers.RoundTables(round_report.key, round_report.title, round_report.tables)
            for round_report in reports_of(viewer, course, turn, viewer.names)
        ]
        return Response(answers.TurnReport(turn, turns_of(course), rounds), headers=headers)


class Outcomes(Report):
    """The outcomes of the reader's seat."""

    operations = {
        "GET": Operation(
            "list_outcomes",
            "What came of each decision of your seat in one turn, and what else concerned it, newest first",
            answers.Outcomes,
            query=shapes.TurnQuery,
            limit="heavy",
            problems=(*STARTED_PROBLEMS, "not-seated"),
        )
    }

    def get(self, request: Request, game_id: int) -> Response:
        place, turn = self.find_place(game_id), self.query.turn
        self.find_seat(game_id)
        headers = self.tagged(place.tag)
        context = outcomes_context(game=started_game(place), reader=self.person, turn=turn)
        if context is None:  # the seat has changed hands since
            raise Problem("not-seated", say("You have no seat in this game."))
        if turn is not None and context["turn"] != turn:
            last = context["turns"][-1]
            raise Problem("not-found", unplayed_words(started_game(place).rules, turn, last))
        items = [
            answers.ResolutionLine(
                resolution.serial, resolution.title, resolution.at, resolution.own, resolution.others
            )
            for resolution in context["resolutions"]
        ]
        return Response(answers.Outcomes(context["turn"], items), headers=headers)


class Story(Report):
    """The story of a finished game."""

    operations = report(
        "get_story", "Who won by what, and the turns that decided a game that is over", GameStory, shapes.Seen,
        "not-finished",
    )  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        place = self.find_place(game_id)
        if started_game(place).status != Status.FINISHED:  # it would reveal what is hidden
            raise Problem("not-finished")
        headers = self.tagged(place.tag)
        return Response(story_of(self.as_reader(place)), headers=headers)
