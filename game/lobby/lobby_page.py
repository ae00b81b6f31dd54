"""The lists of the lobby: games that need the reader, that wait for others, that are open, that are over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from msgspec import structs

from accounts.models import User
from game.boards.ranks import place_words, rank_words
from game.boards.registry import board_of
from game.engine.flow import Phase
from game.engine.language import apart, count, say
from game.engine.phrases import either, inside
from game.lobby.browse_rows import host_reliability
from game.lobby.free_seats import free_seats
from game.lobby.game_words import game_cards, pace_words, phase_of, rules_words, terms_of, url_of
from game.lobby.lobby_queries import (
    MOST_FINISHED,
    MOST_OPEN,
    FinishedGame,
    LobbySeat,
    OpenGame,
    OwnGame,
    finished_games,
    games_invited_to,
    games_under_way,
    games_with_room,
)
from game.lobby.plans import visits_of
from game.outbox.reachability import Reachability, UnreachableReason
from game.play.tenures import until_of
from game.reputation import households, unlocks
from game.reputation.rating_reads import rating_texts_at
from game.seats.page import day_words
from game.store.badges import SeatBadge, badges_of
from game.store.game import Game, Keeper, Status
from game.store.pending import PendingDecision, PendingDecisions


@dataclass(frozen=True)
class Entry:
    """A game as a row of the lobby; it needs no position."""

    game_id: int
    name: str
    url: str
    size: int
    pace_words: str = ""
    rules_words: str = ""
    taken: int = 0
    host: str = ""
    host_reliability: str = ""
    length: str = ""
    rate: str = ""
    is_mine: bool = False
    is_private: bool = False
    join_url: str = ""
    decline_url: str = ""  # if the reader is invited by name
    terms: tuple[str, ...] = ()
    ratings: str = ""
    refusal: str = ""  # why the reader cannot join
    seats: tuple[SeatBadge, ...] = ()
    phase_words: str = ""
    prompt: str = ""
    deadline_text: str = ""
    your_state: str = "none"
    is_asked: bool = False
    is_rated: bool = False
    is_gathering: bool = False
    still_deciding: str = ""
    is_held: bool = False
    deadline_at: datetime | None = None
    ended_at: datetime | None = None
    score: int | None = None
    score_word: str = ""
    rank_words: str = ""
    winner: str = ""
    stand_in_text: str = ""  # a stand-in plays for the reader, or the reader is one


def lobby_context(*, user: User) -> dict[str, Any]:
    """The first page of the lobby: the reader's own games, and the newest that look for players."""
    game_rows, finished_rows, open_games = games_under_way(user.pk), finished_games(user.pk), games_with_room(user.pk)
    invitations = invited_entries(user)
    entries = [
        entry_of(game_row, seat, user)
        for game_row in game_rows
        # A seat may have changed hands since the games were found.
        if (seat := _own_seat(game_row, user)) is not None and seat.keeper != Keeper.RESIGNED
    ]
    deciding = sorted((entry for entry in entries if entry.is_asked), key=_by_deadline)
    needs_you = [entry for entry in deciding if entry.your_state != "submitted"]
    waiting = sorted((entry for entry in entries if not entry.is_asked and not entry.is_gathering), key=_by_deadline)
    finished = [finished_entry(game_row) for game_row in finished_rows[:MOST_FINISHED]]
    return {
        "page": "lobby",
        "headline": headline(len(needs_you)),
        "invitations": invitations,
        "unreachable": _why_unreachable(user, game_rows, needs_you),
        "needs_you": needs_you,
        "to_review": [entry for entry in deciding if entry.your_state == "submitted"],
        "waiting": waiting,
        "waiting_scores": score_words(waiting),
        "gathering": [entry for entry in entries if entry.is_gathering],
        "finished": finished,
        "finished_scores": score_words(finished),
        "has_more_finished": len(finished_rows) > MOST_FINISHED,
        "has_played": bool(game_rows or finished_rows),
        "free_seats": free_seats(user=user),
        "open_games": _open_entries(user, open_games[:MOST_OPEN]),
        "has_more_open": len(open_games) > MOST_OPEN,
        "games": game_cards(),
        "next_deadline_at": next((entry.deadline_at for entry in needs_you), None),
    }


