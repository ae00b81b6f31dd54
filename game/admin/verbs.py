"""The moderators' verbs: when each is possible, what it does, and the form that it needs."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.models import User
from game.admin.acts import Act, allowed, table_of
from game.admin.forms import CorrectForm, ExtendForm, HandOverForm, ReasonForm, RewindForm, SeatForm, StandInForm
from game.moderation import interventions, permissions, repairs, rewind, seat_acts
from game.store.game import BEGUN, Game, Status
from game.store.moderation_models import Intervention

RUNNING, PAUSED, HELD = Status.RUNNING, Status.PAUSED, Status.HELD


@dataclass(frozen=True, kw_only=True)
class Verb(Act):
    """An act on a game, recorded and read by its players."""

    statuses: tuple[Status, ...]
    form: type[ReasonForm] = ReasonForm
    is_grave: bool = False
    is_sealed: bool = False  # whether a preview must not show its result
    place: str = "position"  # where its button is: `clock` (at most three at once), `seats` or `position`

    @property
    def done(self) -> str:
        return f"{super().done} It is recorded, and the players can read it."


VERBS = table_of(
    Verb(
        "extend",
        Intervention.EXTEND_DEADLINE,
        "Extend the deadline",
        "The open phase lasts longer. Submissions are kept.",
        interventions.extend_deadline,
        statuses=BEGUN,
        form=ExtendForm,
        place="clock",
    ),
    Verb(
        "pause",
        Intervention.PAUSE,
        "Pause",
        "The clock stops, and players cannot submit until the game is resumed.",
        interventions.pause,
        statuses=(RUNNING,),
        place="clock",
    ),
    Verb(
        "resume",
        Intervention.RESUME,
        "Resume",
        "The clock runs again with the time that was left.",
        interventions.resume,
        statuses=(PAUSED,),
        place="clock",
    ),
    Verb(
        "retry",
        Intervention.RETRY,
        "Try again",
        "The game on hold restarts with the time that was left; an overdue phase closes at once.",
        interventions.retry,
        statuses=(HELD,),
        is_sealed=True,
        place="clock",
    ),
    Verb(
        "resolve",
        Intervention.RESOLVE_NOW,
        "Resolve now",
        "The open phase closes as at its deadline: with what was submitted, saved drafts, and the default for "
        "all others.",
        interventions.resolve_now,
        statuses=(RUNNING,),
        is_grave=True,
        is_sealed=True,
    ),
    Verb(
        "hold",
        Intervention.HOLD,
        "Put on hold",
        "The game stops until a moderator restarts it. Use it when something looks wrong.",
        interventions.hold,
        statuses=(RUNNING, PAUSED),
        is_grave=True,
        place="clock",
    ),
    Verb(
        "to-bot",
        Intervention.HAND_SEAT_TO_BOT,
        "Hand a seat to a bot",
        "The player loses the seat; a bot plays it to the end. "
        "Their submissions that are not revealed yet no longer count, votes ahead included; their drafts are deleted.",
        seat_acts.hand_seat_to_bot,
        statuses=BEGUN,
        form=SeatForm,
        is_grave=True,
        place="seats",
    ),
    Verb(
        "to-user",
        Intervention.HAND_SEAT_TO_USER,
        "Hand a seat to a player",
        "Submissions of this seat that are not revealed yet no longer count, votes ahead included; its drafts are "
        "deleted. "
        "If the seat must decide now, they get an email.",
        seat_acts.hand_seat_to_user,
        statuses=BEGUN,
        form=HandOverForm,
        is_grave=True,
        place="seats",
    ),
    Verb(
        "proxy",
        Intervention.SET_PROXY,
        "Let somebody play a seat for its player",
        "For these days the other account sees the hand and decides; mails about decisions go there, and misses are "
        "excused. The player reads nothing of the seat until they take it back. Results and rating stay theirs.",
        seat_acts.set_stand_in,
        statuses=BEGUN,
        form=StandInForm,
        is_grave=True,
        place="seats",
    ),
    Verb(
        "end-proxy",
        Intervention.END_PROXY,
        "Give a seat back to its player",
        "Whoever plays it for them sees nothing of it any more. What they submitted counts.",
        seat_acts.end_stand_in,
        statuses=BEGUN,
        form=SeatForm,
        place="seats",
    ),
    Verb(
        "excuse",
        Intervention.EXCUSE_MISS,
        "Excuse a missed decision",
        "One missed decision of the player in this seat no longer counts against them.",
        seat_acts.excuse_miss,
        statuses=(*BEGUN, Status.FINISHED),
        form=SeatForm,
        place="seats",
    ),
    Verb(
        "rewind",
        Intervention.REWIND_TO,
        "Rewind",
        "The game goes back to the start of that phase. "
        "Later submissions no longer count and their players are told; later draws will differ. "
        "A finished game resumes without standings. The log keeps every entry.",
        rewind.rewind_to,
        statuses=rewind.REWINDABLE,
        form=RewindForm,
        is_grave=True,
    ),
    Verb(
        "correct",
        Intervention.CORRECT_MONEY,
        "Put money right",
        "A player or a company gets money from outside the game, or loses it. Everybody reads it in the log and in the "
        "ledger. What was submitted stays; what was done before can no longer be taken back.",
        repairs.correct_money,
        statuses=BEGUN,
        form=CorrectForm,
        is_grave=True,
    ),
    Verb(
        "rerun-apply",
        Intervention.APPLY_RERUN,
        "Correct the last resolution",
        "What today's rules make of the last resolution, with the draws it had, takes the place of what is stored. "
        "The open phase begins again: what was submitted in it no longer counts, its players are told, and later draws "
        "differ. “Last resolution again” shows the difference.",
        repairs.apply_rerun,
        statuses=BEGUN,
        is_grave=True,
    ),
    Verb(
        "restore",
        Intervention.RESTORE_FROM_LOG,
        "Restore from the log",
        "Rebuilds a damaged position from the last start of a phase that can be read and from everything in the "
        "log since then. "
        "The result is compared with the log before it is stored. No submission is lost. A game on hold stays on "
        "hold until “Try again”.",
        rewind.restore_from_log,
        statuses=(HELD, Status.FINISHED),
    ),
    Verb(
        "remove",
        Intervention.REMOVE_TABLE,
        "Remove this game",
        "The game leaves the list of open games and cannot start. Its page shows the reason. This cannot be undone.",
        interventions.remove_table,
        statuses=(Status.WAITING,),
        is_grave=True,
        place="clock",
    ),
)


def verbs_for(game: Game, moderator: User) -> list[Verb]:
    """The verbs this moderator can use now; none in a game that they play in."""
    if permissions.why_barred(game, moderator):
        return []
    return [verb for verb in allowed(VERBS, moderator) if game.status in verb.statuses]
