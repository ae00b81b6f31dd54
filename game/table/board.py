"""What the board page shows one reader, in a constant number of queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from game.boards.decision import Foresight, nothing_foreseen
from game.boards.registry import board_of
from game.chat.page import chat_link, seat_rows_of
from game.clock.actions import clock_of
from game.engine.language import say
from game.engine.position import AnyPosition
from game.history.finish import finish_of
from game.history.game_log import Chapter, LogRow, by_rounds, news_of, read_steps, tell
from game.history.since import Happened, Seated, cached_happened, seated_at
from game.history.turn_summaries import TurnSummary, summary_of_turn
from game.history.viewer import Viewer
from game.lobby.copies import bar_of
from game.outbox.reachability import Reachability
from game.play import devices, late
from game.play.receipts import own_of
from game.reputation.rating_reads import ratings_of_seats, with_ratings
from game.seats.page import seat_actions_of, seats_and_messages
from game.store import eyes
from game.store.badges import SeatBadge, badges_of, name_in_game
from game.store.board_rows import history_of
from game.store.eyes import Eyes
from game.store.game import Game, Status
from game.store.log import Draft
from game.store.readers import Reader, SeatRow, id_of, version_of
from game.store.rule_limits import Budget
from game.store.seat_view import view_of_seat
from game.votes.rewinds import rewind_vote_of


def board_context(*, game: Game, user: Reader, log_before: int | None = None) -> dict[str, Any]:
    """Everything the board page shows this reader."""
    context = decision_context(game=game, user=user)
    seat, seats = context["own_seat"], context["seat_rows"]
    return context | {
        **_agreements_context(game, seat, seats, user),
        "reach": _reach(game, user, context),
        "chat": chat_link(game, seat),
        "live_url": f"/games/{game.pk}/",
        "socket_url": f"/ws/games/{game.pk}/",
        "history": history_of(game),
        "copy": bar_of(game),
        "device": devices.bar_of(game, seats, user),
        **_log_context(game, context["places"], context["eyes"], context["view"], context["own_name"], log_before),
        "summary": _summary(game, context["eyes"], context["places"]) if log_before is None else None,
        "finish": finish_of(_viewer(game, context)) if log_before is None else None,
    }


def answer_context(*, game: Game, user: Reader, position: AnyPosition | None = None) -> dict[str, Any]:
    """Input of the answer to a decision: the panel, and the news above it, which begin with that decision."""
    context = decision_context(game=game, user=user, position=position)
    number, places, view = context["eyes"], context["places"], context["view"]
    return context | {
        "happened": None if number is None else _happened(seated_at(game, number), places, view),
        "summary": _summary(game, number, places),
        "finish": finish_of(_viewer(game, context)),
        "reach": _reach(game, user, context),
    }


def _reach(game: Game, user: Reader, context: Mapping[str, Any]) -> Reachability:
    return Reachability(user, game if context["is_asked"] else None)


def _viewer(game: Game, context: Mapping[str, Any]) -> Viewer:
    return Viewer(
        game, context["board"], context["places"], context["eyes"], context["view"], None, context["own_name"]
    )


def decision_context(*, game: Game, user: Reader, position: AnyPosition | None = None) -> dict[str, Any]:
    """Input of the decision panel; `position` is the game's, if already loaded."""
    user_id, seats = id_of(user), seat_rows_of(game_id=game.pk, user=user)
    seat, number = eyes.own_among(game, seats, user_id), eyes.eyes_among(game, seats, user_id)
    seat_view = view_of_seat(game, number, position)
    view = seat_view.view
    draft, received = own_of(game=game, seat=seat, has_sent=seat_view.has_sent)
    badges = badges_of(seats, ruleset=game.ruleset, user_id=user_id, states=_states_with_draft(game, number, draft))
    places, stand_in_fields = seats_and_messages(game, badges, _keeper_of(seats, user_id), user_id)
    ratings, own_name = ratings_of_seats(game, seats), name_in_game(places, user)
    return {
        "game": game,
        "board": board_of(game.ruleset),
        "seats": with_ratings(places, ratings),
        "ratings": ratings,
        "seat_rows": seats,
        "places": places,
        "own_seat": seat,
        "eyes": number,
        "you": places[number] if number is not None else None,
        "own_name": own_name,
        "seat_view": seat_view,
        "view": view,
        "offers": [] if seat and seat.keeper else seat_view.offers,
        "foresee": _foresight(game, number, position),
        **stand_in_fields,
        "phase_serial": game.phase_serial,
        "deadline": game.deadline_at,
        "is_timed": not game.is_running or game.deadline_at is not None,
        "draft": draft,
        "received": received,
        "is_asked": seat is not None and seat.number in game.waiting_seats and game.is_running and not seat.keeper,
        "standstill": "" if game.status == Status.FINISHED else say(late.why_not_running(game)),
        "version": version_of(game, seat),
        "latest": _log_context(game, places, number, view, own_name, None)["latest"] if _is_automatic(view) else None,
        "happened": _happened_beside(game, number, places, view),
    }


