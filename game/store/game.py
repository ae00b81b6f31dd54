"""Games, with their packed positions, and their seats."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import datetime
from hashlib import sha256
from typing import Any

import msgspec
from django.conf import settings
from django.db import connection, models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils.functional import cached_property

from game.deadlines.paces import is_slow
from game.engine import progress
from game.engine.codec import Damaged, Newer, decompress
from game.engine.flow import Phase
from game.engine.language import mark
from game.engine.position import AnyPosition, Cursor
from game.engine.stored import Stored, restore
from game.store.changed_columns import LOCKED
from game.store.created import CreatedGame, sum_of
from game.store.device import SharedSeat
from game.store.packing import Steps, unpack_snapshots, unpack_steps
from game.store.shares import person_of_game

SECRET_BYTES = 32  # twice the minimum that makes guessing the draws hopeless
COPY = "copy"  # value of `lesson` that marks an analysis copy


class Pace(models.TextChoices):
    """How long a phase lasts."""

    LIVE = "live", mark("Live")
    DEMO = "demo", mark("Quick")
    EVENING = "evening", mark("Evening")
    DAILY = "daily", mark("Daily")
    RELAXED = "relaxed", mark("Relaxed")
    CUSTOM = "custom", mark("Custom")
    NO_CLOCK = "none", mark("No clock")


class Status(models.TextChoices):
    """The state of a game; only a running game has a clock."""

    WAITING = "waiting", "waiting for players"
    RUNNING = "running", "running"
    FINISHED = "finished", "finished"
    HELD = "held", "on hold"
    PAUSED = "paused", "paused"
    ABANDONED = "abandoned", "cancelled"


BEGUN = (Status.RUNNING, Status.PAUSED, Status.HELD)


class Keeper(models.TextChoices):
    """Why the caretaker decides for a seat; empty if a person or a bot does."""

    AWAY = "away", "away"
    RESIGNED = "resigned", "resigned"


def new_secret() -> str:
    """A new seed for a game's draws; it never leaves the server before the end of the game."""
    return secrets.token_hex(SECRET_BYTES)


class GameQuerySet(models.QuerySet["Game"]):
    """Queries for games, with the database's time and locks."""

    def on_the_clock(self) -> GameQuerySet:
        """Add `now`, the database's time, so that no process closes a phase by its own clock."""
        return self.annotate(now=Now())

    def by_person(self) -> GameQuerySet:
        """Add `person`, whose share of the workers the game uses."""
        return self.annotate(person=person_of_game())

    def locked(self) -> GameQuerySet:
        """Lock the rows for this transaction, waiting for those that are locked. `now` is the statement's timestamp:
        on PostgreSQL taken before the wait, on SQLite after it."""
        return self.on_the_clock().annotate(**LOCKED).select_for_update(no_key=True)

    def free(self) -> GameQuerySet:
        """Lock the rows for this transaction, skipping those that are locked. SQLite has only one lock."""
        skips = connection.features.has_select_for_update_skip_locked
        return self.locked().select_for_update(no_key=True, skip_locked=skips)


