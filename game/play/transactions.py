"""Unit of work for one locked game: load the position, apply steps, write everything back once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import msgspec
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, connection, models
from django.db.models import Case, F, IntegerField, Max, Value, When

from game.engine import correcting, leaving, names, referee
from game.engine.actions import Action, Correction, Refused
from game.engine.chance import Chance
from game.engine.codec import Damaged, Newer
from game.engine.events import ActionTakenBack
from game.engine.flow import Mode, Phase
from game.engine.offers import Offer
from game.engine.play import Outcome, run_recorded
from game.engine.position import AnyPosition, without_inputs
from game.engine.progress import NOT_ASKED
from game.infra import metrics
from game.live import announce
from game.outbox import notices
from game.play import clocks, devices, door, tenures
from game.play.batch import ClosingBatch
from game.store import board_rows, eyes
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from game.store.log_notes import Note, Sentence, columns_of
from game.store.packing import pack_draws, pack_snapshot, pack_transfers
from game.store.rule_limits import Budget, OverBudget

P = ParamSpec("P")
T = TypeVar("T")
LEAVING_KINDS = (Kind.RESIGN, Kind.VOTED_OUT)
SUBMISSION_KINDS = (Kind.SUBMIT, Kind.DRAFT)
# Written by each step, so that games closed together share a statement; other columns where they differ.
STEP_COLUMNS = (
    "version", "entries", "inputs", "ready", "seat_states", "bots_due", "attempts", "not_before", "moved_at",
)  # fmt: skip
PHASE_COLUMNS = (
    "state", "phase_row", "phase_name", "phase_serial", "phase_step", "earlier", "branch", "turn", "trail", "reviews",
    "course", "keepers",
    "deadline_at", "clock_since", "clock", "paused_left", "status", "started_at", "finished_at",
    "schema", "ruleset_version", "fixed_sum", "rules_sum",
)  # fmt: skip


class ResolutionError(Exception):
    """The rules failed: a bug, never a player's mistake. The step is discarded. `in_closing`: the failure happened
    while a phase was closing, so it counts against the game; otherwise it concerns one request only."""

    def __init__(self, words: str = "", *, in_closing: bool = True) -> None:
        super().__init__(words)
        self.in_closing = in_closing


class DamageFound(ResolutionError):
    """The game's stored data is damaged, so another attempt would not help."""


