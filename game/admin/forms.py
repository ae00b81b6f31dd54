"""The forms of the desk: a reason, a decision about a person, and the further fields of each moderators' verb."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.utils import timezone

from game.deadlines.paces import timing_words
from game.engine.codec import Damaged, Newer
from game.engine.language import apart
from game.moderation import cases, chat_moderation, interventions, permissions, repairs, rewind, seat_acts
from game.store.case_models import Case
from game.store.game import Game
from game.store.moderation_models import MOST, key_of
from game.store.readers import seats_of
from game.templatetags.times import local_words

LARGEST_INTEGER = 2**31 - 1  # what the columns hold
NO_VERSION = dict.fromkeys(
    ("required", "invalid", "min_value", "max_value"),
    "This form does not say which version of the game it is about: reload it.",
)


def reason_field(label: str = "Reason") -> forms.CharField:
    """A field for the reason; the label says who reads it besides moderators."""
    widget = forms.TextInput(attrs={"class": "vTextField", "autocomplete": "off"})
    return forms.CharField(label=label, max_length=permissions.LONGEST_REASON, widget=widget)


class WhyForm(forms.Form):
    reason = reason_field()


class DecisionForm(WhyForm):
    """A decision about a person, who reads the reason."""

    reason = reason_field("Reason, mailed to the person")
    case = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST,
        help_text="The number of the case that this decides, if any; needed while they are suspected of collusion.",
    )
    exculpatory = forms.CharField(
        required=False, max_length=cases.MOST_TEXT, label="Facts in their favour",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Needed where the case is about collusion or a detector opened it.",
    )  # fmt: skip

    def clean_case(self) -> Case | None:
        """Check only that it is a number: the service tells those who may know whether the case exists."""
        number = self.cleaned_data["case"]
        return Case(pk=key_of(Case, number)) if number else None


class SilenceForm(WhyForm):
    hours = forms.IntegerField(
        label="Hours",
        min_value=0,
        max_value=chat_moderation.MOST_HOURS,
        initial=24,
        help_text="24 is a day, 168 a week. 0 lets the player write again at once.",
    )


class ReasonForm(forms.Form):
    """The fields of every verb, and the state of the game when the form was made."""

    version = forms.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, widget=forms.HiddenInput, error_messages=NO_VERSION
    )
    serial = forms.IntegerField(
        min_value=0, max_value=LARGEST_INTEGER, widget=forms.HiddenInput, error_messages=NO_VERSION
    )

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
    username = forms.CharField(
        label="Goes to",
        max_length=24,
        help_text="The name of an account that has no seat here.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    may_be_bot = True


class StandInForm(SeatForm):
    """The seat, the person who plays it, and the number of days."""

    username = forms.CharField(
        label="Played by",
        max_length=24,
        help_text="The name of an account that has no seat here.",
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    days = forms.IntegerField(label="Days", min_value=1, max_value=seat_acts.MOST_DAYS, initial=7)


class CorrectForm(ReasonForm):
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
        choices = [
            (account, whose if account.startswith("cash:") else f"treasury of {whose}")
            for account, whose in accounts.items()
        ]
        self.fields["account"].choices = choices  # type: ignore[attr-defined]
        if not choices:
            self.fields["account"].help_text = f"{game.rules.title} has no money to put right."


class RewindForm(ReasonForm):
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