def _foresight(game: Game, number: Eyes | None, position: AnyPosition | None) -> Foresight:
    """The results of the reader's possible requests; the position is read at the first question."""
    if number is None:
        return nothing_foreseen
    foresight: list[eyes.Foresight] = []

    def foresee(*requests: Mapping[str, Any]) -> Any:
        if not foresight:
            foresight.append(eyes.Foresight(game, position or game.load_position(), number))
        return Budget().run(foresight[0], *requests)

    return foresee


def _happened_beside(game: Game, number: Eyes | None, places: tuple[SeatBadge, ...], view: Any) -> Happened | None:
    """The events that the board part of the panel marks as new; in games with turns only."""
    if number is None or not board_of(game.ruleset).beside:
        return None
    seated = seated_at(game, number)
    return _happened(seated, places, view) if seated.is_of_turns else None


def _is_automatic(view: Any) -> bool:
    """True if the open phase asks nobody; the panel then shows what has just happened."""
    return view.phase is not None and view.phase.mode == "automatic"


def _keeper_of(seats: Sequence[SeatRow], user_id: int | None) -> str:
    """Why the caretaker plays the reader's seat, also if the reader gave it up; empty if it does not."""
    return next((seat.keeper for seat in seats if user_id is not None and seat.user_id == user_id), "")


def _agreements_context(game: Game, seat: SeatRow | None, seats: list[SeatRow], user: Reader) -> dict[str, Any]:
    """Votes and seat actions outside the decision panel."""
    return {
        "leave": seat_actions_of(game, seat, seats, user=user),
        "clock_actions": clock_of(game, seat, seats),
        "rewinding": rewind_vote_of(game, seat, seats),
    }


def _log_context(
    game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None, view: Any, own_name: str, before: int | None
) -> dict[str, Any]:
    """A page of the log; on the newest one also the last events, and those since the reader's last decision. In games
    with turns it reaches back to where the reader's news begins."""
    seated = seated_at(game, seat) if seat is not None and before is None else None
    of_turns = _happened(seated, places, view) if seated and seated.is_of_turns else None
    find = of_turns.start_in if of_turns else None
    steps, older = read_steps(game=game, before=before, index_of_decision=find)
    log, is_newest = _chapters(steps, game, places, seat, own_name), before is None
    own_click = seated is not None and bool(steps) and seated.has_acted(steps[0])
    return {
        "log": by_rounds(log, game.rules.flow(game.read_options())),
        "older": older,
        "push": news_of(log) if is_newest and not own_click else None,
        "latest": log[0] if log and is_newest else None,
        "happened": _happened(seated, places, view, steps) if seated else None,
    }


def _summary(game: Game, seat: Eyes | None, places: tuple[SeatBadge, ...]) -> TurnSummary | None:
    """The last turn from the reader's point of view."""
    if seat is None or not game.is_running:
        return None
    names = tuple(place.name for place in places)
    return summary_of_turn(game=game, board=board_of(game.ruleset), seat=seat, names=names, turn=game.turn - 1)


def _happened(
    seated: Seated, places: tuple[SeatBadge, ...], view: Any, steps: list[LogRow] | None = None
) -> Happened | None:
    return cached_happened(
        seated=seated,
        board=board_of(seated.game.ruleset),
        names=tuple(place.name for place in places),
        view=view,
        steps=steps,
    )


def read_log(
    *, game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None, before: int | None = None
) -> tuple[list[Chapter], int | None]:
    """A page of the log as this seat may read it, newest first, everybody with a name, and the public version where
    the next older page begins."""
    steps, older = read_steps(game=game, before=before)
    return by_rounds(_chapters(steps, game, places, seat), game.rules.flow(game.read_options())), older


def _chapters(
    steps: list[LogRow], game: Game, places: tuple[SeatBadge, ...], seat: Eyes | None, you: str = ""
) -> list[Chapter]:
    flow = game.rules.flow(game.read_options())
    return tell(reversed(steps), flow=flow, names=[place.name for place in places], seat=seat, you=you)


def _states_with_draft(game: Game, number: int | None, draft: Draft | None) -> list[str]:
    """The seats' states; only the owner of a seat sees that it has a draft."""
    states = game.shown_states(number)
    if draft is not None and number is not None and states[number] == "untouched":
        states[number] = "draft"
    return states