class Game(CreatedGame):
    """One game of a ruleset. Only `game.play.moves` changes its position."""

    name = models.CharField(max_length=60)
    ruleset_version = models.PositiveIntegerField(default=1)
    schema = models.PositiveIntegerField(default=1)
    pace = models.CharField(max_length=8, choices=Pace, default=Pace.DAILY)
    status = models.CharField(max_length=12, choices=Status, default=Status.WAITING)
    is_open = models.BooleanField("anyone may join", default=True)
    is_rated = models.BooleanField("counts for ratings", default=False)
    least_reliability = models.PositiveSmallIntegerField(
        default=0, help_text="Percent of decisions that who joins must have made in time; 0 asks for nothing."
    )
    welcomes_newcomers = models.BooleanField(
        default=True, help_text="Whether people of whom too little is known may join all the same."
    )
    waives_unlocks = models.BooleanField("open to those it is locked to", default=False, db_default=False)
    lesson = models.CharField(max_length=32, blank=True, help_text="A lesson's key, “copy”, or empty: of people.")
    is_learnt = models.BooleanField("lesson taken to its goal", default=False)
    takes_bots = models.BooleanField("bots of other people may join", default=False)
    keeps_clock = models.BooleanField("deadlines even alone against bots", default=False)
    host = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="hosted_games")
    seats_wanted = models.PositiveSmallIntegerField()
    bots = models.JSONField(default=dict, help_text="Seat number to bot: a copy, so that a move reads this row alone.")
    keepers = models.JSONField(
        default=dict, help_text="Seat number to why the caretaker decides for it: a copy, as with bots."
    )
    proxies = models.JSONField(
        default=dict, help_text="Seat number to who plays it for whom until when: a copy, as with bots."
    )
    availability = models.JSONField(
        default=dict, help_text="Seat number to its person's vacations and hours: a copy, as with bots."
    )
    seated_since = models.JSONField(
        default=dict, db_default={}, help_text="Seat number to the version at which it last changed hands."
    )
    proposals = models.JSONField(
        default=dict, db_default={}, help_text="The open proposals by topic, with the votes: `proposals`."
    )
    proposals_made = models.PositiveIntegerField(
        default=0, db_default=0, help_text="How many proposals its players have made."
    )
    pause = models.JSONField(default=dict, help_text="How long players have paused it altogether, and since when.")
    pause_ends_at = models.DateTimeField(null=True, help_text="When the pause ends by itself that players voted for.")
    deserted_at = models.DateTimeField(null=True, help_text="Since when the game is paused because nobody is there.")

    secret = models.CharField(max_length=2 * SECRET_BYTES, default=new_secret, editable=False)
    fixed_sum = models.BinaryField(
        default=bytes, db_default=b"", editable=False, help_text="Of what stays as it is while the game is played."
    )
    past_secrets = models.JSONField(
        default=list, editable=False, help_text="Secrets shown when the game had ended: up to which log entry, which."
    )

    version = models.PositiveIntegerField(default=0, help_text="Grows when a stranger sees something new.")
    entries = models.PositiveIntegerField(default=0, help_text="Length of the log.")
    state = models.BinaryField(default=bytes)
    inputs = models.BinaryField(default=bytes)
    phase_row = models.PositiveSmallIntegerField(null=True)
    phase_name = models.CharField(max_length=40, blank=True)
    phase_serial = models.PositiveIntegerField(default=0)
    branch = models.PositiveIntegerField(default=0)
    turn = models.PositiveSmallIntegerField(default=0)
    trail = models.JSONField(default=list)
    phase_step = models.PositiveIntegerField(
        default=0, help_text="Actions carried out in the open phase, those taken back included."
    )
    earlier = models.BinaryField(default=bytes, help_text="The states before the actions that can be taken back.")
    ready = models.JSONField(default=list)
    reviews = models.BooleanField(default=False)
    seat_states = models.JSONField(
        default=list, help_text="What everybody may know of each seat: none, untouched, submitted, ready."
    )
    bots_due = models.BooleanField(default=False)
    is_archived = models.BooleanField(default=False, help_text="Whether its log has been made small after its end.")
    course = models.JSONField(
        default=list, help_text="Prices and scores at the end of each turn, the current turn last."
    )

    deadline_at = models.DateTimeField(null=True)
    clock_since = models.DateTimeField(null=True, help_text="Since when the clock of the open phase has run.")
    clock = models.JSONField(default=dict, help_text="What moved the deadline of the open phase: see `PhaseClock`.")
    paused_left = models.DurationField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(
        null=True, help_text="Until then no sweep takes it up: somebody is at it, or it has just failed."
    )
    held_reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    stirred_at = models.DateTimeField(
        db_default=Now(), help_text="Before the start: when somebody last did something there, or a player opened it."
    )
    closes_at = models.DateTimeField(
        null=True, help_text="When it is closed because nobody came before the start; its host was told."
    )
    started_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    objects = GameQuerySet.as_manager()
    now: datetime
    person: int
    reader: int | None = None  # key of the account for which it was read, 0 for a visitor
    readers_seat: int | None = None  # their seat in the same statement
    before: dict[str, Any] = {}  # public facts before a moderator's intervention

    class Meta:
        indexes = [
            models.Index(fields=["status", "deadline_at"], name="due_games"),
            models.Index(
                fields=["moved_at"], condition=models.Q(status="running", bots_due=True), name="games_with_idle_bots"
            ),
            models.Index(
                fields=["pause_ends_at"],
                condition=models.Q(pause_ends_at__isnull=False),
                name="pauses_to_end",
            ),
            models.Index(
                fields=["finished_at"],
                condition=models.Q(status="finished", is_archived=False),
                name="games_to_archive",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(status__in=Status.values), name="game_status_is_known"),
            models.CheckConstraint(condition=models.Q(pace__in=Pace.values), name="game_pace_is_known"),
            models.CheckConstraint(
                condition=models.Q(deadline_at=None) | models.Q(status="running"), name="only_running_games_tick"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("game", args=[self.pk])

    @property
    def secret_hash(self) -> str:
        """The fingerprint of the secret, published at the start, so that draws cannot be changed later."""
        return sha256(self.secret.encode()).hexdigest()

    def secret_at(self, number: int) -> str:
        """The secret from which the draws of log entry `number` were made."""
        return next((secret for last, secret in self.past_secrets if number <= last), self.secret)

    @property
    def is_slow(self) -> bool:
        """True if people come and go between decisions, and get emails about them. A clock that cannot be read counts
        as that of the pace, so that lists of games survive it."""
        with suppress(Damaged):
            return is_slow(self.pace, self.read_timing())
        return is_slow(self.pace)

    @property
    def phase(self) -> Phase | None:
        """The open phase, without unpacking the position; None if its number or the options are damaged, so that lists
        of games survive it."""
        with suppress(Damaged):
            rows = self.rules.flow(self.read_options()).rows
            return None if self.phase_row is None or self.phase_row >= len(rows) else rows[self.phase_row].phase
        return None

    @property
    def is_running(self) -> bool:
        """True if it accepts moves."""
        return self.status == Status.RUNNING

    @property
    def is_over(self) -> bool:
        """True if it was played and has ended, with places or, by agreement, without."""
        return self.status == Status.FINISHED or (self.status == Status.ABANDONED and self.has_position)

    @property
    def is_copy(self) -> bool:
        """True if it is an analysis copy of another game's position, in which its host plays every seat."""
        return self.lesson == COPY

    @property
    def is_solo(self) -> bool:
        """True if one account plays, against bots and resigned seats or in a copy alone, so that nobody else waits."""
        resigned = sum(keeper == Keeper.RESIGNED for keeper in self.keepers.values())
        return self.is_copy or self.seats_wanted - len(self.bots) - resigned - self.companions == 1

    @property
    def present_seats(self) -> list[int]:
        """The seats whose votes count: those with a present person whom the rules have not put out of the game."""
        return [number for number in self._attended_seats if self.seat_states[number : number + 1] != [progress.OUT]]

    @property
    def _attended_seats(self) -> list[int]:
        """The seats with a present person: no bots, bot accounts or seats that the caretaker plays."""
        seats = [number for number in range(self.seats_wanted) if not self.is_played_for(number)]
        if not seats or self.is_rated:  # rated games are for people only
            return seats
        bot_accounts = set(self.seats.filter(user__is_bot=True).values_list("number", flat=True))
        return [number for number in seats if number not in bot_accounts]

    @property
    def is_deserted(self) -> bool:
        """True if no person is left: every seat is a bot's, or its person is away or has resigned."""
        return bool(self.keepers) and not self._attended_seats

    def is_played_for(self, seat: int) -> bool:
        """True if a bot or the caretaker decides for a seat."""
        return str(seat) in self.bots or str(seat) in self.keepers

    def has_stand_in(self, seat: int) -> bool:
        """True if somebody plays a seat for its owner."""
        return str(seat) in self.proxies

    def seat_owned_by(self, user_id: int | None) -> int | None:
        """The seat of this person that a stand-in plays now."""
        return self._seat_with_proxy("owner", user_id)

    def seat_stood_in_by(self, user_id: int | None) -> int | None:
        """The seat that this person plays now for its owner."""
        return self._seat_with_proxy("user", user_id)

    def _seat_with_proxy(self, role: str, user_id: int | None) -> int | None:
        return next((int(number) for number, entry in self.proxies.items() if entry[role] == user_id), None)

    @property
    def calls_bots(self) -> bool:
        """True if a bot or the caretaker must decide."""
        return any(map(self.is_played_for, self.waiting_seats))

    @property
    def is_untimed(self) -> bool:
        """True if no decision has a deadline: a solo game whose host wanted no clock."""
        return self.is_solo and not self.keeps_clock

    @property
    def has_position(self) -> bool:
        """True if it was ever started."""
        return bool(self.state)

    @property
    def waiting_seats(self) -> list[int]:
        """The seats that must decide. Readers are shown `shown_waiting` instead."""
        return progress.waiting_among(self.seat_states)

    def shown_states(self, viewer: int | None) -> list[str]:
        """The states of the seats as the reader in seat `viewer` may know them."""
        return progress.hide_others(self.seat_states, self.phase, viewer)

    def shown_waiting(self, viewer: int | None) -> list[int]:
        """The seats that must decide, of those that the reader in seat `viewer` may know of."""
        return progress.waiting_among(self.shown_states(viewer))

    @property
    def timed_seats(self) -> list[int]:
        """The seats whose absences move the deadline: in a phase that asks in secret all of them."""
        is_secret = self.phase is not None and self.phase.asks_in_secret
        return list(range(len(self.seat_states))) if is_secret else self.waiting_seats

    @cached_property
    def archived_snapshots(self) -> dict[int, Stored]:
        """The starts of phases that were packed after the end of the game, by the log entry that opened them. Those in
        a damaged pack are missing."""
        snapshots: dict[int, Stored] = {}
        for packed in self.packed_snapshots.values_list("packed", flat=True):
            with suppress(Damaged):
                snapshots |= unpack_snapshots(bytes(packed))
        return snapshots

    @cached_property
    def packed_steps(self) -> Steps:
        """The part of its log that was packed after its end. Steps in a damaged packed log are missing."""
        steps = Steps()
        for packed in self.packed_logs.order_by("number").values_list("packed", flat=True) if self.is_archived else ():
            with suppress(Damaged):
                steps.add(unpack_steps(bytes(packed)))
        return steps

    @property
    def is_damaged(self) -> bool:
        """True if what it was created with or its stored position cannot be read."""
        return bool(self.damage)

    @property
    def damage(self) -> str:
        """The damage of its rules, options, clock or stored position, as a text; empty if all can be read."""
        try:
            if self.has_position:
                self.load_position()
            else:
                self.check_fixed()
        except Damaged as error:
            return str(error)
        except Newer:
            pass
        return ""

    @property
    def is_newer(self) -> bool:
        """True if newer rules than these have moved it."""
        rules = self.rules
        return self.has_position and (self.schema > rules.schema or self.ruleset_version > rules.version)

    def compute_fixed_sum(self) -> bytes:
        """The checksum of the options and secrets, which no move changes."""
        return sum_of(self.options, self.secret, self.past_secrets)

    def check_fixed(self) -> None:
        """Check by their checksum that the columns which no move changes are those of the start; old games have no
        checksum. Raises `Damaged`."""
        self.check_described()
        sums = (self.fixed_sum, self.compute_fixed_sum), (self.rules_sum, self.compute_rules_sum)
        if any(stored and bytes(stored) != compute() for stored, compute in sums):
            raise Damaged("The rules, options, clock or secret of the game differ from those it was started with.")

    def load_position(self) -> AnyPosition:
        """The stored position, migrated to today's schema. Raises `Damaged` and `Newer`."""
        self.check_fixed()
        cursor = Cursor(self.phase_row, self.phase_serial, self.branch, self.turn, tuple(self.trail), self.phase_step)
        state, inputs = decompress(bytes(self.state)), decompress(bytes(self.inputs), self._covered_columns())
        stored = Stored(state, inputs, cursor, self.ready, self.reviews, self.schema, earlier=bytes(self.earlier))
        return restore(self.rules, stored)

    @property
    def stored_position(self) -> tuple[bytes, ...]:
        """The stored bytes that `load_position` reads."""
        return bytes(self.state), bytes(self.inputs), bytes(self.earlier), self._covered_columns()

    def store_position(self, position: AnyPosition) -> None:
        """Store a position except its state, which the caller packs."""
        cursor = position.cursor
        self.phase_row, self.phase_serial, self.branch = cursor.row, cursor.serial, cursor.branch
        self.turn, self.trail, self.phase_step = cursor.turn, list(cursor.trail), cursor.step
        self.ready, self.reviews = sorted(position.ready), position.reviews
        phase = self.phase
        self.phase_name = phase.name if phase else ""
        self.seat_states = progress.seat_states(position, self.rules.flow_of(position))
        self.inputs = self.rules.codec.pack(position.pending, self._covered_columns())
        self.earlier = self.rules.codec.pack_earlier(position.earlier)

    def _covered_columns(self) -> bytes:
        """The plain columns of a position, covered by the checksum of the inputs, which every move writes.

        A column added later is left out while it has its default, because older checksums do not cover it."""
        place = (self.schema, self.phase_row, self.phase_serial, self.branch, self.turn, self.trail)
        added_later = (self.phase_step,) if self.phase_step else ()
        return msgspec.msgpack.encode((*place, self.ready, self.reviews, self.seat_states, *added_later))


def name_of_seat(username: str | None, name: str, number: int) -> str:
    """The name of a seat's person or bot; a bot account's includes its owner's. In a copy of a position, a seat keeps
    the name that it had."""
    return name or username or f"Seat {number + 1}"


def is_bot_account(name: str) -> bool:
    """True if a seat with this name belongs to a bot account: no other name contains a bracket."""
    return name.endswith("]")


class Seat(SharedSeat):
    """A seat in a game: of a person or a bot; the caretaker may play a person's seat."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="seats")
    bot = models.CharField(max_length=32, blank=True)
    name = models.CharField(max_length=48, blank=True, help_text="A bot’s, with its owner; in a copy anybody’s.")
    keeper = models.CharField("caretaker, because", max_length=8, choices=Keeper, blank=True)
    left_at = models.DateTimeField("away or resigned since", null=True)
    version = models.PositiveIntegerField(default=0, help_text="Grows when only this seat sees something new.")
    seen_version = models.PositiveIntegerField(default=0, help_text="The game's version its person saw last.")
    seen_at = models.DateTimeField(null=True, help_text="When that was new to them.")
    away_version = models.PositiveIntegerField(
        null=True, help_text="The version from which the briefing begins that is on their page; none once put away."
    )
    away_at = models.DateTimeField(null=True, help_text="When they were shown that version.")
    place = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(fields=["game", "user"], name="one_seat_per_person"),
        ]

    def __str__(self) -> str:
        return self.shown_name

    @property
    def shown_name(self) -> str:
        """The person's name, or the bot's."""
        return name_of_seat(self.user.username if self.user else None, self.name, self.number)
