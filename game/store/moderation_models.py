"""Moderators' actions on record, requests that a second person must confirm, and the numbers of rows that staff see: a
keyed permutation of primary keys, so that neither a number nor a gap reveals how many rows are hidden."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Model
from django.db.models.functions import Now
from django.utils.crypto import salted_hmac

from game.store.game import Game


class Intervention(models.TextChoices):
    """What a moderator can do; each has a permission of its own, which superusers grant to people or groups."""

    PAUSE = "pause", "pause a game"
    RESUME = "resume", "resume a paused game"
    EXTEND_DEADLINE = "extend_deadline", "extend a deadline"
    RESOLVE_NOW = "resolve_now", "close a phase before its deadline"
    HOLD = "hold", "put a game on hold"
    RETRY = "retry", "restart a game on hold"
    HAND_SEAT_TO_BOT = "hand_seat_to_bot", "hand a seat to a bot"
    HAND_SEAT_TO_USER = "hand_seat_to_user", "hand a seat to another person"
    SET_PROXY = "set_proxy", "let somebody play a seat for its player for a time"
    END_PROXY = "end_proxy", "give a seat back to the player whom somebody plays it for"
    REWIND_TO = "rewind_to", "rewind a game"
    RESTORE_FROM_LOG = "restore_from_log", "restore a damaged game from its log"
    APPLY_RERUN = "apply_rerun", "put a corrected resolution in place of one"
    CORRECT_MONEY = "correct_money", "put the money of a player or a company right"
    REMOVE_TABLE = "remove_table", "remove a game that has not started"
    CLOSE_ACCOUNT = "close_account", "close an account"
    CHANGE_IDENTITY = "change_identity", "change the name or the address of an account"
    TAKE_SECOND_FACTOR = "take_second_factor", "take the second factors of an account away"
    LIFT_BOUNCE = "lift_bounce", "send mail again to an address that refused it"
    CHANGE_POWERS = "change_powers", "make somebody staff or a superuser, or change their groups"
    REMOVE_MESSAGE = "remove_message", "remove a reported message"
    SILENCE = "silence", "silence a player in all chats for a time"
    CLOSE_REPORT = "close_report", "close a report without more"
    HANDLE_CASES = "handle_cases", "work on cases"
    WARN = "warn", "warn a player"
    BAR_FROM_JOINING = "bar_from_joining", "keep a player from joining games for a time"
    BAN = "ban", "ban a player"
    LIFT_SANCTION = "lift_sanction", "end a sanction early"
    EXCUSE_MISS = "excuse_miss", "excuse a missed decision"
    READ_SECRETS = "read_secrets", "read sealed orders and hands of a running game"
    EXPORT_BUNDLE = "export_bundle", "export a game for engineers"
    COMPARE_PLAYERS = "compare_players", "compare what two players did"
    LINK_PLAYERS = "link_players", "record or end that two players share a home or a connection"
    SET_BANNER = "set_banner", "put a banner on every page"
    STOP_RESOLVING = "stop_resolving", "stop all deadlines of the site, and let them run again"
    SWITCH_FEATURES = "switch_features", "switch parts of the site off and on"
    SHIFT_DEADLINES = "shift_deadlines", "move the deadlines of all running games"

    @property
    def permission(self) -> str:
        """The name of the permission in Django."""
        return f"game.can_{self.value}"


PERMISSIONS = tuple((f"can_{intervention.value}", f"Can {intervention.label}") for intervention in Intervention)


APPEND_ONLY = "The record of the moderators is only added to."


class RecordQuerySet(models.QuerySet["ModeratorAction"]):
    """An append-only record; the database enforces it too, see `game.moderation.name_erasure`."""

    def update(self, **_: Any) -> int:
        raise TypeError(APPEND_ONLY)

    def rewrite(self, **words: Any) -> int:
        """Replace texts by ones without an erased name: only within `game.moderation.name_erasure.allow_erasure`."""
        return super().update(**words)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError(APPEND_ONLY)


class ModeratorAction(models.Model):
    """A moderator's action with its reason. `verb` is an `Intervention`, or says that a request was answered. `before`
    and `after` are the public facts about the game."""

    game = models.ForeignKey(Game, models.SET_NULL, null=True, related_name="moderation")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    verb = models.CharField(max_length=32)
    reason = models.CharField(max_length=300)
    details = models.JSONField(default=dict)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())

    objects = RecordQuerySet.as_manager()

    class Meta:
        ordering = ["-at"]
        permissions = PERMISSIONS

    def __str__(self) -> str:
        return f"{self.verb}: {self.reason}"

    def save(self, **more: Any) -> None:
        if not self._state.adding:
            raise TypeError(APPEND_ONLY)
        super().save(**more)

    def delete(self, using: Any = None, keep_parents: bool = False) -> tuple[int, dict[str, int]]:
        raise TypeError(APPEND_ONLY)


class ApprovalRequest(models.Model):
    """An intervention that one moderator requests and another one confirms; nothing happens until then.

    `asked` are the arguments for the service, without the reason. `ends_at` is when the confirmed permission expires;
    `told_at` is when the players were notified."""

    class Answer(models.TextChoices):
        WAITING = "", "waiting for a second person"
        CONFIRMED = "confirmed"
        REFUSED = "refused"
        WITHDRAWN = "withdrawn"

    what = models.CharField(max_length=32, choices=Intervention)
    game = models.ForeignKey(Game, models.CASCADE, null=True, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+")
    asker = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)
    asked = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True, default=Answer.WAITING)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    answered_at = models.DateTimeField(null=True)
    ends_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "game_secondopinion"
        verbose_name = "request for a second person"
        verbose_name_plural = "requests for a second person"
        ordering = ["-id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(answer="")
                | models.Q(answered_by=None)
                | models.Q(answer="withdrawn")
                | ~models.Q(answered_by=models.F("asker")),
                name="nobody_confirms_their_own_request",
            )
        ]
        indexes = [
            models.Index(
                fields=["game"],
                condition=models.Q(what="read_secrets", answer="confirmed", told_at=None),
                name="secret_views_to_tell",
            )
        ]

    def __str__(self) -> str:
        return f"{self.get_what_display()}: {self.reason}"


NUMBERED_AS = {"game.ApprovalRequest": "game.SecondOpinion"}
"""Former names of models whose numbers stand in emails that are still to be answered."""
HALF, ROUNDS = 16, 4  # bits and rounds of a Feistel network, a permutation of all 32-bit numbers
MOST = (1 << 2 * HALF) - 1


def number_of(model: type[Model] | Model, key: int) -> int:
    """The number shown for a row's key. Raises `ValueError` for an invalid key."""
    left, right = _split(key)
    for turn in range(ROUNDS):
        left, right = right, left ^ _round_function(model, turn, right)
    return left << HALF | right


def key_of(model: type[Model] | Model, number: int) -> int:
    """The key of a shown number. Raises `ValueError` for an invalid number."""
    left, right = _split(number)
    for turn in reversed(range(ROUNDS)):
        left, right = right ^ _round_function(model, turn, left), left
    return left << HALF | right


def _round_function(model: type[Model] | Model, turn: int, half: int) -> int:
    label = model._meta.label
    salt = f"game.store.numbers/{NUMBERED_AS.get(label, label)}/{turn}"
    return int.from_bytes(salted_hmac(salt, str(half), algorithm="sha256").digest()[: HALF // 8])


def _split(number: int) -> tuple[int, int]:
    if not 0 <= number <= MOST:
        raise ValueError(f"{number} has more than {2 * HALF} bits.")
    return number >> HALF, number & (1 << HALF) - 1