def _open_entries(user: User, open_rows: Sequence[OpenGame]) -> list[Entry]:
    """The rows of games that look for players, with what is known of ratings, hosts and shared homes."""
    rated = [game_row.game for game_row in open_rows if game_row.game.is_rated]
    hosts = host_reliability(game_row.host_id for game_row in open_rows)
    ratings = rating_texts_at(rated)
    closed_games = households.closed_among([game.pk for game in rated], user_id=user.pk)
    refusals = dict.fromkeys(closed_games, say(households.SHARES))
    refusals |= unlocks.reasons_for(user, [game_row.game for game_row in open_rows])
    return [
        open_entry(
            game_row,
            ratings.get(game_row.game.pk, ""),
            hosts.get(game_row.host_id, ""),
            refusal=refusals.get(game_row.game.pk, ""),
        )
        for game_row in open_rows
    ]


def invited_entries(user: User) -> list[Entry]:
    """The games to which the reader is invited by name: each can be joined, if a seat is free, or declined. A seat of a
    running game is taken on its board, which shows its position."""
    return [_invited_entry(game_row) for game_row in games_invited_to(user.pk)]


def _invited_entry(game_row: OpenGame) -> Entry:
    size = game_row.game.seats_wanted
    refusal = say("All {n} seats are taken.", n=size) if game_row.taken >= size else ""
    entry = replace(
        open_entry(game_row), refusal=refusal, decline_url=reverse("decline_invitation", args=[game_row.game.pk])
    )
    return entry if game_row.game.status == Status.WAITING else replace(entry, join_url="")


def _why_unreachable(user: User, game_rows: Iterable[OwnGame], needs_you: Iterable[Entry]) -> UnreachableReason | None:
    """Why notifications do not reach the reader, judged by the game with the nearest deadline. If the reader chose
    that, it is shown only while a decision is theirs."""
    timed = {row.game.pk: row.game for row in game_rows if row.game.is_slow and row.game.deadline_at}
    next_game = next((timed[entry.game_id] for entry in needs_you if entry.game_id in timed), None)
    reason = Reachability(user, next_game or next(iter(timed.values()), None)).reason
    return None if reason and reason.is_chosen and next_game is None else reason


def pending_games(context: dict[str, Any], user: User) -> PendingDecisions:
    """The games that need the reader, from what the lobby has already read."""
    decisions = [PendingDecision(entry.game_id, entry.name, entry.deadline_at) for entry in context["needs_you"]]
    return PendingDecisions(user, decisions)


def headline(number: int) -> str:
    """The number of games that need the reader, as a sentence."""
    return count("One game needs you", "{n} games need you", number) if number else say("No decisions to make")


def entry_of(own_game: OwnGame, own_seat: LobbySeat, user: User) -> Entry:
    """The row of a game in which this reader plays. Only the owner sees that a seat has a draft."""
    game = own_game.game
    has_stand_in = own_seat.user_id != user.pk
    viewer = None if own_seat.device or has_stand_in else own_seat.number  # others at the device read this list
    places = badges_of(own_game.seats, ruleset=game.ruleset, user_id=user.pk, states=game.shown_states(viewer))
    if own_game.has_draft:
        places = tuple(
            structs.replace(place, state="draft") if place.is_you and place.state == "untouched" else place
            for place in places
        )
    state, score = (
        places[own_seat.number].state,
        own_game.worth[own_seat.number] if own_seat.number < len(own_game.worth) else None,
    )
    phase = phase_of(game)
    return Entry(
        game_id=game.pk,
        name=game.name,
        url=url_of(game.pk),
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        taken=len(own_game.seats),
        size=game.seats_wanted,
        host=own_game.host,
        seats=places,
        phase_words=_phase_words(game, phase) if phase else "",
        prompt=f"{board_of(game.ruleset).prompt_of_phase(phase)}." if phase else "",
        deadline_text=deadline_words(phase.default if phase else "", state, is_timed=game.deadline_at is not None),
        your_state="away" if has_stand_in else own_seat.keeper or state,
        is_asked=game.is_running and not (own_seat.keeper or has_stand_in) and own_seat.number in game.waiting_seats,
        is_gathering=game.status == Status.WAITING,
        still_deciding=", ".join(apart(place.name) for place in places if place.state in {"untouched", "submitted"}),
        is_held=game.status in {Status.HELD, Status.PAUSED},
        deadline_at=game.deadline_at,
        score=score,
        score_word=say(board_of(game.ruleset).score),
        rank_words="" if score is None else rank_words(own_game.worth, score),
        stand_in_text=_stand_in_words(game, own_seat, is_lent=has_stand_in),
    )


