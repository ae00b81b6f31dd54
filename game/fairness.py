"""The draws of a game that is over, with the secret they were made from: enough to make each of them again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

import msgspec

from game import remarks
from game.engine.chance import Chance
from game.engine.draws import Draw, RecordedChance
from game.engine.events import PhaseOpened
from game.engine.play import Outcome
from game.models import Game, Kind, LoggedAction
from game.services.budgets import Budget
from game.services.replay import replay_game
from game.shelf import Shelf

GAMES = 16
FINGERPRINT = re.compile(r"\b[0-9a-f]{64}\b")
_proofs: Shelf[Proof] = Shelf(GAMES)


class Seal(NamedTuple):
    """A secret of the game and the SHA-256 that the log published before the first draw that was made from it."""

    secret: str
    fingerprint: str


class DrawnPhase(NamedTuple):
    """The draws of one phase; `seal` says which secret they were made from. The set-up has number 0 and no title."""

    serial: int
    turn: int
    number: str
    title: str
    seal: int
    draws: Sequence[Draw]


class Proof(NamedTuple):
    """Every draw of a game in the order in which it was made, what a rewind took back included. `is_whole`: the log was
    played again from its first entry to its last and led to everything that is stored, and the secrets are those whose
    fingerprints it published."""

    seals: Sequence[Seal]
    phases: Sequence[DrawnPhase]
    is_whole: bool

    @property
    def total(self) -> int:
        """How many draws were made."""
        return sum(len(phase.draws) for phase in self.phases)


class GameSecret(msgspec.Struct, frozen=True):
    """A secret of the game and its SHA-256, which everybody could see before."""

    secret: str
    fingerprint: str


class MadeDraw(msgspec.Struct, frozen=True):
    """One draw: `value` came out of 0 to `values` − 1; `name` behind the secret and a stroke is what was hashed.
    `secret` is the secret's place in the list, from 0."""

    secret: int
    turn: int
    name: str
    values: int
    value: int


class Draws(msgspec.Struct, frozen=True):
    """Every draw of a game that is over, and what it was made from. `whole`: played again from its log, the game came
    to what is stored."""

    game: int
    whole: bool
    secrets: list[GameSecret]
    draws: list[MadeDraw]


def draws_of(game: Game) -> Draws:
    """The proof of a game that is over, for programs."""
    proof = proof_of(game)
    secrets = [GameSecret(seal.secret, seal.fingerprint) for seal in proof.seals]
    draws = [
        MadeDraw(phase.seal, phase.turn, draw.name, draw.limit, draw.value)
        for phase in proof.phases
        for draw in phase.draws
    ]
    return Draws(game.pk, proof.is_whole, secrets, draws)


def proof_of(game: Game) -> Proof:
    """The draws of a game that is over; it is played again for them, once for each end it had."""
    facts = (game.pk, game.entries, game.rules.version, game.secret)
    return _proofs.get(facts, lambda: Budget().run(_made, game))


def _made(game: Game) -> Proof:
    secrets = (*_past(game), game.secret)
    book: list[tuple[int, list[Draw]]] = []  # by entry: one entry's draws have one secret
    opened: dict[tuple[int, int], PhaseOpened] = {}
    published: dict[int, str] = {}  # by the place of the secret
    played = 0

    def chance_of(secret: str) -> Chance:
        book.append((secrets.index(secret), []))
        return RecordedChance(secret, book[-1][1])

    def watch(entry: LoggedAction, outcome: Outcome[Any]) -> None:
        nonlocal played
        played += 1
        if found := _fingerprint_in(entry):
            published[sum(entry.number > last for last, _ in game.past_secrets)] = found
        branch = outcome.position.cursor.branch
        opened.update({(branch, event.serial): event for event in outcome.events if isinstance(event, PhaseOpened)})

    checks = list(replay_game(game=game, chance_of=chance_of, watch=watch))
    made = [sha256(secret.encode()).hexdigest() for secret in secrets]
    seals = [Seal(secret, published.get(place, made[place])) for place, secret in enumerate(secrets)]
    is_sealed = all(seal.fingerprint == own for seal, own in zip(seals, made, strict=True))
    is_whole = is_sealed and played == game.entries and all(check.is_equal for check in checks)
    return Proof(seals, _by_phase(book, opened), is_whole)


def _fingerprint_in(entry: LoggedAction) -> str:
    """What the log published of a secret before anything was drawn from it."""
    is_published = entry.kind == Kind.START or entry.note.startswith(remarks.NEW_SECRET.format(fingerprint=""))
    found = FINGERPRINT.search(entry.note) if is_published else None
    return found[0] if found else ""


def _past(game: Game) -> list[str]:
    return [secret for _, secret in game.past_secrets]


def _by_phase(
    book: Iterable[tuple[int, list[Draw]]], opened: Mapping[tuple[int, int], PhaseOpened]
) -> list[DrawnPhase]:
    """The draws in their order, by the phase they were made in."""
    made = ((seal, draw) for seal, draws in book for draw in draws)
    phases = []
    for (seal, branch, serial), group in groupby(made, key=lambda each: (each[0], each[1].branch, each[1].serial)):
        event = opened.get((branch, serial))
        turn, number, title = (event.turn, event.number, event.title) if event else (0, "", "")
        phases.append(DrawnPhase(serial, turn, number, title, seal, [draw for _, draw in group]))
    return phases
