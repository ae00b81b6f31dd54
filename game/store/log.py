"""The append-only log, drafts and notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from game.engine.codec import Damaged, compress
from game.engine.stored import Stored, restore
from game.store.game import Game, Seat
from game.store.log_notes import Note
from game.store.packing import MARK, PackedColumns, pack_snapshot, unpack_draws, unpack_snapshot

if TYPE_CHECKING:
    from game.engine.draws import Draw
    from game.engine.events import Event
    from game.engine.position import AnyPosition


def whole_events(game: Game, events: str) -> str:
    """The events of an entry."""
    entry = _packed_entry(game, events)
    return entry.events if entry else events


def whole_action(game: Game, action: bytes) -> bytes:
    """The stored action of an entry."""
    return _whole(game, action, "action")


def whole_transfers(game: Game, transfers: bytes) -> bytes:
    """The stored movements of money of an entry."""
    return _whole(game, transfers, "transfers")


def whole_draws(game: Game, draws: bytes) -> bytes:
    """The stored draws of an entry."""
    return _whole(game, draws, "draws")


def _whole(game: Game, stored: bytes, part: str) -> bytes:
    entry = _packed_entry(game, stored.decode()) if stored.startswith(MARK.encode()) else None
    packed: bytes | None = getattr(entry, part) if entry else None
    return stored if packed is None else compress(packed)


def _packed_entry(game: Game, stored: str) -> PackedColumns | None:
    """The packed columns of the entry whose mark is stored in its row."""
    number = stored.removeprefix(MARK)
    is_away = stored.startswith(MARK) and number.isdecimal()
    return game.packed_steps.columns.get(int(number)) if is_away else None


class Kind(models.TextChoices):
    """What caused a log entry."""

    START = "start"
    SUBMIT = "submit"
    DRAFT = "draft", "draft of an absent player"
    CLOSE = "close", "deadline"
    CLOCK = "clock", "deadline moved"
    MODERATION = "moderation"
    REWIND = "rewind"
    RERUN = "rerun", "corrected resolution"
    HANDOVER = "handover", "seat changed hands"
    RESIGN = "resign", "seat given up"
    VOTED_OUT = "voted out", "seat voted out"
    KEEPER = "keeper", "caretaker comes or goes"
    ENDING = "ending", "end by agreement"
    PAUSE = "pause", "pause or more time"
    RULES = "rules", "newer rules"


class LoggedAction(models.Model):
    """One step of a game. `action` may be sealed and is never shown; people read `events` through `read_events`.
    `transfers` are the packed movements of money, read by `game.history.ledger`. `draws` are the packed draws, read by
    `game.history.draws` and hidden until the end. `serial`, `turn` and `phase_name` are those of the phase in which the
    step was taken; `snapshot` is the start of the phase it opened, until it is packed with others after the end of the
    game. An entry that `is_undone` (an undone action or its undo) stays in the log and is left out of the story."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="log", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    branch = models.PositiveIntegerField()
    serial = models.PositiveIntegerField()
    turn = models.PositiveSmallIntegerField()
    phase_name = models.CharField(max_length=40, blank=True)
    seat = models.PositiveSmallIntegerField(null=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    step = models.PositiveIntegerField(
        null=True, help_text="Which action of its phase it was, where seats act one after another."
    )
    is_undone = models.BooleanField(default=False, help_text="Whether its seat took it back.")
    action = models.BinaryField(null=True)
    events = models.TextField(blank=True)
    transfers = models.BinaryField(null=True)
    draws = models.BinaryField(null=True, help_text="Empty where nothing was drawn; none where nobody wrote it down.")
    note = models.CharField(
        max_length=300,
        blank=True,
        help_text="In English: for the desk's search, and for releases before notes had ids.",
    )
    remark = models.JSONField(null=True, help_text="The note by the id of its sentence: `log_notes.Note`.")
    snapshot = models.BinaryField(null=True)
    opened_serial = models.PositiveIntegerField(null=True)
    asks = models.JSONField(
        null=True, help_text="Seats whose decision it opened: the outbox entry, written with the move."
    )
    is_told = models.BooleanField(default=True, help_text="Whether `asks` has become notices.")
    back_to = models.PositiveIntegerField(null=True, help_text="The entry whose snapshot a rewind went back to.")
    token = models.CharField(max_length=64, blank=True)
    fingerprint = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField()

    class Meta:
        verbose_name = "log entry"
        verbose_name_plural = "log entries"
        ordering = ["game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_entry_per_number"),
            models.UniqueConstraint(
                fields=["game", "seat", "serial", "user", "token"],
                condition=~models.Q(token=""),
                name="one_submission_per_token",
            ),
        ]
        indexes = [models.Index(fields=["id"], condition=models.Q(is_told=False), name="entries_to_tell")]

    def __str__(self) -> str:
        # Its number would count sealed submissions, which must stay hidden.
        return f"{self.game_id}/{self.version} {self.kind}"

    def write_note(self, note: Note) -> None:
        """Give the entry this note."""
        for column, value in note.columns.items():
            setattr(self, column, value)

    def read_action(self) -> Any:
        """The action, for replay only. Raises `Damaged`."""
        return self.game.rules.codec.unpack_action(whole_action(self.game, bytes(self.action))) if self.action else None

    def read_draws(self) -> list[Draw] | None:
        """The draws; None if they were not recorded. Raises `Damaged`."""
        return None if self.draws is None else unpack_draws(whole_draws(self.game, bytes(self.draws)))

    def unpack(self) -> bool:
        """Restore the columns that were packed away. False if there were none, or their packed log is damaged."""
        before = (self.events, self.action, self.transfers, self.draws)
        self.events = whole_events(self.game, self.events)
        self.action = self.action and whole_action(self.game, bytes(self.action))
        self.transfers = self.transfers and whole_transfers(self.game, bytes(self.transfers))
        self.draws = self.draws and whole_draws(self.game, bytes(self.draws))
        return before != (self.events, self.action, self.transfers, self.draws)

    def read_all_events(self) -> list[Event]:
        """All events, including hidden ones: filter them with `read_events` before showing them. Raises `Damaged`."""
        return self.game.rules.codec.decode_events(whole_events(self.game, self.events)) if self.events else []

    def read_stored(self) -> Stored | None:
        """The start of the phase this entry opened, as stored at that time. Raises `Damaged`."""
        if self.snapshot:
            return unpack_snapshot(bytes(self.snapshot))
        if self.opened_serial is None:
            return None
        if self.number not in self.game.archived_snapshots:
            raise Damaged(f"The start of the phase that entry {self.number} opened cannot be read.")
        return self.game.archived_snapshots[self.number]

    def write_snapshot(self, position: AnyPosition) -> None:
        """Store the position at the start of the phase this entry opened."""
        rules = self.game.rules
        self.snapshot = pack_snapshot(rules, position, rules.codec.pack(position.state))
        LoggedAction.objects.filter(pk=self.pk).update(snapshot=self.snapshot)

    def read_snapshot(self) -> AnyPosition | None:
        """The position at the start of the phase this entry opened, migrated to today's schema. Raises `Damaged`."""
        stored = self.read_stored()
        return restore(self.game.rules, stored) if stored else None


