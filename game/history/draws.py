"""The draws of a finished game, with the secrets they were made from, so that each can be repeated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from game.engine.codec import Damaged
from game.engine.draws import Draw
from game.engine.events import PhaseOpened
from game.engine.play import Outcome
from game.infra.shared_cache import SharedCache
from game.store.game import Game
from game.store.log import Kind, LoggedAction
from game.store.log_notes import WITH_FINGERPRINT
from game.store.packed_log import every_entry
from game.store.replay import replay_game
from game.store.rule_limits import Budget

CACHE_SIZE = 16


class Seal(NamedTuple):
    """A secret of the game and the SHA-256 of it that the log published; empty if the log published none."""

    secret: str
    fingerprint: str

    @property
    def is_valid(self) -> bool:
        """True if the published fingerprint matches the secret."""
        return self.fingerprint == sha256(self.secret.encode()).hexdigest()


class DrawnPhase(NamedTuple):
    """The draws of one phase. `seal` is the index of their secret. The set-up has serial 0 and no title. `seat`: whose
    turn it was, where players take turns. `is_rerun`: a moderator had the phase resolved again; these are the draws of
    that time, under the original names."""

    serial: int
    turn: int
    number: str
    title: str
    seat: int | None
    seal: int
    is_rerun: bool
    draws: Sequence[Draw]


class Proof(NamedTuple):
    """Every draw of a game in order, including those a rewind took back. `is_listed`: no step of the log lacks its
    draws, and what today's rules could replay led to the same draws and the same stored values. `is_replayed`: today's
    rules could replay every step."""

    seals: Sequence[Seal]
    phases: Sequence[DrawnPhase]
    is_listed: bool
    is_replayed: bool

    @property
    def is_whole(self) -> bool:
        """True if no draw is missing and every secret matches its published fingerprint."""
        return self.is_listed and all(seal.is_valid for seal in self.seals)

    @property
    def total(self) -> int:
        return sum(len(phase.draws) for phase in self.phases)


class Step(NamedTuple):
    """The draws of a log entry, and the phases it opened, by branch and serial. `is_listed`: no draw is missing;
    `is_replayed`: today's rules could replay the entry."""

    seal: int
    is_rerun: bool
    draws: Sequence[Draw]
    opened: Mapping[tuple[int, int], PhaseOpened]
    is_listed: bool
    is_replayed: bool


class GameSecret(msgspec.Struct, frozen=True):
    """A secret of the game, and its SHA-256 as the log published it; empty if the log published none."""

    secret: str
    fingerprint: str


class MadeDraw(msgspec.Struct, frozen=True):
    """One draw: `value` came out of 0 to `values` − 1; the hashed text is the secret, a slash and `name`. `secret` is
    the secret's index in the list, from 0. `again`: a moderator had the phase resolved again by corrected rules; this
    draw is from then, under the original name."""

    secret: int
    turn: int
    name: str
    values: int
    value: int
    again: bool


class Draws(msgspec.Struct, frozen=True):
    """Every draw of a finished game, with its secrets. `whole`: no draw is missing, everything that could be replayed
    led to the same draws and the stored values, and the log published the fingerprint of each secret."""

    game: int
    whole: bool
    secrets: list[GameSecret]
    draws: list[MadeDraw]


_proofs = SharedCache(CACHE_SIZE, name="proof", kind=Proof)


def draws_of(game: Game) -> Draws:
    """The proof of a finished game, for programs."""
    proof = proof_of(game)
    secrets = [GameSecret(seal.secret, seal.fingerprint) for seal in proof.seals]
    draws = [
        MadeDraw(phase.seal, phase.turn, draw.name, draw.limit, draw.value, phase.is_rerun)
        for phase in proof.phases
        for draw in phase.draws
    ]
    return Draws(game.pk, proof.is_whole, secrets, draws)


def proof_of(game: Game) -> Proof:
    """The draws of a finished game, checked by replaying it. Cached for each end the game had."""
    key = (game.pk, game.entries, game.rules.version, game.secret)
    return _proofs.get(key, lambda: Budget().run(_build_proof, game))


def _build_proof(game: Game) -> Proof:
    secrets = (*(secret for _, secret in game.past_secrets), game.secret)
    replayed, is_sound = _replayed_draws(game)
    steps = [_step_of_entry(entry, replayed, secrets) for entry in every_entry(game)]
    fingerprints = _published_fingerprints(game)
    return Proof(
        seals=[Seal(secret, fingerprints.get(place, "")) for place, secret in enumerate(secrets)],
        phases=_group_by_phase(steps),
        is_listed=is_sound and len(steps) == game.entries and all(step.is_listed for step in steps),
        is_replayed=all(step.is_replayed for step in steps),
    )


def _replayed_draws(game: Game) -> tuple[dict[int, list[Draw]], bool]:
    """The draws of each entry that today's rules can replay, and whether the replay matches the stored game."""
    draws_by_number: dict[int, list[Draw]] = {}

    def watch(entry: LoggedAction, outcome: Outcome[Any]) -> None:
        if entry.kind != Kind.RERUN:  # a replay reads its stored result and draws nothing
            draws_by_number[entry.number] = outcome.draws

    checks = list(replay_game(game=game, watch=watch))
    return draws_by_number, all(check.is_equal for check in checks)


def _step_of_entry(entry: LoggedAction, replayed: Mapping[int, list[Draw]], secrets: Sequence[str]) -> Step:
    """The draws of an entry: the recorded ones, otherwise the replayed ones."""
    replayed_draws = replayed.get(entry.number)
    seal, is_rerun = secrets.index(entry.game.secret_at(entry.number)), entry.kind == Kind.RERUN
    try:
        recorded_draws, events = entry.read_draws(), entry.read_all_events()
    except Damaged:
        return Step(seal, is_rerun, [], {}, is_listed=False, is_replayed=False)
    draws = replayed_draws if recorded_draws is None else recorded_draws
    opened_phases = {(entry.branch, event.serial): event for event in events if isinstance(event, PhaseOpened)}
    is_listed = draws is not None and replayed_draws in (None, draws)
    return Step(
        seal, is_rerun, draws or [], opened_phases, is_listed, is_replayed=replayed_draws is not None or is_rerun
    )


def _published_fingerprints(game: Game) -> dict[int, str]:
    """The fingerprints in the log by the index of their secret, even if the log cannot be replayed. The first one
    counts, because it was published before anything was drawn."""
    notes = (
        game.log.filter(remark__id__in=WITH_FINGERPRINT)
        .order_by("number")
        .values_list("number", "remark__facts__fingerprint")
    )
    fingerprints: dict[int, str] = {}
    for number, fingerprint in notes:
        place = sum(number > last_number for last_number, _ in game.past_secrets)
        fingerprints.setdefault(place, fingerprint)
    return fingerprints


def _group_by_phase(steps: Iterable[Step]) -> list[DrawnPhase]:
    """The draws in order, grouped by phase."""
    opened_phases: dict[tuple[int, int], PhaseOpened] = {}
    rows = []
    for step in steps:
        opened_phases |= step.opened
        rows += [(step.seal, step.is_rerun, draw.branch, draw.serial, draw) for draw in step.draws]
    phases = []
    for (seal, is_rerun, branch, serial), group in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        event = opened_phases.get((branch, serial))
        turn, number, title, seat = (event.turn, event.number, event.title, event.seat) if event else (0, "", "", None)
        phases.append(DrawnPhase(serial, turn, number, title, seat, seal, is_rerun, [draw for *_, draw in group]))
    return phases
