"""The vote on a rewind, as a board shows it to its players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.urls import reverse

from game.engine.phrases import listed
from game.history.game_log import moment_words
from game.moderation import approvals
from game.seats.voters import present_seats, waits_until
from game.store import log_notes
from game.store.game import Game, Keeper


class Rewinding(NamedTuple):
    """Which phase, why and who asks; who has agreed, whose answer is missing, and until when it can be given; until
    when absent players are waited for, and whether too few are present to decide."""

    moderator: str
    moment: str
    reason: str
    agreed: str
    missing: str
    until: datetime
    waits: datetime | None
    is_short: bool
    agree_url: str = ""
    decline_url: str = ""
    withdraw_url: str = ""  # players cannot withdraw what a moderator asks


def rewinding_of(game: Game, seat: Any, seats: Sequence[Any]) -> Rewinding | None:
    """The vote as this reader sees it; None without a seat."""
    proposal = game.open_rewinding
    if proposal is None or seat is None or seat.keeper == Keeper.RESIGNED:
        return None
    names = {each.number: each.shown_name for each in seats}
    present, waits = present_seats(game), waits_until(game, proposal)
    missing = [number for number in present if number not in proposal["agreed"]]
    is_waiting, is_short = waits is not None and game.now < waits, len(present) < approvals.fewest_players(game)
    url_args, decides = [game.pk, proposal["number"]], not seat.keeper and str(seat.number) not in game.proxies
    # All have agreed but nothing has happened yet: agreeing once more completes the vote.
    agrees = decides and (seat.number in missing or not (missing or is_waiting or is_short))
    return Rewinding(
        moderator=proposal["moderator"],
        moment=_moment_words(game, proposal),
        reason=proposal["reason"],
        agreed=listed(names[number] for number in proposal["agreed"]),
        missing=listed(names[number] for number in missing),
        until=datetime.fromisoformat(proposal["until"]),
        waits=waits if is_waiting else None,
        is_short=is_short,
        agree_url=reverse("agree_to_rewind", args=url_args) if agrees else "",
        decline_url=reverse("decline_rewind", args=url_args) if decides else "",
    )


def _moment_words(game: Game, proposal: Mapping[str, Any]) -> str:
    """The phase in the reader's language; requests of earlier versions store it in English."""
    if "moment" in proposal:
        return log_notes.moment_told(proposal["moment"])
    return moment_words(game.rules.flow(game.read_options()), proposal["turn"], proposal["phase"])
