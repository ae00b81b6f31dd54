"""The draws of a game that is over, with the secret they were made from: enough to make each of them again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q

from game.engine.codec import Damaged
from game.engine.draws import Draw
from game.engine.events import PhaseOpened
from game.engine.play import Outcome
from game.infra.shared_cache import SharedCache
from game.store import log_notes
from game.store.game import Game
from game.store.log import Kind, LoggedAction, every_entry
from game.store.replay import replay_game
from game.store.rule_limits import Budget

GAMES = 16
FINGERPRINT = re.compile(r"\b[0-9a-f]{64}\b")


class Seal(NamedTuple):
    """A secret of the game and the SHA-256 that the log published of it; empty where the log published none."""

    secret: str
    fingerprint: str

    @property
    def is_kept(self) -> bool:
        """Whether it is the secret whose fingerprint was published."""
        return self.fingerprint == sha256(self.secret.encode()).hexdigest()


class DrawnPhase(NamedTuple):
    """The draws of one phase; `seal` says which secret they were made from. The set-up has number 0 and no title.
    `seat`: whose turn it was, where players take turns. `is_again`: a moderator had the phase resolved again, and this
    is what was drawn then, under the names of the first time."""

    serial: int
    turn: int
    number: str
    title: str
    seat: int | None
    seal: int
    is_again: bool
    draws: Sequence[Draw]


class Proof(NamedTuple):
    """Every draw of a game in the order in which it was made, what a rewind took back included. `is_listed`: no step of
    the log lacks its draws, and what today's rules could play again led to the same draws and to all that is stored.
    `is_replayed`: that was every step."""

    seals: Sequence[Seal]
    phases: Sequence[DrawnPhase]
    is_listed: bool
    is_replayed: bool

    @property
    def is_whole(self) -> bool:
        """Whether no draw is missing, and the secrets are those whose fingerprints the log published."""
        return self.is_listed and all(seal.is_kept for seal in self.seals)

    @property
    def total(self) -> int:
        """How many draws were made."""
        return sum(len(phase.draws) for phase in self.phases)


class Step(NamedTuple):
    """An entry of the log: what it drew, and the phases it opened by branch and serial. `is_listed`: nothing it drew is
    missing; `is_replayed`: today's rules could replay it."""

    seal: int
    is_again: bool
    draws: Sequence[Draw]
    opened: Mapping[tuple[int, int], PhaseOpened]
    is_listed: bool
    is_replayed: bool


class GameSecret(msgspec.Struct, frozen=True):
    """A secret of the game, and its SHA-256 as the log published it; empty where the log published none."""

    secret: str
    fingerprint: str


class MadeDraw(msgspec.Struct, frozen=True):
    """One draw: `value` came out of 0 to `values` − 1; `name` behind the secret and a stroke is what was hashed.
    `secret` is the secret's place in the list, from 0. `again`: a moderator had the phase resolved again by corrected
    rules, and this was drawn then, under the names of the first time."""

    secret: int
    turn: int
    name: str
    values: int
    value: int
    again: bool


class Draws(msgspec.Struct, frozen=True):
    """Every draw of a game that is over, and what it was made from. `whole`: the draws of every step are here,
    everything that could be replayed led to them and to what is stored, and the log published the fingerprint of each
    secret."""

    game: int
    whole: bool
    secrets: list[GameSecret]
    draws: list[MadeDraw]


_proofs = SharedCache(GAMES, name="proof", kind=Proof)


def draws_of(game: Game) -> Draws:
    """The proof of a game that is over, for programs."""
    proof = proof_of(game)
    secrets = [GameSecret(seal.secret, seal.fingerprint) for seal in proof.seals]
    draws = [
        MadeDraw(phase.seal, phase.turn, draw.name, draw.limit, draw.value, phase.is_again)
        for phase in proof.phases
        for draw in phase.draws
    ]
    return Draws(game.pk, proof.is_whole, secrets, draws)


def proof_of(game: Game) -> Proof:
    """The draws of a game that is over; it is played again to check them, once for each end it had."""
    facts = (game.pk, game.entries, game.rules.version, game.secret)
    return _proofs.get(facts, lambda: Budget().run(_made, game))


def _made(game: Game) -> Proof:
    secrets = (*_past(game), game.secret)
    played, is_sound = _played_again(game)
    steps = [_step(entry, played, secrets) for entry in every_entry(game)]
    published = _published(game)
    return Proof(
        seals=[Seal(secret, published.get(place, "")) for place, secret in enumerate(secrets)],
        phases=_by_phase(steps),
        is_listed=is_sound and len(steps) == game.entries and all(step.is_listed for step in steps),
        is_replayed=all(step.is_replayed for step in steps),
    )


def _played_again(game: Game) -> tuple[dict[int, list[Draw]], bool]:
    """The draws of each entry that today's rules can play again, and whether that leads to what is stored."""
    played: dict[int, list[Draw]] = {}

    def watch(entry: LoggedAction, outcome: Outcome[Any]) -> None:
        if entry.kind != Kind.RERUN:  # its position is read, not played
            played[entry.number] = outcome.draws

    checks = list(replay_game(game=game, watch=watch))
    return played, all(check.is_equal for check in checks)


def _step(entry: LoggedAction, played: Mapping[int, list[Draw]], secrets: Sequence[str]) -> Step:
    """What an entry drew: as it was written down then, or else as it is drawn when it is played again."""
    again = played.get(entry.number)
    seal, is_rerun = secrets.index(entry.game.secret_at(entry.number)), entry.kind == Kind.RERUN
    try:
        written, events = entry.read_draws(), entry.read_all_events()
    except Damaged:
        return Step(seal, is_rerun, [], {}, is_listed=False, is_replayed=False)
    draws = again if written is None else written
    opened = {(entry.branch, event.serial): event for event in events if isinstance(event, PhaseOpened)}
    is_listed = draws is not None and again in (None, draws)
    return Step(seal, is_rerun, draws or [], opened, is_listed, is_replayed=again is not None or is_rerun)


def _published(game: Game) -> dict[int, str]:
    """The fingerprints in the log, by the place of their secret, whether or not the log can be replayed. The first one
    counts: it was there before anything was drawn."""
    announced = Q(kind=Kind.MODERATION, note__startswith=log_notes.NEW_SECRET.format(fingerprint=""))
    notes = game.log.filter(Q(kind=Kind.START) | announced).order_by("number").values_list("number", "note")
    published: dict[int, str] = {}
    for number, note in notes:
        if found := FINGERPRINT.search(note):
            published.setdefault(sum(number > last for last, _ in game.past_secrets), found[0])
    return published


def _past(game: Game) -> list[str]:
    return [secret for _, secret in game.past_secrets]


def _by_phase(steps: Iterable[Step]) -> list[DrawnPhase]:
    """The draws in their order, by the phase they were made in."""
    opened: dict[tuple[int, int], PhaseOpened] = {}
    made = []
    for step in steps:
        opened |= step.opened
        made += [(step.seal, step.is_again, draw.branch, draw.serial, draw) for draw in step.draws]
    phases = []
    for (seal, is_again, branch, serial), group in groupby(made, key=itemgetter(0, 1, 2, 3)):
        event = opened.get((branch, serial))
        turn, number, title, seat = (event.turn, event.number, event.title, event.seat) if event else (0, "", "", None)
        phases.append(DrawnPhase(serial, turn, number, title, seat, seal, is_again, [draw for *_, draw in group]))
    return phases
