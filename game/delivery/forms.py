"""The forms on which people choose what they are told and by which channel: about all games, or about one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from game.delivery import webhooks
from game.outbox import deferred, preferences, push_subscriptions
from game.store.preference_models import Channel, How, Topic

AS_ELSEWHERE = ""
HINTS = {
    Topic.TURN: _(
        "With your position, what happened since your last visit, and the deadline. While a game waits for "
        "players, they see who gets no emails."
    ),
    Topic.REMINDER: _("Once for each decision, and never in your quiet hours."),
    Topic.MISSED: _("What counted instead; and when the caretaker takes your seat."),
    Topic.MENTION: _("If you have not read it within a quarter of an hour."),
    Topic.SEAT: _("A rewound game, a proposal to end it, or another player on your seat."),
    Topic.INVITED: _("By your name, at any pace. Choose under “Invitations” whether others can invite you at all."),
    Topic.STEP: _("Only programs are told."),
}


class Cell(NamedTuple):
    """The choice for one channel; no field where there is nothing to choose."""

    channel: str
    field: BoundField | None


class Row(NamedTuple):
    """A topic with its choice for each channel."""

    label: str
    hint: str
    cells: list[Cell]


class NoticeForm(forms.Form):
    """One choice for each topic and channel; about one game also “as in all games”."""

    def __init__(self, data: Any = None, *, user: User, game_id: int | None = None) -> None:
        super().__init__(data)
        self.user, self.game_id, self.wishes = user, game_id, preferences.wishes_of(user.pk)
        self.ways = _ways(user)
        for topic, channel in self._cells():
            self.fields[_name(topic, channel)] = self._field(topic, channel)

    def _cells(self) -> list[tuple[Topic, Channel]]:
        """What there is to choose."""
        return [(topic, way) for topic in self.topics() for way in self.ways if preferences.offered(topic, way)]

    def _field(self, topic: Topic, channel: Channel) -> forms.ChoiceField:
        choices: list[tuple[str, Any]] = [(how.value, how.label) for how in preferences.offered(topic, channel)]
        held = self.wishes.how(topic, channel, None)
        own = self.wishes.own(topic, channel, self.game_id)
        if self.game_id is not None:
            label = _("As in all games (%(how)s)") % {"how": held.label}
            choices.insert(0, (AS_ELSEWHERE, label))
            initial = own.value if own else AS_ELSEWHERE
        else:
            initial = held.value
        field = forms.ChoiceField(choices=choices, initial=initial, required=self.game_id is None)
        field.widget.attrs["aria-label"] = f"{topic.label}: {channel.label}"
        return field

    def channels(self) -> list[str]:
        """The heads of the columns."""
        return [str(channel.label) for channel in self.ways]

    def topics(self) -> list[Topic]:
        """Those of which one of the channels tells. Nobody is invited to a game of their own."""
        told = [topic for topic in Topic if any(preferences.offered(topic, channel) for channel in self.ways)]
        return [topic for topic in told if self.game_id is None or topic != Topic.INVITED]

    def rows(self) -> Iterator[Row]:
        """Every topic with a cell for each channel."""
        for topic in self.topics():
            cells = [Cell(str(channel.label), self._choice(topic, channel)) for channel in self.ways]
            yield Row(str(topic.label), str(HINTS.get(topic, "")), cells)

    def _choice(self, topic: Topic, channel: Channel) -> BoundField | None:
        name = _name(topic, channel)
        return self[name] if name in self.fields else None

    def save(self) -> None:
        chosen = {
            (topic, channel): How(how) if (how := self.cleaned_data[_name(topic, channel)]) else None
            for topic, channel in self._cells()
        }
        preferences.choose(user_id=self.user.pk, game_id=self.game_id, chosen=chosen)


class HoursForm(forms.ModelForm[User]):
    """The hours of the person's day."""

    class Meta:
        model = User
        fields = ["quiet_from", "quiet_until", "digest_hour"]
        labels = {
            "quiet_from": _("Quiet from"),
            "quiet_until": _("Quiet until"),
            "digest_hour": _("Daily digest at"),
        }
        help_texts = {
            "quiet_from": _(
                "No reminder comes in your quiet hours. Browser notifications wait for their end, except those of a "
                "fast game that is running."
            ),
            "quiet_until": _("Choose the same hour twice for no quiet hours."),
            "digest_hour": _("One email about everything you chose for the digest."),
        }

    def save(self, commit: bool = True) -> User:
        """What waits for one of these hours follows."""
        user: User = super().save(commit=commit)
        if self.changed_data:
            deferred.follow_hours(user=user)
        return user


def _ways(user: User) -> list[Channel]:
    """By what this person can be told: webhooks are listed for those who have one."""
    is_there = {
        Channel.MAIL: True,
        Channel.PUSH: push_subscriptions.is_offered(),
        Channel.HOOK: webhooks.webhooks_of(user).exists(),
    }
    return [channel for channel in Channel if is_there[channel]]


def _name(topic: Topic, channel: Channel) -> str:
    return f"{topic}-{channel}"