class PackedSnapshots(models.Model):
    """Snapshots of a finished game's phases, packed together, which takes a twentieth of the space."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="packed_snapshots", db_index=False)
    first = models.PositiveIntegerField(help_text="The log entry that opened the first of these phases.")
    packed = models.BinaryField()

    class Meta:
        db_table = "game_bundle"
        constraints = [models.UniqueConstraint(fields=["game", "first"], name="one_bundle_per_stretch")]

    def __str__(self) -> str:
        return f"starts of {self.game_id} from {self.first}"


class PackedLog(models.Model):
    """Log entries of a finished game, packed together: see `game.store.packing`."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="packed_logs", db_index=False)
    number = models.PositiveSmallIntegerField(help_text="From 0; a game that was damaged may have several.")
    packed = models.BinaryField()

    class Meta:
        db_table = "game_volume"
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_volume_per_number")]

    def __str__(self) -> str:
        return f"steps of {self.game_id}, pack {self.number}"


class DraftQuerySet(models.QuerySet["Draft"]):
    """Drafts, in time or late."""

    def in_time(self) -> DraftQuerySet:
        """Drafts saved before the current deadline; all of them if there is none."""
        deadline = models.F("seat__game__deadline_at")
        return self.filter(models.Q(seat__game__deadline_at=None) | models.Q(saved_at__lte=deadline))

    def of_player(self, seat: int, user: int, serial: int) -> DraftQuerySet:
        """The drafts of a seat in a phase that count, newest first; none once somebody else has the seat."""
        own = self.in_time().filter(seat_id=seat, seat__user_id=user, serial=serial)
        return own.order_by(*Draft.NEWEST)