def _stand_in_words(game: Game, own: LobbySeat, *, is_lent: bool) -> str:
    """The words on until when a stand-in plays this seat for the reader, or the reader for somebody."""
    if not game.has_stand_in(own.number):
        return ""
    day = day_words(until_of(game, own.number))
    if is_lent:
        return say("{name} plays until {day}", name=own.shown_name, day=day)
    return say("for another player until {day}", day=day)


def _phase_words(game: Any, phase: Phase) -> str:
    title = say("phase {number}: {title}", number=phase.number, title=say(phase.title))
    return say("{turn}, {phase}", turn=board_of(game.ruleset).rules.turn_words(game.turn), phase=title)


def open_entry(row: OpenGame, ratings: str = "", host_text: str = "", refusal: str = "") -> Entry:
    """The row of a game that looks for players. `refusal`: why the reader cannot join it."""
    game = row.game
    visits = visits_of(game)
    return Entry(
        game_id=game.pk,
        name=game.name,
        url=url_of(game.pk),
        pace_words=pace_words(game),
        rules_words=rules_words(game),
        taken=row.taken,
        size=game.seats_wanted,
        host=row.host,
        host_reliability=host_text,
        length=visits.length,
        rate=visits.rate,
        join_url=f"{url_of(game.pk)}join/",
        terms=terms_of(game),
        is_rated=game.is_rated,
        ratings=ratings,
        refusal=refusal,
    )


def _place_of(finished_game: FinishedGame) -> str:
    """The reader's place in words; empty without a result."""
    if finished_game.place is None:
        return ""
    return place_words(finished_game.place, finished_game.size, finished_game.is_tied)


def finished_entry(finished_game: FinishedGame) -> Entry:
    """The row of one of the reader's finished games; a game ended by agreement has no result."""
    is_stopped = finished_game.status == Status.ABANDONED
    return Entry(
        game_id=finished_game.game_id,
        name=finished_game.name,
        url=url_of(finished_game.game_id),
        size=finished_game.size,
        ended_at=finished_game.finished_at,
        score=None if is_stopped else finished_game.score,
        score_word=say(board_of(finished_game.ruleset).score),
        rank_words=_place_of(finished_game),
        winner=say("no result") if is_stopped else ", ".join(finished_game.winners),
    )


def _own_seat(own_game: OwnGame, user: User) -> LobbySeat | None:
    """The reader's seat, even if a stand-in plays it."""
    stand_in_seat = own_game.game.seat_owned_by(user.pk)
    own_seats = (
        seat
        for seat in own_game.seats
        if (seat.user_id == user.pk if stand_in_seat is None else seat.number == stand_in_seat)
    )
    return next(own_seats, None)


def _by_deadline(entry: Entry) -> tuple[bool, float]:
    return entry.deadline_at is None, entry.deadline_at.timestamp() if entry.deadline_at else 0


def score_words(entries: Iterable[Entry]) -> str:
    """The heading of a score column for games that may be of several kinds."""
    first, *others = dict.fromkeys(entry.score_word for entry in entries) or [""]
    return either([first, *map(inside, others)])


def deadline_words(default: str, state: str, *, is_timed: bool) -> str:
    """The text about the deadline in the words of the board; without a deadline, that the game waits for the reader."""
    if not is_timed:
        submitted = state == "submitted"
        return say("Submitted; it counts when you are ready.") if submitted else say("The bots wait for you.")
    if state == "submitted":
        return say("Submitted; it counts at the deadline.")
    if state == "draft":
        return say("If you do nothing, your draft is submitted.")
    return say("If you do nothing, {default}.", default=say(default)) if default else ""
