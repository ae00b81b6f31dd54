"""A game that is locked for a change: unpacked, moved step by step, and written back once with its log, rows and
clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import msgspec
from django.db import DatabaseError, connection, models
from django.db.models import Case, F, IntegerField, Max, Value, When

from game.engine import correcting, leaving, names, referee
from game.engine.actions import Action, Correction, Refused
from game.engine.chance import Chance
from game.engine.codec import Damaged, Newer
from game.engine.events import ActionTakenBack
from game.engine.flow import Mode, Phase
from game.engine.language import mark
from game.engine.offers import Offer
from game.engine.play import Outcome
from game.engine.position import AnyPosition, without_inputs
from game.engine.recording import on_record
from game.infra import metrics
from game.infra.statements import insert, together, update
from game.live import announce
from game.outbox import status_notices
from game.play import clocks, stand_in_seats, tenures
from game.play.batch import Around
from game.reputation import ratings
from game.store import access, projections
from game.store.draws import pack_draws
from game.store.game import Game, Seat, Status
from game.store.log import Kind, LoggedAction
from game.store.rule_limits import Budget
from game.store.snapshots import pack_snapshot
from game.store.transfers import pack_transfers

P = ParamSpec("P")
T = TypeVar("T")
GIVEN = (Kind.SUBMIT, Kind.DRAFT)
ALWAYS_WRITTEN = (
    "version",
    "entries",
    "inputs",
    "ready",
    "seat_states",
    "bots_due",
    "attempts",
    "not_before",
    "moved_at",
)
WRITTEN_WITH_A_PHASE = (
    "state", "phase_row", "phase_name", "phase_serial", "phase_step", "earlier", "branch", "turn", "trail", "reviews",
    "course", "keepers",
    "deadline_at", "clock_since", "clock", "paused_left", "status", "started_at", "finished_at",
    "schema", "ruleset_version", "fixed_sum",
)  # fmt: skip
LOGGED = tuple(field.attname for field in LoggedAction._meta.local_concrete_fields if not field.primary_key)


class ResolutionError(Exception):
    """The rules failed: a bug, never a player's mistake. Nothing of the step is kept. `in_closing`: a phase was being
    closed, which counts against the game; what breaks before that is about one request alone."""

    def __init__(self, words: str = "", *, in_closing: bool = True) -> None:
        super().__init__(words)
        self.in_closing = in_closing


class DamageFound(ResolutionError):
    """What is stored of the game is damaged, so another attempt would not help."""


class GameTransaction:
    """One game being moved, inside the transaction that has locked its row. If its position is not read, it can only be
    rewound."""

    def __init__(self, game: Game, *, is_read: bool = True) -> None:
        if not connection.in_atomic_block:
            raise RuntimeError("A game is moved inside a database transaction only.")
        self.game = game
        self.rules = game.rules
        self._budget = Budget()
        self._is_closing = False  # a phase is being closed, or was
        if is_read and game.is_newer:
            raise Newer(f"Version {game.ruleset_version} of the rules has moved this game.")
        self.before: AnyPosition | None = self._ask(game.load_position) if is_read and game.has_position else None
        self._now: AnyPosition | None = self.before
        self.entries: list[LoggedAction] = []
        self._taken_back: set[int] = set()
        self._is_silent = False  # the phase that is open has told nothing
        self._has_moved = False  # the deadline of a phase that stays open
        self.asked = self._people_asked()
        """The people whose decision the phase waited for, or had, when the game was locked."""
        self.silent: frozenset[int] = frozenset()
        """The people who had decided nothing when a clock closed the phase."""
        self.around: Around | None = None
        """What was read beforehand for a clock that closes the phase."""
        self._viewed: tuple[Any, Callable[[int | None], Any]] | None = None
        self._is_converted = game.schema != self.rules.schema
        self._packed: tuple[Any, bytes] = (None, b"")
        if self.before is not None and not self._is_converted:
            self._packed = (self.before.state, bytes(game.state))
        game.schema = self.rules.schema

    @property
    def position(self) -> AnyPosition:
        """The game as it stands now."""
        assert self._now is not None
        return self._now

    @property
    def is_in_turns(self) -> bool:
        """Whether seats act one after another in the open phase."""
        phase = referee.phase_of(self.rules, self.position)
        return phase is not None and phase.mode is Mode.TURNS

    @property
    def serial(self) -> int:
        """The number of the open phase."""
        return self.position.cursor.serial if self._now else 0

    def begin(self, seats: int) -> None:
        """Set the game up and run to its first decision."""
        options, reviews = self.game.read_options(), self.game.reviews
        outcome = self._drawing(lambda chance: referee.start(self.rules, options, seats, chance, reviews=reviews))
        note = f"{mark('The draws of this game are sealed')}: {self.game.secret_hash}"
        self.game.ruleset_version = self.rules.version
        self._note(outcome, LoggedAction(kind=Kind.START, note=note))

    def begin_at(self, position: AnyPosition, *, note: str) -> None:
        """Begin at a position that was made by hand."""
        self.game.ruleset_version = self.rules.version
        self._note(Outcome(position), LoggedAction(kind=Kind.START, note=note))

    def take(self, action: Action, *, kind: Kind = Kind.SUBMIT, user_id: int | None = None) -> LoggedAction:
        """Apply one action. Raises `Refused`."""
        accepted = self._drawing(lambda chance: referee.accept_all(self.rules, self.position, [action], chance))
        draws = accepted.draws
        outcome = self._closing(lambda chance: referee.close_if_all_ready(self.rules, accepted, chance))
        outcome.draws = [*draws, *outcome.draws]
        here, there = self.position.cursor, outcome.position.cursor
        # What is left for a later turn, or withdrawn, is no step of the turn that is open.
        is_step = self.is_in_turns and (there.serial, there.step) != (here.serial, here.step)
        self._taken_back |= {event.step for event in outcome.events if isinstance(event, ActionTakenBack)}
        entry = LoggedAction(kind=kind, seat=action.actor, user_id=user_id, step=here.step if is_step else None)
        entry.action, entry.is_undone = self.rules.codec.pack(action), _takes_back_alone(outcome)
        return self._note(outcome, entry)

    def close(self, *, kind: Kind = Kind.CLOSE, user_id: int | None = None, note: str = "") -> LoggedAction:
        """Close the open phase with what has been given."""
        outcome = self._closing(lambda chance: referee.close(self.rules, self.position, chance))
        seat, step = self._whose_turn(), self.position.cursor.step if self.is_in_turns else None
        return self._note(outcome, LoggedAction(kind=kind, seat=seat, user_id=user_id, note=note, step=step))

    def hand_over(self, seat: int, *, user_id: int | None, note: str) -> None:
        """Delete a seat's sealed submissions, votes ahead included, so that its new owner does not see them."""
        outcome: Outcome[Any] = Outcome(leaving.handed_over(self.position, seat))
        self._note(outcome, LoggedAction(kind=Kind.HANDOVER, seat=seat, user_id=user_id, note=note))

    def resign(self, seat: int, *, user_id: int | None, note: str) -> None:
        """Note that a seat was given up: from now on it is placed below all others, and what it has given is void."""
        outcome: Outcome[Any] = Outcome(leaving.resigned(self.position, seat))
        self._note(outcome, LoggedAction(kind=Kind.RESIGN, seat=seat, user_id=user_id, note=note))

    def correct(self, asked: Correction, *, user_id: int | None, note: str) -> None:
        """Put the money of an account right, by a moderator's hand."""
        outcome = self.corrected(asked)
        entry = LoggedAction(kind=Kind.MODERATION, user_id=user_id, note=note, action=self.rules.codec.pack(asked))
        self._note(outcome, entry)

    def corrected(self, asked: Correction) -> Outcome[Any]:
        """What putting money right would lead to."""
        return self._drawing(lambda chance: correcting.corrected(self.rules, self.position, asked, chance))

    def put_in_place(self, outcome: Outcome[Any], *, user_id: int | None, note: str) -> None:
        """Take the position to which a repeated resolution leads."""
        self._note(outcome, LoggedAction(kind=Kind.RERUN, user_id=user_id, note=note))

    def remark(self, note: str, *, kind: Kind, seat: int | None = None) -> None:
        """Enter a sentence that everybody may read after what has happened so far."""
        self._note(Outcome(self.position), LoggedAction(kind=kind, seat=seat, note=note))

    def go_back_to(self, entry: LoggedAction, *, user_id: int | None, note: str) -> None:
        """Return to the start of an earlier phase: on a new branch with new draws, and serials never repeat."""
        changed = LoggedAction.objects.filter(game=self.game, kind__in=[Kind.HANDOVER, Kind.RESIGN])
        stored: Any = entry.read_stored()
        position: Any = entry.read_snapshot()
        # What was given ahead then belongs to the player of that time; one who has left since stays away.
        since = changed.filter(number__gt=entry.number).values_list("seat", flat=True)
        past = leaving.with_left(without_inputs(position, set(since)), _left(changed))
        # The log and not the position says what was used up: the position may be damaged.
        used = LoggedAction.objects.filter(game=self.game).aggregate(branch=Max("branch"), serial=Max("opened_serial"))
        cursor = msgspec.structs.replace(past.cursor, branch=used["branch"] + 1, serial=used["serial"] + 1)
        outcome: Outcome[Any] = Outcome(msgspec.structs.replace(past, cursor=cursor))
        # What earlier rules had made of the phases since then, today's are to make again.
        outcome.events, self.game.ruleset_version = self.rules.changed_since(stored.version), self.rules.version
        self.game.status, self.game.finished_at = Status.RUNNING, None
        self._note(outcome, LoggedAction(kind=Kind.REWIND, user_id=user_id, note=note, back_to=entry.number))

    def mark(self) -> tuple[AnyPosition, int, int]:
        """The current state, to return to before anything is written."""
        return self.position, len(self.entries), self.game.ruleset_version

    def go_back(self, mark: tuple[AnyPosition, int, int]) -> None:
        """Forget the steps taken since the mark."""
        self._now, count, self.game.ruleset_version = mark
        self.game.entries -= len(self.entries) - count
        del self.entries[count:]

    def view(self, seat: int) -> Any:
        """What a bot's seat may see now; the public part is worked out once for all who ask between two resolutions."""
        if self._viewed is None or self._viewed[0] is not self.position.state:
            self._viewed = (self.position.state, self._ask(self.rules.viewer, self.position))
        return self._ask(self._viewed[1], seat)

    def offers(self, seat: int) -> list[Offer]:
        """What a seat may ask now."""
        return self._ask(referee.offers, self.rules, self.position, seat)

    def waiting_on(self) -> list[int]:
        """The seats that must decide, in order."""
        return sorted(self._ask(referee.waiting_on, self.rules, self.position))

    def commit(self) -> None:
        """Write everything back, once, and say so after the commit."""
        if not self.entries:
            return
        while self._shows_nothing():
            self.close()
        self._count_decisions()
        with together():
            revised = self._update_game()
            self._write_log()
        if self._has_moved:
            status_notices.tell_of_moves([self.game])
        if self.position.is_over or self.entries[-1].kind == Kind.REWIND:
            self._write_standings()
            ratings.settle(game=self.game)
        for seat in revised:
            Seat.objects.filter(game=self.game, number=seat).update(version=F("version") + 1)
            announce.tell_seat(self.game.pk, seat, self.game.version)

    def _follow_rules(self, outcome: Outcome[Any], entry: LoggedAction) -> None:
        """Say that the rules are newer than those that made the position, before the first step that changes it. A
        sealed submission does not say so, because that would show when it was revised."""
        changed = self.rules.changed_since(self.game.ruleset_version)
        if not changed or entry.kind == Kind.REWIND or self._now is None or outcome.position.state is self._now.state:
            return
        told: Outcome[Any] = Outcome(self._now)
        told.events, self.game.ruleset_version = changed, self.rules.version
        self._note(told, LoggedAction(kind=Kind.RULES))

    def _note(self, outcome: Outcome[Any], entry: LoggedAction) -> LoggedAction:
        self._follow_rules(outcome, entry)
        game, cursor, position = self.game, self._now.cursor if self._now else None, outcome.position
        game.entries += 1
        entry.game, entry.number, entry.at = game, game.entries, game.now
        entry.branch, entry.turn = position.cursor.branch, cursor.turn if cursor else 0
        entry.serial, entry.phase_name = (cursor.serial, self._phase_name()) if cursor else (0, "")
        entry.events = self.rules.codec.encode_events(outcome.events) if outcome.events else ""
        entry.transfers = pack_transfers(outcome.transfers) if outcome.transfers else None
        entry.draws = pack_draws(outcome.draws)
        self._now, self._is_silent = position, outcome.has_nothing_to_show
        if position.cursor.serial != entry.serial:
            entry.opened_serial = position.cursor.serial
            entry.snapshot = pack_snapshot(self.rules, position, self._pack_state())
        self.entries.append(entry)
        return entry

    def _shows_nothing(self) -> bool:
        """Whether a result was just opened that shows nothing: it takes no time."""
        phase = referee.phase_of(self.rules, self.position)
        return phase is not None and phase.mode is Mode.AUTOMATIC and self._is_silent

    def _people_asked(self) -> frozenset[int]:
        """The people whose decision the open phase waits for, or has."""
        phase = referee.phase_of(self.rules, self.before) if self.before is not None else None
        if phase is None or phase.mode is Mode.AUTOMATIC:
            return frozenset()
        states = enumerate(self.game.seat_states)
        return frozenset(seat for seat, state in states if state != "none" and not self.game.is_played_for(seat))

    def _count_decisions(self) -> None:
        """Those who have decided in a phase that has closed."""
        if self.before is None or self.before.cursor.serial == self.serial:
            return
        if self.entries[-1].kind in {Kind.REWIND, Kind.RERUN}:
            return
        if self.game.is_untimed:
            return
        decided = self.asked - self.silent
        if decided := decided - self._answered_long_ago(self.before, decided):
            tenures.count_decided(self.game, decided, self.around)

    def _answered_long_ago(self, before: AnyPosition, seats: frozenset[int]) -> frozenset[int]:
        """Those of these seats for which only a lasting input of an earlier phase has answered: whether their people
        are present is unknown. What was given ahead for this one phase is a decision."""
        phase, serial = referee.phase_of(self.rules, before), before.cursor.serial
        lasting = frozenset(seat for seat in seats if phase is not None and _has_only_lasting(phase, before, seat))
        if not lasting:
            return lasting
        stored = self.game.log.filter(serial=serial, seat__in=lasting, kind__in=GIVEN)
        now = {entry.seat for entry in self.entries if entry.serial == serial and entry.kind in GIVEN}
        return lasting - now - set(stored.values_list("seat", flat=True))

    def _whose_turn(self) -> int | None:
        """The seat that acts alone in the open phase."""
        waiting = self.waiting_on() if self.is_in_turns else []
        return waiting[0] if len(waiting) == 1 else None

    def _phase_name(self) -> str:
        phase = referee.phase_of(self.rules, self.position)
        return phase.name if phase else ""

    def _pack_state(self) -> bytes:
        """The state's bytes; a submission leaves the state as it is, so they are made once a resolution."""
        if self._packed[0] is not self.position.state:
            self._packed = (self.position.state, self.rules.codec.pack(self.position.state))
        return self._packed[1]

    def _update_game(self) -> list[int]:
        """Save the game row; returns the seats to which alone this is news."""
        game, position = self.game, self.position
        has_new_state = self.before is None or _has_moved_on(self.before, position)
        had = game.seat_states
        self._ask(game.store_position, position)
        game.moved_at, game.attempts, game.not_before = game.now, 0, None
        game.bots_due = game.calls_bots
        is_rewritten = has_new_state or self._is_converted
        if is_rewritten:
            self._renew()
        elif game.availability and had != game.seat_states:
            self._has_moved = clocks.follow(game, clocks.Because.READY)
        is_public = has_new_state or had != game.seat_states or any(entry.note for entry in self.entries)
        if is_public:
            game.version += 1
            announce.tell_game(game.pk, game.version)
        if game.bots_due:
            announce.call_bots(game.pk)
        followed = ("deadline_at", "clock") if game.availability else ()
        fields = ALWAYS_WRITTEN + (WRITTEN_WITH_A_PHASE if is_rewritten else followed)
        update(Game, game.pk, fields, [getattr(game, field) for field in fields])
        return [] if is_public else sorted({entry.seat for entry in self.entries if entry.seat is not None})

    def _renew(self) -> None:
        """What changes when a phase has closed or a public action took effect."""
        game, position = self.game, self.position
        packed = self._pack_state()
        projections.project(game, self.before, position, packed, see=self._see)
        game.state = packed
        if self.before is None:
            game.fixed_sum = game.sum_up_what_is_fixed()
        if self.before is None or self.before.cursor.serial != position.cursor.serial:
            clocks.restart_clock(game)
        if position.is_over:
            game.status, game.finished_at = Status.FINISHED, game.now
            stand_in_seats.return_all(game)
            if game.keepers:
                access.forget_invitees(game)

    def _write_log(self) -> None:
        game = self.game
        opened = [entry for entry in self.entries if entry.opened_serial is not None]
        for entry in self.entries:
            entry.version, entry.is_undone = game.version, entry.is_undone or entry.step in self._taken_back
        if opened:
            opened[-1].asks = [seat for seat in game.waiting_seats if not game.is_played_for(seat)]
            opened[-1].is_told = False
            metrics.count_phases(game.ruleset, len(opened))
        if self._taken_back:
            place = {"branch": self.position.cursor.branch, "serial": self.entries[0].serial}
            LoggedAction.objects.filter(game=game, step__in=self._taken_back, **place).update(is_undone=True)
        insert(LoggedAction, LOGGED, [[getattr(entry, field) for field in LOGGED] for entry in self.entries])

    def _write_standings(self) -> None:
        """Places and scores at the end; none after a rewind."""
        rows = self._ask(self.rules.standings, self.position.state) if self.position.is_over else ()
        places = Case(
            *(When(number=row.seat, then=Value(row.place)) for row in rows), default=None, output_field=IntegerField()
        )
        scores = Case(
            *(When(number=row.seat, then=Value(row.score)) for row in rows), default=None, output_field=IntegerField()
        )
        Seat.objects.filter(game=self.game).update(place=places, score=scores)

    def _see(self, position: AnyPosition) -> projections.PublicPosition:
        """What a stranger sees, as rows."""
        return self._ask(projections.seen_of, self.game, position)

    def read(self, asks: Callable[[GameTransaction], list[Action]]) -> list[Action]:
        """What somebody asks of the game as it stands. Raises `Refused`."""
        return self._ask(asks, self)

    def parse(self, request: dict[str, Any], seat: int) -> Action:
        """A request as an action. Raises `Refused`."""
        return self._ask(self.rules.parse, request, seat)

    def check(self, action: Action) -> None:
        """Refuse what the rules do not allow as things stand, in whatever phase. Raises `Refused`."""
        self._ask(names.check, action, self.position.state)

    def _closing(self, step: Callable[[Chance], Outcome[Any]]) -> Outcome[Any]:
        """Let the rules close the open phase, if its time has come."""
        was_closing, self._is_closing = self._is_closing, True
        outcome = self._drawing(step)
        self._is_closing = was_closing or outcome.position.cursor.serial != self.serial
        return outcome

    def _drawing(self, step: Callable[[Chance], Outcome[Any]]) -> Outcome[Any]:
        """Let the rules carry out a step with the chance of this game, its draws on record."""
        return self._ask(on_record, step, self.game.secret)

    def _ask(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the rules work within their budget; lets refusals through, and what says that
        later rules are needed. Raises `ResolutionError` where they break."""
        try:
            return self._budget.run(work, *args, **kwargs)
        except (Refused, DatabaseError, Newer):
            raise
        except Damaged as error:
            raise DamageFound(str(error)) from error
        except ResolutionError:
            raise
        except Exception as error:
            if not self._is_closing:
                self._budget = Budget()  # one request may have taken all of it, and others are still to be read
            raise ResolutionError(f"{type(error).__name__}: {error}", in_closing=self._is_closing) from error


def _left(changed: models.QuerySet[LoggedAction]) -> list[int]:
    """The seats that are given up now, in that order, from the entries of the log that say so."""
    left: dict[int, None] = {}
    for seat, kind in changed.order_by("number").values_list("seat", "kind"):
        left.pop(seat or 0, None)
        if kind == Kind.RESIGN:
            left[seat or 0] = None
    return list(left)


def _has_moved_on(before: AnyPosition, now: AnyPosition) -> bool:
    """Whether the position itself has changed, and not only the inputs. After an action and its undo in one move the
    state is the same object as before, but the turn has advanced by some steps."""
    return before.state is not now.state or before.cursor != now.cursor


def _has_only_lasting(phase: Phase, position: AnyPosition, seat: int) -> bool:
    used = [action for action in position.pending.get(seat, {}).values() if phase.uses(action, position.state)]
    return bool(used) and all(action.is_lasting for action in used)


def _takes_back_alone(outcome: Outcome[Any]) -> bool:
    """Whether the only event is that an action was undone: together with that action it leaves no trace."""
    events = outcome.events
    return bool(events) and all(isinstance(event, ActionTakenBack) and not event.was_standing for event in events)