class GameTransaction:
    """Changes to one game, inside the database transaction that locked its row. Without `is_read` the position is not
    loaded, and the game can only be rewound."""

    def __init__(self, game: Game, *, is_read: bool = True) -> None:
        if not connection.in_atomic_block:
            raise RuntimeError("A game can be changed only inside a database transaction.")
        self.game = game
        self._budget = Budget()
        self._is_closing = False  # a phase is being closed, or was
        self.rules = self._run(lambda: game.rules)
        if is_read and game.is_newer:
            raise Newer(f"This game was last changed by newer rules, version {game.ruleset_version}.")
        self.before: AnyPosition | None = self._run(game.load_position) if is_read and game.has_position else None
        self._position: AnyPosition | None = self.before
        self.entries: list[LoggedAction] = []
        self._taken_back: set[int] = set()
        self._shows_nothing_yet = False  # the open phase has had no result to show
        self.asked_seats = self._find_asked_seats()
        """The seats of people who had decided when the game was locked, or for whom the phase still waited."""
        self.silent_seats: frozenset[int] = frozenset()
        """The seats of people who had decided nothing when the clock closed the phase."""
        self.batch: ClosingBatch | None = None
        """The prefetched rows when the clock closes the phase."""
        self._viewed: tuple[Any, Callable[[int | None], Any]] | None = None
        self._is_converted = game.schema != self.rules.schema
        self._packed: tuple[Any, bytes] = (None, b"")
        if self.before is not None and not self._is_converted:
            self._packed = (self.before.state, bytes(game.state))

    @property
    def position(self) -> AnyPosition:
        """The current position."""
        assert self._position is not None
        return self._position

    @property
    def is_in_turns(self) -> bool:
        """True if seats act one after another in the open phase."""
        phase = referee.phase_of(self.rules, self.position)
        return phase is not None and phase.mode is Mode.TURNS

    @property
    def serial(self) -> int:
        """The number of the open phase."""
        return self.position.cursor.serial if self._position else 0

    @property
    def asked_in_secret(self) -> bool:
        """True if the phase that was open when the game was locked hides whom it asks. Its decisions do not count for
        reliability, and a miss makes nobody away."""
        phase = referee.phase_of(self.rules, self.before) if self.before is not None else None
        return phase is not None and phase.asks_in_secret

    def begin(self, seats: int) -> None:
        """Set the game up and run it to its first decision."""
        options, reviews = self.game.read_options(), self.game.reviews
        outcome = self._run_drawing(lambda chance: referee.start(self.rules, options, seats, chance, reviews=reviews))
        note = Sentence.DRAWS_SEALED(fingerprint=self.game.secret_hash)
        self.game.ruleset_version = self.rules.version
        self._append(outcome, LoggedAction(kind=Kind.START, **note.columns))

    def begin_at(self, position: AnyPosition, *, note: Note) -> None:
        """Begin at a prepared position."""
        self.game.ruleset_version = self.rules.version
        self._append(Outcome(position), LoggedAction(kind=Kind.START, **note.columns))

    def take(self, action: Action, *, kind: Kind = Kind.SUBMIT, user_id: int | None = None) -> LoggedAction:
        """Apply one action. Raises `Refused`."""
        accepted = self._run_drawing(lambda chance: referee.accept_all(self.rules, self.position, [action], chance))
        draws = accepted.draws
        outcome = self._run_close(lambda chance: referee.close_if_all_ready(self.rules, accepted, chance))
        outcome.draws = [*draws, *outcome.draws]
        here, there = self.position.cursor, outcome.position.cursor
        # Withdrawing an action, or giving one for a later turn, is not a step of the open turn.
        is_step = self.is_in_turns and (there.serial, there.step) != (here.serial, here.step)
        self._taken_back |= {event.step for event in outcome.events if isinstance(event, ActionTakenBack)}
        entry = LoggedAction(kind=kind, seat=action.actor, user_id=user_id, step=here.step if is_step else None)
        entry.action, entry.is_undone = self.rules.codec.pack(action), _is_pure_undo(outcome)
        return self._append(outcome, entry)

    def close(self, *, kind: Kind = Kind.CLOSE, user_id: int | None = None, note: Note | None = None) -> LoggedAction:
        """Close the open phase with the submissions so far."""
        outcome = self._run_close(lambda chance: referee.close(self.rules, self.position, chance))
        seat, step = self._whose_turn(), self.position.cursor.step if self.is_in_turns else None
        return self._append(outcome, LoggedAction(kind=kind, seat=seat, user_id=user_id, step=step, **columns_of(note)))

    def hand_over(self, seat: int, *, user_id: int | None, note: Note) -> None:
        """Delete a seat's sealed submissions, including votes in advance, so that its new owner does not see them."""
        outcome: Outcome[Any] = Outcome(leaving.handed_over(self.position, seat))
        self._append(outcome, LoggedAction(kind=Kind.HANDOVER, seat=seat, user_id=user_id, **note.columns))

    def resign(self, seat: int, *, user_id: int | None, note: Note) -> None:
        """Record that a seat's player resigned: it is placed below all others, and its submissions are void."""
        outcome: Outcome[Any] = Outcome(leaving.resigned(self.position, seat))
        self._append(outcome, LoggedAction(kind=Kind.RESIGN, seat=seat, user_id=user_id, **note.columns))

    def vote_out(self, seat: int, *, user_id: int | None, note: Note) -> None:
        """Record that the others voted a seat out: the rules remove it when the open phase is over."""
        outcome: Outcome[Any] = Outcome(leaving.voted_out(self.position, seat))
        self._append(outcome, LoggedAction(kind=Kind.VOTED_OUT, seat=seat, user_id=user_id, **note.columns))

    def correct(self, correction: Correction, *, user_id: int | None, note: Note) -> None:
        """Apply a moderator's correction of an account's money."""
        outcome = self.corrected(correction)
        entry = LoggedAction(kind=Kind.MODERATION, user_id=user_id, **note.columns)
        entry.action = self.rules.codec.pack(correction)
        self._append(outcome, entry)

    def corrected(self, correction: Correction) -> Outcome[Any]:
        """The position after a correction of money, without applying it."""
        return self._run_drawing(lambda chance: correcting.corrected(self.rules, self.position, correction, chance))

    def replace_position(self, outcome: Outcome[Any], *, user_id: int | None, note: Note) -> None:
        """Replace the position with the outcome of a repeated resolution."""
        self._append(outcome, LoggedAction(kind=Kind.RERUN, user_id=user_id, **note.columns))

    def remark(self, note: Note, *, kind: Kind, seat: int | None = None) -> None:
        """Append a public note to the log."""
        self._append(Outcome(self.position), LoggedAction(kind=kind, seat=seat, **note.columns))

    def rewind_to(self, entry: LoggedAction, *, user_id: int | None, note: Note | None = None) -> None:
        """Return to the start of an earlier phase, on a new branch with new draws; serials never repeat."""
        leaving_entries = LoggedAction.objects.filter(game=self.game, kind__in=[Kind.HANDOVER, *LEAVING_KINDS])
        stored: Any = entry.read_stored()
        position: Any = entry.read_snapshot()
        # Submissions in advance belonged to the player of that time; a player who has resigned since stays away.
        left_since = leaving_entries.filter(number__gt=entry.number).values_list("seat", flat=True)
        rewound = leaving.with_resigned(without_inputs(position, set(left_since)), _resigned_seats(leaving_entries))
        # Read the highest branch and serial from the log, because the position may be damaged.
        highest = LoggedAction.objects.filter(game=self.game).aggregate(
            branch=Max("branch"), serial=Max("opened_serial")
        )
        cursor = msgspec.structs.replace(rewound.cursor, branch=highest["branch"] + 1, serial=highest["serial"] + 1)
        outcome: Outcome[Any] = Outcome(msgspec.structs.replace(rewound, cursor=cursor))
        # Today's rules resolve again what earlier rules had resolved since that phase.
        outcome.events, self.game.ruleset_version = self.rules.changed_since(stored.version), self.rules.version
        self.game.status, self.game.finished_at = Status.RUNNING, None
        self._append(outcome, LoggedAction(kind=Kind.REWIND, user_id=user_id, back_to=entry.number, **columns_of(note)))

    def undo_point(self) -> tuple[AnyPosition, int, int]:
        """The state to which `roll_back` returns, before anything is written."""
        return self.position, len(self.entries), self.game.ruleset_version

    def roll_back(self, undo_point: tuple[AnyPosition, int, int]) -> None:
        """Discard the steps since then."""
        self._position, count, self.game.ruleset_version = undo_point
        self.game.entries -= len(self.entries) - count
        del self.entries[count:]

    def view(self, seat: int) -> Any:
        """The view of a bot's seat; the public part is computed once between two resolutions."""
        if self._viewed is None or self._viewed[0] is not self.position.state:
            self._viewed = (self.position.state, self._run(self.rules.viewer, self.position))
        return self._run(self._viewed[1], seat)

    def offers(self, seat: int) -> list[Offer]:
        """The offers that a seat has now."""
        return self._run(referee.offers, self.rules, self.position, seat)

    def waiting_on(self) -> list[int]:
        """The seats that must decide, in order."""
        return sorted(self._run(referee.waiting_on, self.rules, self.position))

    def commit(self) -> None:
        """Write everything back, once, and announce it after the commit."""
        if not self.entries:
            return
        while self._shows_nothing():
            self.close()
        self._count_decisions()
        former, seats = self._update_game()
        self._write_log()
        if self.position.is_over or self.entries[-1].kind == Kind.REWIND:
            self._write_standings()
        door.follow_up(self.game, former)
        for seat in seats:
            Seat.objects.filter(game=self.game, number=seat).update(version=F("version") + 1)
            announce.seat_changed(self.game.pk, seat, self.game.version)
        devices.settle(self.game)

    def _note_rules_change(self, outcome: Outcome[Any], entry: LoggedAction) -> None:
        """Append a note that the rules have changed, before the first step that changes the position. Not before a
        sealed submission, because that would show when it was revised."""
        changed = self.rules.changed_since(self.game.ruleset_version)
        if (
            not changed
            or entry.kind == Kind.REWIND
            or self._position is None
            or outcome.position.state is self._position.state
        ):
            return
        rules_outcome: Outcome[Any] = Outcome(self._position)
        rules_outcome.events, self.game.ruleset_version = changed, self.rules.version
        self._append(rules_outcome, LoggedAction(kind=Kind.RULES))

    def _append(self, outcome: Outcome[Any], entry: LoggedAction) -> LoggedAction:
        self._note_rules_change(outcome, entry)
        game, cursor, position = self.game, self._position.cursor if self._position else None, outcome.position
        game.entries += 1
        entry.game, entry.number, entry.at = game, game.entries, game.now
        entry.branch, entry.turn = position.cursor.branch, cursor.turn if cursor else 0
        phase = referee.phase_of(self.rules, self.position) if cursor else None
        entry.serial, entry.phase_name = cursor.serial if cursor else 0, phase.name if phase else ""
        entry.events = self.rules.codec.encode_events(outcome.events) if outcome.events else ""
        entry.transfers = pack_transfers(outcome.transfers) if outcome.transfers else None
        entry.draws = pack_draws(outcome.draws)
        self._position, self._shows_nothing_yet = position, outcome.has_nothing_to_show
        if position.cursor.serial != entry.serial:
            entry.opened_serial = position.cursor.serial
            entry.snapshot = pack_snapshot(self.rules, position, self._pack_state())
        self.entries.append(entry)
        return entry

    def _shows_nothing(self) -> bool:
        """True if an automatic phase with nothing to show is open: it takes no time."""
        phase = referee.phase_of(self.rules, self.position)
        return phase is not None and phase.mode is Mode.AUTOMATIC and self._shows_nothing_yet

    def _find_asked_seats(self) -> frozenset[int]:
        """The seats of people for whose decision the open phase waits, or who have decided."""
        phase = referee.phase_of(self.rules, self.before) if self.before is not None else None
        if phase is None or phase.mode is Mode.AUTOMATIC:
            return frozenset()
        states = enumerate(self.game.seat_states)
        return frozenset(seat for seat, state in states if state not in NOT_ASKED and not self.game.is_played_for(seat))

    def _count_decisions(self) -> None:
        """Count the decisions of a phase that has closed."""
        if self.before is None or self.before.cursor.serial == self.serial:
            return
        if self.entries[-1].kind in {Kind.REWIND, Kind.RERUN}:
            return
        if self.game.is_untimed or self.asked_in_secret:
            return
        decided = self.asked_seats - self.silent_seats
        if decided := decided - self._answered_in_advance(self.before, decided):
            tenures.count_decisions(self.game, decided, self.batch)

    def _answered_in_advance(self, before: AnyPosition, seats: frozenset[int]) -> frozenset[int]:
        """Those of these seats whose only answer was a lasting input from an earlier phase, which does not show whether
        their people are present. An input given in advance for this phase alone is a decision."""
        phase, serial = referee.phase_of(self.rules, before), before.cursor.serial
        lasting = frozenset(seat for seat in seats if phase is not None and _has_only_lasting(phase, before, seat))
        if not lasting:
            return lasting
        stored_seats = self.game.log.filter(serial=serial, seat__in=lasting, kind__in=SUBMISSION_KINDS)
        new_seats = {entry.seat for entry in self.entries if entry.serial == serial and entry.kind in SUBMISSION_KINDS}
        return lasting - new_seats - set(stored_seats.values_list("seat", flat=True))

    def _whose_turn(self) -> int | None:
        """The seat that acts alone in the open phase."""
        waiting = self.waiting_on() if self.is_in_turns else []
        return waiting[0] if len(waiting) == 1 else None

    def _pack_state(self) -> bytes:
        """The packed state. Submissions do not change the state, so it is packed once per resolution."""
        if self._packed[0] is not self.position.state:
            self._packed = (self.position.state, self.rules.codec.pack(self.position.state))
        return self._packed[1]

    def _update_game(self) -> tuple[door.Former, list[int]]:
        """Save the game row. Returns what it held before, and the seats that have something new to see if nothing
        public changed."""
        game, position = self.game, self.position
        has_new_state = self.before is None or _has_moved_on(self.before, position)
        old_shown = game.shown_states(None)
        game.schema = self.rules.schema
        self._run(game.store_position, position)
        game.moved_at, game.attempts, game.not_before = game.now, 0, None
        game.bots_due = game.calls_bots
        is_rewritten = has_new_state or self._is_converted
        if is_rewritten:
            self._store_state()
        elif game.availability and old_shown != game.shown_states(None):
            clocks.follow(game, clocks.Because.READY)
        is_public = has_new_state or old_shown != game.shown_states(None) or any(entry.note for entry in self.entries)
        if is_public:
            game.version += 1
            if not is_rewritten:
                notices.hurry(game)
        former = game.write_changes(*STEP_COLUMNS, *(PHASE_COLUMNS if is_rewritten else ()))
        seats = set() if is_public else {entry.seat for entry in self.entries if entry.seat is not None}
        return former, sorted(seats)

    def _store_state(self) -> None:
        """Update the state, projections and clock after a phase has closed or a public action took effect."""
        game, position = self.game, self.position
        packed = self._pack_state()
        board_rows.project(game, self.before, position, packed, see=self._public_position)
        game.state = packed
        if self.before is None:
            game.fixed_sum, game.rules_sum = game.compute_fixed_sum(), game.compute_rules_sum()
        if self.before is None or self.before.cursor.serial != position.cursor.serial:
            clocks.restart_clock(game)
        if position.is_over:
            game.status, game.finished_at = Status.FINISHED, game.now
            tenures.return_all(game)
            if game.keepers:
                eyes.forget_invitees(game)

    def _write_log(self) -> None:
        game = self.game
        opening = [entry for entry in self.entries if entry.opened_serial is not None]
        for entry in self.entries:
            entry.version, entry.is_undone = game.version, entry.is_undone or entry.step in self._taken_back
        if opening:
            opening[-1].asks = [seat for seat in game.waiting_seats if not game.is_played_for(seat)]
            opening[-1].is_told = False
            metrics.count_phases(game.ruleset, len(opening))
        if self._taken_back:
            where = {"branch": self.position.cursor.branch, "serial": self.entries[0].serial}
            LoggedAction.objects.filter(game=game, step__in=self._taken_back, **where).update(is_undone=True)
        door.insert_entries(self.entries)

    def _write_standings(self) -> None:
        """Write places and scores at the end of the game; clear them after a rewind."""
        rows = self._run(self.rules.standings, self.position.state) if self.position.is_over else ()
        places = Case(
            *(When(number=row.seat, then=Value(row.place)) for row in rows), default=None, output_field=IntegerField()
        )
        scores = Case(
            *(When(number=row.seat, then=Value(row.score)) for row in rows), default=None, output_field=IntegerField()
        )
        Seat.objects.filter(game=self.game).update(place=places, score=scores)

    def _public_position(self, position: AnyPosition) -> board_rows.PublicPosition:
        """The position as a stranger sees it, as rows."""
        return self._run(board_rows.seen_of, self.game, position)

    def read(self, asks: Callable[[GameTransaction], list[Action]]) -> list[Action]:
        """Parse the actions of a submission. Raises `Refused`."""
        return self._run(asks, self)

    def parse(self, request: dict[str, Any], seat: int) -> Action:
        """Parse one request. Raises `Refused`."""
        return self._run(self.rules.parse, request, seat)

    def check(self, action: Action) -> None:
        """Check that the rules allow an action now, in whatever phase. Raises `Refused`."""
        self._run(names.check, action, self.position.state)

    def _run_close(self, step: Callable[[Chance], Outcome[Any]]) -> Outcome[Any]:
        """Run a step that may close the open phase."""
        was_closing, self._is_closing = self._is_closing, True
        outcome = self._run_drawing(step)
        self._is_closing = was_closing or outcome.position.cursor.serial != self.serial
        return outcome

    def _run_drawing(self, step: Callable[[Chance], Outcome[Any]]) -> Outcome[Any]:
        """Run a step with the game's random source, and record its draws."""
        return self._run(run_recorded, step, self.game.secret)

    def _run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run rule code within its budget. Lets `Refused`, database errors and `Newer` through. Raises
        `ResolutionError` for every other failure."""
        try:
            return self._budget.run(work, *args, **kwargs)
        except (Refused, DatabaseError, Newer):
            raise
        except Damaged as error:
            raise DamageFound(str(error)) from error
        except ResolutionError:
            raise
        except SoftTimeLimitExceeded as error:
            longest = settings.CELERY_TASK_SOFT_TIME_LIMIT
            words = f"The worker's limit of {longest:g} seconds was reached while the rules were running."
            raise ResolutionError(words, in_closing=self._is_closing) from error
        except Exception as error:
            if not self._is_closing:
                self._budget = Budget()  # one request may have used all of it, and others follow
            raise ResolutionError(_words_of(error), in_closing=self._is_closing) from error


def _words_of(error: Exception) -> str:
    """An error as staff read it. The words of the rules' own errors may contain what is sealed; the server's log has
    them."""
    name = type(error).__name__
    return f"{name}: {error}" if isinstance(error, OverBudget) else f"{name} in the rules."


def _resigned_seats(entries: models.QuerySet[LoggedAction]) -> list[int]:
    """The seats that are resigned now, in order of resignation, from log entries of resignations, votes and
    handovers."""
    resigned: dict[int, None] = {}
    for seat, kind in entries.order_by("number").values_list("seat", "kind"):
        resigned.pop(seat or 0, None)
        if kind in LEAVING_KINDS:
            resigned[seat or 0] = None
    return list(resigned)


def _has_moved_on(before: AnyPosition, now: AnyPosition) -> bool:
    """True if the position itself changed, not only its inputs. After an action and its undo in one move the state is
    the same object, but the turn has advanced by some steps."""
    return before.state is not now.state or before.cursor != now.cursor


def _has_only_lasting(phase: Phase, position: AnyPosition, seat: int) -> bool:
    used = [action for action in position.pending.get(seat, {}).values() if phase.uses(action, position.state)]
    return bool(used) and all(action.is_lasting for action in used)


def _is_pure_undo(outcome: Outcome[Any]) -> bool:
    """True if the only events are undos: together with the undone action they leave no trace."""
    events = outcome.events
    return bool(events) and all(isinstance(event, ActionTakenBack) and not event.was_standing for event in events)
