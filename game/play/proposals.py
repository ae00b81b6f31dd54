"""Who may vote on proposals about a game, whether all have agreed, and which votes a change of players removes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from accounts.models import User
from game.engine.actions import Refused
from game.play import late
from game.store import account_locks
from game.store.game import Game, Keeper, Seat, Status
from game.store.proposals import Proposal, VoteTopic, drop_proposal, store_proposal, stored_proposal
from game.store.readers import lock

UNDER_WAY = (Status.RUNNING, Status.PAUSED)
GRACE = {False: timedelta(minutes=10), True: timedelta(days=1)}
"""How long ending or rewinding a game waits for absent players to come back and vote, by whether the game is slow."""


def waits_until(game: Game, proposal: Proposal) -> datetime | None:
    """The time until which a proposal waits for players who are away; None if nobody is."""
    return proposal.at + GRACE[game.is_slow] if Keeper.AWAY in game.keepers.values() else None


def have_agreed(game: Game, proposal: Proposal) -> bool:
    """True if all present players have agreed, and absent ones had their time to come back."""
    waits = waits_until(game, proposal)
    return set(game.present_seats) <= set(proposal.agreed) and (waits is None or game.now >= waits)


def lock_voter(
    game_id: int, user: User, statuses: Sequence[Status] = UNDER_WAY, *, is_of_time: bool = False
) -> tuple[Game, Seat]:
    """Lock the game, and find the seat for which this person may vote. Raises `Refused`. A stand-in votes if it
    `is_of_time`, such as a pause, because the clock counts the stand-in's time and the player is away. Only the player
    votes on ending or rewinding the game, because it is their result."""
    game = lock(game_id)
    seat = game.seats.select_related("user").filter(user=user).first() if game else None
    if game is None or seat is None:
        raise Refused("You have no seat in this game.", code="not_seated")
    account_locks.check_is_free(seat.user or user)
    if game.status not in statuses:
        raise Refused(late.why_not_running(game), code="not_running")
    if user.is_bot:
        raise Refused("Bots have no say in this.", code="bots_have_no_say")
    if seat.keeper == Keeper.RESIGNED:
        raise Refused("You have resigned, so you have no say in this.", code="has_resigned")
    if seat.keeper:
        raise Refused(
            "The caretaker plays your seat, so you have no say in this. Take your seat back first.",
            code="caretaker_plays",
        )
    if game.has_stand_in(seat.number) and not is_of_time:
        raise Refused(
            "You play this seat for its player. Only they can agree to this: they take their seat back first.",
            code="not_yours",
        )
    return game, seat


def forget_votes(game: Game, seat: int, topics: Iterable[VoteTopic] = tuple(VoteTopic)) -> None:
    """A new player does not inherit the previous player's votes or proposals; remove them. When a stand-in begins or
    ends, only those about the clock are removed: whoever plays decides about it. The caller saves the game."""
    for topic in topics:
        proposal = stored_proposal(game, topic)
        if proposal is not None and proposal.by == seat:
            drop_proposal(game, topic)
        elif proposal is not None and seat in (*proposal.agreed, *proposal.declined):
            store_proposal(game, topic, proposal.without_answer(seat))