class Draft(models.Model):
    """A seat's unsubmitted decision in one phase; only its player sees it. A late draft is stored in addition to the
    earlier one, and is in time once the deadline has moved past it."""

    NEWEST = ("-saved_at", "-pk")

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="drafts")
    serial = models.PositiveIntegerField()
    content = models.JSONField(default=list)
    saved_at = models.DateTimeField(db_default=Now())
    is_sent = models.BooleanField(default=False, help_text="Whether it was submitted, after the deadline.")

    objects = DraftQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["seat", "serial"], name="drafts_of_a_phase")]

    def __str__(self) -> str:
        return f"draft of {self.seat_id} for {self.serial}"


class Channel(models.TextChoices):
    """A channel of notifications. `game.delivery.notice_sending` delivers email and browser notifications; webhooks
    have messages of their own."""

    MAIL = "mail", _("Email")
    PUSH = "push", _("Browser")
    HOOK = "hook", _("Webhooks")


def kinds_of_notices() -> list[tuple[str, Any]]:
    """The choices of a notice's kind. Migrations name this function, so that a new kind needs no migration."""
    return Notice.Kind.choices


class Notice(models.Model):
    """A notification for a player by one channel: composed when it is sent, cancelled if it is out of date. Invited
    people have no seat yet, so their notices refer to the seat of the host."""

    class Kind(models.TextChoices):
        TURN = "turn", "a decision"
        REMINDER = "reminder"
        STARTED = "started"
        FINISHED = "finished"
        VOID = "void", "submissions no longer count"
        AWAY = "away", "the caretaker plays for you"
        KEPT = "kept", "the caretaker plays for your stand-in"
        REPLACED = "replaced", "somebody took your seat"
        MENTION = "mention", "mentioned in the chat"
        ENDING = "ending", "somebody proposes to end the game or to vote somebody out"
        MISSED = "missed", "a decision was missed"
        VOTE = "vote", "somebody proposes to pause, or to go on"
        PAUSED = "paused", "the game is paused"
        RESUMED = "resumed", "the game goes on"
        PROXIED = "proxied", "somebody plays your seat for you"
        STANDS_IN = "stands in", "you play for somebody"
        RETURNED = "returned", "your seat is yours again"
        STOOD_IN = "stood in", "you play for somebody no more"
        HELD = "held", "the game is on hold"
        REWIND = "rewind", "a moderator asks whether to rewind the game"
        MOVED = "moved", "a deadline moved after its reminder"
        BOUNCED = "bounced", "mail came back"
        INVITED = "invited", "invited to a game by name"
        CLOSING = "closing", "a game that has not begun will be closed"
        CLOSED = "closed", "a game was closed before it began"

    ASKING = frozenset({Kind.TURN, Kind.REMINDER, Kind.MOVED})
    """Kinds for players who must decide."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="notices")
    seat = models.ForeignKey(Seat, models.CASCADE, related_name="notices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=10, choices=kinds_of_notices)
    serial = models.PositiveIntegerField(help_text="Of the phase or of its subject, by its kind.")
    channel = models.CharField(max_length=10, choices=Channel, default=Channel.MAIL)
    due_at = models.DateTimeField()
    in_digest = models.BooleanField(default=False, help_text="Whether it waits for its reader's hour.")
    is_pressing = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Whether everybody waits for its reader alone.",
    )
    handed_at = models.DateTimeField(
        null=True, help_text="When it was given to the channel; without an answer it is never given again."
    )
    sent_at = models.DateTimeField(null=True)
    cancelled_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    trouble = models.CharField(max_length=200, blank=True, help_text="The last answer of the mail server.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "kind", "serial", "channel"], name="one_notice_per_occasion")
        ]
        ordering = ["-id"]
        indexes = [
            models.Index(
                fields=["due_at"],
                condition=models.Q(handed_at=None, sent_at=None, cancelled_at=None),
                name="notices_to_send",
            ),
            models.Index(fields=["user", "handed_at"], name="notices_by_reader"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} for {self.user_id}"
