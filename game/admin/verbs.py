"""The moderators' verbs with their forms: what each asks besides the reason, when it is possible, and what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.text import capfirst

from accounts.models import User
from game.deadlines.paces import timing_words
from game.engine.codec import Damaged, Newer
from game.engine.language import apart
from game.moderation import interventions, permissions, repairs, rewind, seat_acts
from game.store.case_models import Case
from game.store.game import BEGUN, Game, Status
from game.store.log import Intervention, ModeratorAction
from game.store.numbers import number_of
from game.store.seating import seats_of
from game.templatetags.times import local_words

ANSWERS = {
    "asked_for_second": "Asked for a second person",
    "confirmed_request": "Confirmed a request",
    "refused_request": "Refused a request",
    "withdrawn_request": "Withdrew a request",
}
LOG_COUNTS = ("number", "from_entry", "replayed", "entries")
"""Details that are not shown: they would reveal the number of sealed submissions."""
UNITS = ("minutes", "hours", "days")
DETAIL_LABELS = {
    "did": "", "what": "", "moment": "", "user": "player", "was": "before that", "to": "now", "other": "and",
    "void_seats": "submissions voided of seats", "held_reason": "held because", "factors": "these were",
    "pair": "seats", "state": "now",
}  # fmt: skip
"""Labels of the details of an act; an empty one shows the value alone."""
MOST = 2**31 - 1  # what the columns hold
UNSEEN = dict.fromkeys(
    ("required", "invalid", "min_value", "max_value"),
    "This form does not say which version of the game it is about: reload it.",
)
RUNNING, PAUSED, HELD = Status.RUNNING, Status.PAUSED, Status.HELD


class ReasonForm(forms.Form):
    """The fields of every verb, and the state of the game when the form was made."""

    version = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput, error_messages=UNSEEN)
    serial = forms.IntegerField(min_value=0, max_value=MOST, widget=forms.HiddenInput, error_messages=UNSEEN)

    reason = forms.CharField(
        label="Reason (shown to the players)",
        max_length=permissions.LONGEST_REASON,
        widget=forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"}),
    )

    def __init__(self, sent: Any = None, *, game: Game) -> None:
        super().__init__(sent, initial=interventions.seen_of(game)._asdict())
        self.game = game
        self.order_fields([name for name in self.fields if name != "reason"])


class ExtendForm(ReasonForm):
    """By how much."""

    minutes = forms.IntegerField(
        label="Minutes",
        min_value=1,
        max_value=interventions.MOST_MINUTES,
        initial=360,
        help_text="60 is an hour, 360 six hours, 720 half a day, 1440 a day.",
    )

    def __init__(self, sent: Any = None, *, game: Game) -> None:
        super().__init__(sent, game=game)
        timing = game.read_timing()
        if timing.fixed is not None:
            times = timing_words(timing, is_in_turns=False, has_votes=False)
            self.fields["minutes"].help_text = (
                f"Phases of this game close {times}. This one will last to the first of these times that is not before "
                "the deadline and so many minutes. “Preview” shows which."
            )


class SeatForm(ReasonForm):
    """Which seat: one of a person."""

    seat_number = forms.TypedChoiceField(label="Seat", coerce=int)
    may_be_bot = False

    def __init__(self, sent: Any = None, *, game: Game) -> None:
        super().__init__(sent, game=game)
        seats = [seat for seat in seats_of(self.game) if self.may_be_bot or not seat.bot]
        choices = [
            (seat.number, f"{seat.number + 1}: {apart(seat.shown_name)}{' (bot)' if seat.bot else ''}")
            for seat in seats
        ]
        self.fields["seat_number"].choices = choices  # type: ignore[attr-defined]


class HandOverForm(SeatForm):
    """Which seat, and who takes it."""

    username = forms.CharField(
        label="Goes to",
        max_length=24,
        help_text="The name of an account that has no seat here.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    may_be_bot = True


class ProxyForm(SeatForm):
    """Which seat, who plays it, and for how long."""

    username = forms.CharField(
        label="Played by",
        max_length=24,
        help_text="The name of an account that has no seat here.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    days = forms.IntegerField(label="Days", min_value=1, max_value=seat_acts.MOST_DAYS, initial=7)


class CorrectForm(ReasonForm):
    """Whose money, and how much."""

    account = forms.ChoiceField(label="Whose money")
    amount = forms.IntegerField(
        label="Amount",
        min_value=-repairs.MOST_DOLLARS,
        max_value=repairs.MOST_DOLLARS,
        help_text="Whole dollars from outside the game; below zero they are taken out of it.",
    )

    def __init__(self, sent: Any = None, *, game: Game) -> None:
        super().__init__(sent, game=game)
        try:
            accounts = repairs.correctable_accounts(game)
        except (Damaged, Newer):
            accounts = {}
        choices = [(account, _account_words(account, whose)) for account, whose in accounts.items()]
        self.fields["account"].choices = choices  # type: ignore[attr-defined]
        if not choices:
            self.fields["account"].help_text = f"{game.rules.title} has no money to put right."


def _account_words(account: str, whose: str) -> str:
    return whose if account.startswith("cash:") else f"treasury of {whose}"


class RewindForm(ReasonForm):
    """To which phase."""

    number = forms.TypedChoiceField(label="Back to the start of", coerce=int)

    def __init__(self, sent: Any = None, *, game: Game) -> None:
        super().__init__(sent, game=game)
        now = timezone.localtime()
        moments = rewind.moments_of(self.game)
        # The page uses phase serials: log numbers would reveal the number of sealed submissions.
        choices = [(each.serial, _moment_words(each, self.game, now)) for each in moments]
        self.fields["number"].choices = choices  # type: ignore[attr-defined]
        self.numbers = {each.serial: each.number for each in moments}

    def clean_number(self) -> int:
        return self.numbers[self.cleaned_data["number"]]


def _moment_words(moment: rewind.Moment, game: Game, now: datetime) -> str:
    is_open = " (the open phase)" if moment.serial == game.phase_serial else ""
    return f"{moment}{is_open}, opened {local_words(timezone.localtime(moment.at), now, 'D')}"


@dataclass(frozen=True)
class Verb:
    """A button on the desk, and the page behind it."""

    key: str
    what: Intervention
    label: str
    effect: str
    service: Callable[..., Any]
    statuses: tuple[Status, ...]
    form: type[ReasonForm] = ReasonForm
    is_grave: bool = False
    is_sealed: bool = False  # whether a preview must not show its result


_ALL = (
    Verb(
        "extend",
        Intervention.EXTEND_DEADLINE,
        "Extend the deadline",
        "The open phase lasts longer. Submissions are kept.",
        interventions.extend_deadline,
        BEGUN,
        ExtendForm,
    ),
    Verb(
        "pause",
        Intervention.PAUSE,
        "Pause",
        "The clock stops, and players cannot submit until the game is resumed.",
        interventions.pause,
        (RUNNING,),
    ),
    Verb(
        "resume",
        Intervention.RESUME,
        "Resume",
        "The clock runs again with the time that was left.",
        interventions.resume,
        (PAUSED,),
    ),
    Verb(
        "retry",
        Intervention.RETRY,
        "Try again",
        "The game on hold restarts with the time that was left; an overdue phase closes at once.",
        interventions.retry,
        (HELD,),
        is_sealed=True,
    ),
    Verb(
        "resolve",
        Intervention.RESOLVE_NOW,
        "Resolve now",
        "The open phase closes as at its deadline: with what was submitted, saved drafts, and the default for "
        "all others.",
        interventions.resolve_now,
        (RUNNING,),
        is_grave=True,
        is_sealed=True,
    ),
    Verb(
        "hold",
        Intervention.HOLD,
        "Put on hold",
        "The game stops until a moderator restarts it. Use it when something looks wrong.",
        interventions.hold,
        (RUNNING, PAUSED),
        is_grave=True,
    ),
    Verb(
        "to-bot",
        Intervention.HAND_SEAT_TO_BOT,
        "Hand a seat to a bot",
        "The player loses the seat; a bot plays it to the end. "
        "Their submissions that are not revealed yet no longer count, votes ahead included; their drafts are deleted.",
        seat_acts.hand_seat_to_bot,
        BEGUN,
        SeatForm,
        is_grave=True,
    ),
    Verb(
        "to-user",
        Intervention.HAND_SEAT_TO_USER,
        "Hand a seat to a player",
        "Submissions of this seat that are not revealed yet no longer count, votes ahead included; its drafts are "
        "deleted. "
        "If the seat must decide now, they get an email.",
        seat_acts.hand_seat_to_user,
        BEGUN,
        HandOverForm,
        is_grave=True,
    ),
    Verb(
        "proxy",
        Intervention.SET_PROXY,
        "Let somebody play a seat for its player",
        "For these days the other account sees the hand and decides; mails about decisions go there, and misses are "
        "excused. The player reads nothing of the seat until they take it back. Results and rating stay theirs.",
        seat_acts.set_stand_in,
        BEGUN,
        ProxyForm,
        is_grave=True,
    ),
    Verb(
        "end-proxy",
        Intervention.END_PROXY,
        "Give a seat back to its player",
        "Whoever plays it for them sees nothing of it any more. What they submitted counts.",
        seat_acts.end_stand_in,
        BEGUN,
        SeatForm,
    ),
    Verb(
        "excuse",
        Intervention.EXCUSE_MISS,
        "Excuse a missed decision",
        "One missed decision of the player in this seat no longer counts against them.",
        seat_acts.excuse_miss,
        (*BEGUN, Status.FINISHED),
        SeatForm,
    ),
    Verb(
        "rewind",
        Intervention.REWIND_TO,
        "Rewind",
        "The game goes back to the start of that phase. "
        "Later submissions no longer count and their players are told; later draws will differ. "
        "A finished game resumes without standings. The log keeps every entry.",
        rewind.rewind_to,
        rewind.REWINDABLE,
        RewindForm,
        is_grave=True,
    ),
    Verb(
        "correct",
        Intervention.CORRECT_MONEY,
        "Put money right",
        "A player or a company gets money from outside the game, or loses it. Everybody reads it in the log and in the "
        "ledger. What was submitted stays; what was done before can no longer be taken back.",
        repairs.correct_money,
        BEGUN,
        CorrectForm,
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
        BEGUN,
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
        (HELD, Status.FINISHED),
    ),
    Verb(
        "remove",
        Intervention.REMOVE_TABLE,
        "Remove this game",
        "The game leaves the list of open games and cannot start. Its page shows the reason. This cannot be undone.",
        interventions.remove_table,
        (Status.WAITING,),
        is_grave=True,
    ),
)
VERBS: Mapping[str, Verb] = {verb.key: verb for verb in _ALL}


def verbs_for(game: Game, moderator: User) -> list[Verb]:
    """The verbs this moderator can use now; none in a game that they play in."""
    if permissions.why_barred(game, moderator):
        return []
    return [verb for verb in _ALL if game.status in verb.statuses and permissions.may(verb.what, moderator)]


def words_of(action: ModeratorAction) -> str:
    """What a moderator did, in words."""
    facts = ", ".join(
        _detail_text(name, value)
        for name, value in action.details.items()
        if name not in LOG_COUNTS and value not in ("", [])
    )
    return f"{verb_words(action.verb)}: {facts}" if facts else verb_words(action.verb)


def verb_words(verb: str) -> str:
    """The label of a `ModeratorAction.verb`."""
    labels = {**ANSWERS, **{what.value: what.label for what in Intervention}}
    return capfirst(labels.get(verb, verb.replace("_", " ")))


def _detail_text(name: str, value: Any) -> str:
    """Users see seats counted from 1."""
    if name in {"seat", "void_seats"}:
        value = [seat + 1 for seat in (value if isinstance(value, list) else [value])]
    if name == "case":
        value = number_of(Case, value)
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if name in UNITS:
        return f"{value} {name.removesuffix('s') if value == 1 else name}"
    label = DETAIL_LABELS.get(name, name.replace("_", " "))
    return f"{label} {value}" if label else str(value)
