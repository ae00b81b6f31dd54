"""The table of all kinds of notices, one row per kind. docs/adding_a_notice.md explains how to add one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from game.engine.language import mark
from game.outbox import occasions
from game.outbox import webhook_types as types
from game.outbox.models import Topic
from game.outbox.occasions import Occasion
from game.store import pending
from game.store.game import Status
from game.store.log import Notice
from game.store.proposals import VoteTopic

Kind = Notice.Kind
STOPPED = frozenset({Status.PAUSED, Status.HELD})
UNDER_WAY = STOPPED | {Status.RUNNING}
PLAYED = UNDER_WAY | {Status.FINISHED}
TALK, VOTE = "talk", "vote"
"""Values of `push_group`."""


@dataclass(frozen=True, kw_only=True)
class NoticeRow:
    """A kind of notice, and how it is sent."""

    topic: Topic
    """The row of the preferences page where its reader chooses whether and when to get it."""
    webhook: str
    """The type of its webhook message."""
    mail: str = ""
    """Its template in `templates/mail`; kinds may share one. Empty: it is never mailed."""
    line: str = ""
    """Its line in a mail's list of news; empty if `templates/mail/_what.txt` has it, because it contains facts."""
    push: str = ""
    """Its browser notification. Empty: the topic's label, or for a decision the board's question."""
    push_group: str = ""
    """It replaces only earlier browser notifications of the game with the same group. Empty: the game's main one, even
    that of an open decision."""
    statuses: frozenset[Status] | None = None
    """The statuses of its game in which it is still true. None: any."""
    still_true: Callable[[Occasion], bool] | None = None
    """What must be the case besides: a check of `game.outbox.occasions`."""
    asks_about: VoteTopic | None = None
    """It asks for a vote on this topic, and is true until its reader has voted."""
    is_state: bool = False
    """It says how things are, so that its webhook message becomes untrue, too; other messages say what has happened."""
    is_of_phase: bool = False
    """Its `serial` is a phase's; otherwise it numbers its subject: a message, a proposal, a stand-in, a bounce, who is
    invited, or how many such notices came before."""
    is_for_seatless: bool = False
    """Its reader does not hold the seat now."""
    has_lost_seat: bool = False
    """Its reader never gets the seat back: the mail shows neither the seat's standing nor a link to the game's
    settings."""
    shows_position: bool = True
    """False: the mail leaves the position out, as there is none or it cannot be trusted."""
    asks_to_play: bool = False
    """It asks for what a banned person cannot do, so it waits for the end of the ban."""
    is_urgent: bool = False
    """It is sent even beyond the daily limit of mails. Reminders and the topic `SEAT` always are."""
    mail_order: int = 1
    """Without a decision, the notice with the lowest heads the game's mail."""
    is_told_with_decision: bool = False
    """A mail about a decision says it already, so it gets no line of its own."""
    lists_mentions: bool = False
    """Its mail also lists the reader's mentions."""

    def is_true(self, occasion: Occasion) -> bool:
        """True if it is still true when it is sent."""
        game, seat = occasion.game, occasion.seat
        if self.statuses is not None and game.status not in self.statuses:
            return False
        if self.asks_about is not None:
            return pending.waits_for(game=game, topic=self.asks_about, number=occasion.serial, seat=seat)
        return self.still_true is None or self.still_true(occasion)


def row_of(notice: Notice) -> NoticeRow:
    """The row of a notice's kind."""
    return KINDS[Kind(notice.kind)]


