"""Lines of a decision email: vacations, and chat mentions that the reader has not read and may read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from accounts.quiet_hours import zone_of
from game.chat.writing import FORMER_PLAYER, moment_words
from game.engine.language import mark, say, say_as
from game.i18n import LONG_DAY, date_words
from game.play import clocks
from game.store.availability import known_to
from game.store.game import Seat
from game.store.log import Notice

OWN = (
    mark("You are on vacation from {begins} until {ends}."),
    mark("You are on vacation from {begins} until {ends}. The deadline was moved for it."),
)
OTHERS = (
    mark("{name} is on vacation from {begins} until {ends}."),
    mark("{name} is on vacation from {begins} until {ends}. The deadline was moved for it."),
)


def away_lines(notice: Notice, seats: Sequence[Seat]) -> tuple[str, ...]:
    """A sentence for each vacation that is going on or has moved the deadline, in the reader's time zone; empty for
    notices that ask for no decision."""
    game, zone = notice.game, zone_of(notice.user)
    if notice.kind not in Notice.ASKING or not game.availability or game.deadline_at is None:
        return ()
    names = {seat.number: seat.shown_name for seat in seats}
    waited_for_seats = clocks.waits_for(game)

    def day(at: datetime) -> str:
        here = at.astimezone(zone)
        return say("{date}, {clock}", date=date_words(here, LONG_DAY), clock=f"{here:%H:%M}")

    lines = []
    for each in known_to(game):
        has_moved = each.seat in waited_for_seats and each.begins < game.deadline_at
        if not (has_moved or each.begins <= game.now):
            continue
        template = OWN[has_moved] if each.seat == notice.seat.number else OTHERS[has_moved]
        lines.append(say(template, name=names[each.seat], begins=day(each.begins), ends=day(each.ends)))
    return tuple(lines)


class MentionLine(NamedTuple):
    """A message that mentions the reader."""

    name: str
    text: str
    moment: str
    at: datetime


def mentions_among(notices: Sequence[Notice], game_id: int) -> tuple[MentionLine, ...]:
    """The messages behind the mentions among these notices in one game, oldest first."""
    here = [notice for notice in notices if notice.game_id == game_id and notice.kind == Notice.Kind.MENTION]
    if not here:
        return ()
    messages = here[0].game.messages.filter(number__in=[notice.serial for notice in here])
    messages = messages.readable_by(here[0].user_id).select_related("author").order_by("number")
    return tuple(
        MentionLine(
            message.author.username if message.author else say_as("seat", FORMER_PLAYER),
            message.text,
            moment_words(message, here[0].game),
            message.at,
        )
        for message in messages
    )
