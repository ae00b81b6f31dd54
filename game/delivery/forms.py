"""Forms for notification preferences by topic and channel: for all games, or for one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from game.delivery import webhooks
from game.outbox import preferences, push_subscriptions, status_notices
from game.outbox.models import NoticeTiming, Topic
from game.store.log import Channel

AS_IN_ALL_GAMES = ""
HINTS = {
    Topic.TURN: _(
        "With your position, the news since your last visit, and the deadline. While a game waits for "
        "players, they see who gets no emails."
    ),
    Topic.REMINDER: _("Once for each decision, and never in your quiet hours."),
    Topic.MISSED: _("What counted instead, and when the caretaker takes your seat."),
    Topic.MENTION: _("If you have not read it within a quarter of an hour."),
    Topic.SEAT: _("A rewound game, a proposal to end it, or another player on your seat."),
    Topic.INVITED: _("By your name, at any pace. Under “Invitations” you choose whether others can invite you at all."),
    Topic.STEP: _("Only programs get this."),
}


class Cell(NamedTuple):
    """The choice for one channel; no field if there is nothing to choose."""

    channel: str
    field: BoundField | None


class Row(NamedTuple):
    """A topic and its choice for each channel."""

    label: str
    hint: str
    cells: list[Cell]


class NoticeForm(forms.Form):
    """A choice for each topic and channel; for one game also “as in all games”."""

    def __init__(self, data: Any = None, *, user: User, game_id: int | None = None) -> None:
        super().__init__(data)
        self.user, self.game_id, self.preferences = user, game_id, preferences.preferences_of(user.pk)
        self.ways = _channels_of(user)
        for topic, channel in self._cells():
            self.fields[_field_name(topic, channel)] = self._field(topic, channel)

    def _cells(self) -> list[tuple[Topic, Channel]]:
        """The topics and channels to choose for."""
        return [(topic, way) for topic in self.topics() for way in self.ways if preferences.offered(topic, way)]

    def _field(self, topic: Topic, channel: Channel) -> forms.ChoiceField:
        choices: list[tuple[str, Any]] = [(how.value, how.label) for how in preferences.offered(topic, channel)]
        general = self.preferences.how(topic, channel, None)
        of_this_game = self.preferences.own(topic, channel, self.game_id)
        if self.game_id is not None:
            label = _("As in all games (%(how)s)") % {"how": general.label}
            choices.insert(0, (AS_IN_ALL_GAMES, label))
            initial = of_this_game.value if of_this_game else AS_IN_ALL_GAMES
        else:
            initial = general.value
        field = forms.ChoiceField(choices=choices, initial=initial, required=self.game_id is None)
        field.widget.attrs["aria-label"] = f"{topic.label}: {channel.label}"
        return field

    def channels(self) -> list[str]:
        """The column headings."""
        return [str(channel.label) for channel in self.ways]

    def topics(self) -> list[Topic]:
        """Topics that at least one channel offers. Nobody is invited to a game of their own."""
        offered = [topic for topic in Topic if any(preferences.offered(topic, channel) for channel in self.ways)]
        return [topic for topic in offered if self.game_id is None or topic != Topic.INVITED]

    def rows(self) -> Iterator[Row]:
        """Every topic with a cell for each channel."""
        for topic in self.topics():
            cells = [Cell(str(channel.label), self._choice(topic, channel)) for channel in self.ways]
            yield Row(str(topic.label), str(HINTS.get(topic, "")), cells)

    def _choice(self, topic: Topic, channel: Channel) -> BoundField | None:
        name = _field_name(topic, channel)
        return self[name] if name in self.fields else None

    def save(self) -> None:
        choices = {
            (topic, channel): NoticeTiming(how) if (how := self.cleaned_data[_field_name(topic, channel)]) else None
            for topic, channel in self._cells()
        }
        preferences.choose(user_id=self.user.pk, game_id=self.game_id, chosen=choices)


class HoursForm(forms.ModelForm[User]):
    """The person's quiet hours and digest hour."""

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
            "quiet_until": _("For no quiet hours, choose the same hour twice."),
            "digest_hour": _("One email about everything you chose for the digest."),
        }

    def save(self, commit: bool = True) -> User:
        """Save, and reschedule the notices that wait for one of these hours."""
        user: User = super().save(commit=commit)
        if self.changed_data:
            status_notices.reschedule(user=user)
        return user


def _channels_of(user: User) -> list[Channel]:
    """The channels this person can choose; webhooks only if they have one."""
    is_available = {
        Channel.MAIL: True,
        Channel.PUSH: push_subscriptions.is_offered(),
        Channel.HOOK: webhooks.webhooks_of(user).exists(),
    }
    return [channel for channel in Channel if is_available[channel]]


def _field_name(topic: Topic, channel: Channel) -> str:
    return f"{topic}-{channel}"