KINDS: Mapping[Kind, NoticeRow] = {
    Kind.TURN: NoticeRow(
        topic=Topic.TURN, webhook=types.OPENED, mail="decision", is_of_phase=True, asks_to_play=True,
        still_true=occasions.is_phase_open,
    ),
    Kind.REMINDER: NoticeRow(
        topic=Topic.REMINDER, webhook=types.REMINDER, mail="decision", is_of_phase=True, asks_to_play=True,
        still_true=occasions.is_phase_open,
    ),
    Kind.MOVED: NoticeRow(
        topic=Topic.REMINDER, webhook=types.MOVED, mail="decision", is_of_phase=True, asks_to_play=True,
        still_true=occasions.is_phase_open, is_state=True,
    ),
    Kind.MISSED: NoticeRow(
        topic=Topic.MISSED, webhook=types.MISSED, mail="missed", line=mark("you missed a decision"),
        statuses=UNDER_WAY, still_true=occasions.is_miss_news, is_of_phase=True, mail_order=2,
        is_told_with_decision=True,
    ),
    Kind.AWAY: NoticeRow(
        topic=Topic.MISSED, webhook=types.AWAY, mail="away", line=mark("the caretaker plays your seat"),
        push=mark("The caretaker plays for you."), statuses=UNDER_WAY,
        still_true=occasions.has_caretaker, is_state=True, is_of_phase=True, is_urgent=True,
    ),
    Kind.KEPT: NoticeRow(
        topic=Topic.SEAT, webhook=types.AWAY, mail="away", line=mark("the caretaker plays your seat"),
        push=mark("The caretaker plays for you."), statuses=UNDER_WAY,
        still_true=occasions.is_lent_to_absentee, is_state=True, is_of_phase=True, is_for_seatless=True,
    ),
    Kind.STARTED: NoticeRow(
        topic=Topic.STARTED, webhook=types.STARTED, mail="started", statuses=frozenset({Status.RUNNING}),
        still_true=occasions.is_start_news, is_of_phase=True, is_told_with_decision=True, lists_mentions=True,
    ),
    Kind.FINISHED: NoticeRow(
        topic=Topic.FINISHED, webhook=types.FINISHED, mail="finished",
        statuses=frozenset({Status.FINISHED, Status.ABANDONED}), is_of_phase=True, mail_order=0, lists_mentions=True,
    ),
    Kind.VOID: NoticeRow(
        topic=Topic.SEAT, webhook=types.VOID, mail="void",
        push=mark("The game was rewound: later submissions no longer count."), statuses=PLAYED, is_of_phase=True,
        is_told_with_decision=True, lists_mentions=True,
    ),
    Kind.REPLACED: NoticeRow(
        topic=Topic.SEAT, webhook=types.REPLACED, mail="replaced", line=mark("another player took over your seat"),
        push=mark("Another player took over your seat."), statuses=PLAYED, is_of_phase=True, is_for_seatless=True,
        has_lost_seat=True,
    ),
    Kind.MENTION: NoticeRow(
        topic=Topic.MENTION, webhook=types.MENTIONED, mail="mention", push_group=TALK,
        still_true=occasions.is_mention_unread, asks_to_play=True, mail_order=2, is_told_with_decision=True,
    ),
    Kind.ENDING: NoticeRow(
        topic=Topic.SEAT, webhook=types.ENDING_PROPOSED, mail="ending",
        line=mark("a player proposes to end the game"), push_group=VOTE,
        push=mark("A player asks for your vote on ending the game, or on a player who has left."),
        asks_about=VoteTopic.ENDING, is_state=True, asks_to_play=True,
    ),
    Kind.VOTE: NoticeRow(
        topic=Topic.SEAT, webhook=types.PAUSE_PROPOSED, mail="pause",
        line=mark("a player asks for your vote on a pause"), push_group=VOTE,
        push=mark("A player asks for your vote on a pause."), asks_about=VoteTopic.PAUSE, is_state=True,
        asks_to_play=True,
    ),
    Kind.REWIND: NoticeRow(
        topic=Topic.SEAT, webhook=types.REWIND_ASKED, mail="pause",
        line=mark("a moderator asks whether to rewind the game"), push_group=VOTE,
        push=mark("A moderator asks whether to rewind the game."), asks_about=VoteTopic.REWIND, is_state=True,
        asks_to_play=True,
    ),
    Kind.PAUSED: NoticeRow(
        topic=Topic.SEAT, webhook=types.PAUSED, mail="pause", push=mark("The game is paused."),
        statuses=frozenset({Status.PAUSED}), is_state=True,
    ),
    Kind.HELD: NoticeRow(
        topic=Topic.SEAT, webhook=types.HELD, mail="pause", line=mark("the game is on hold"),
        push=mark("The game is on hold: its clock is stopped."), statuses=frozenset({Status.HELD}), is_state=True,
        shows_position=False,
    ),
    Kind.RESUMED: NoticeRow(
        topic=Topic.SEAT, webhook=types.RESUMED, mail="pause", line=mark("the game goes on"),
        push=mark("The game goes on."), statuses=frozenset({Status.RUNNING}), is_state=True,
    ),
    Kind.PROXIED: NoticeRow(
        topic=Topic.SEAT, webhook=types.LENT, mail="stand_in", statuses=UNDER_WAY, still_true=occasions.is_lent,
        is_for_seatless=True,
    ),
    Kind.STANDS_IN: NoticeRow(
        topic=Topic.SEAT, webhook=types.LENT, mail="stand_in", statuses=UNDER_WAY, still_true=occasions.is_stand_in,
    ),
    Kind.RETURNED: NoticeRow(
        topic=Topic.SEAT, webhook=types.RETURNED, mail="stand_in", line=mark("your seat is yours again"),
        statuses=UNDER_WAY,
    ),
    Kind.STOOD_IN: NoticeRow(
        topic=Topic.SEAT, webhook=types.RETURNED, mail="stand_in", statuses=PLAYED, is_for_seatless=True,
        has_lost_seat=True,
    ),
    Kind.BOUNCED: NoticeRow(
        topic=Topic.SEAT, webhook=types.MAIL_RETURNED, still_true=occasions.is_address_broken, is_state=True,
    ),
    Kind.INVITED: NoticeRow(
        topic=Topic.INVITED, webhook=types.INVITED, mail="invited", still_true=occasions.is_invited, is_state=True,
        is_for_seatless=True, shows_position=False, asks_to_play=True,
    ),
    Kind.CLOSING: NoticeRow(
        topic=Topic.SEAT, webhook=types.IDLE, mail="room",
        push=mark("Nobody has opened this game for weeks. Open it, or it will be closed."),
        statuses=frozenset({Status.WAITING}), still_true=occasions.will_close, is_state=True, shows_position=False,
    ),
    Kind.CLOSED: NoticeRow(
        topic=Topic.SEAT, webhook=types.IDLE, mail="room", line=mark("it was closed before it began"),
        push=mark("The game was closed before it began."), statuses=frozenset({Status.ABANDONED}), is_state=True,
        shows_position=False,
    ),
}  # fmt: skip
QUESTIONS = {row.asks_about: kind for kind, row in KINDS.items() if row.asks_about is not None}
"""The notice that asks about each topic. It is sent to each player until they have answered."""
