"""What a board shows its players while a moderator asks them whether to rewind their game."""

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
    """To which phase, why and who asks; who has agreed, whose answer is missing, and until when it can be given; the
    instant before which nothing is done, and whether too few players are present to decide."""

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
    """What this reader must answer; None without a seat."""
    asked = game.open_rewinding
    if asked is None or seat is None or seat.keeper == Keeper.RESIGNED:
        return None
    names = {each.number: each.shown_name for each in seats}
    present, waits = present_seats(game), waits_until(game, asked)
    missing = [number for number in present if number not in asked["agreed"]]
    is_waiting, is_short = waits is not None and game.now < waits, len(present) < approvals.fewest_players(game)
    where, decides = [game.pk, asked["number"]], not seat.keeper and str(seat.number) not in game.proxies
    # Players who waited for one who has left, or for the time of those who are away, must agree once more.
    agrees = decides and (seat.number in missing or not (missing or is_waiting or is_short))
    return Rewinding(
        moderator=asked["moderator"],
        moment=_moment_words(game, asked),
        reason=asked["reason"],
        agreed=listed(names[number] for number in asked["agreed"]),
        missing=listed(names[number] for number in missing),
        until=datetime.fromisoformat(asked["until"]),
        waits=waits if is_waiting else None,
        is_short=is_short,
        agree_url=reverse("agree_to_rewind", args=where) if agrees else "",
        decline_url=reverse("decline_rewind", args=where) if decides else "",
    )


def _moment_words(game: Game, asked: Mapping[str, Any]) -> str:
    """The phase in the reader's language; requests of earlier versions keep it in English words."""
    if "moment" in asked:
        return log_notes.moment_told(asked["moment"])
    return moment_words(game.rules.flow(game.read_options()), asked["turn"], asked["phase"])
