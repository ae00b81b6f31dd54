"""The draws of a game that is over, with the secret they were made from: enough to make each of them again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any, NamedTuple

import msgspec
from django.db.models import Q

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
    """A secret of the game and the SHA-256 that the log published of it; empty where the log published none."""

    secret: str
    fingerprint: str

    @property
    def is_kept(self) -> bool:
        """Whether it is the secret whose fingerprint was published."""
        return self.fingerprint == sha256(self.secret.encode()).hexdigest()


class DrawnPhase(NamedTuple):
    """The draws of one phase; `seal` says which secret they were made from. The set-up has number 0 and no title."""

    serial: int
    turn: int
    number: str
    title: str
    seal: int
    draws: Sequence[Draw]


class Proof(NamedTuple):
    """Every draw of a game in the order in which it was made, what a rewind took back included. `is_replayed`: the log
    was played again from its first entry to its last and led to everything that is stored."""

    seals: Sequence[Seal]
    phases: Sequence[DrawnPhase]
    is_replayed: bool

    @property
    def is_whole(self) -> bool:
        """Whether no draw is missing, and the secrets are those whose fingerprints the log published."""
        return self.is_replayed and all(seal.is_kept for seal in self.seals)

    @property
    def total(self) -> int:
        """How many draws were made."""
        return sum(len(phase.draws) for phase in self.phases)


class GameSecret(msgspec.Struct, frozen=True):
    """A secret of the game, and its SHA-256 as the log published it; empty where the log published none."""

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
    to what is stored, and the log published the fingerprint of each secret."""

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
    played = 0

    def chance_of(secret: str) -> Chance:
        book.append((secrets.index(secret), []))
        return RecordedChance(secret, book[-1][1])

    def watch(entry: LoggedAction, outcome: Outcome[Any]) -> None:
        nonlocal played
        played += 1
        branch = outcome.position.cursor.branch
        opened.update({(branch, event.serial): event for event in outcome.events if isinstance(event, PhaseOpened)})

    checks = list(replay_game(game=game, chance_of=chance_of, watch=watch))
    is_replayed = played == game.entries and all(check.is_equal for check in checks)
    published = _published(game)
    seals = [Seal(secret, published.get(place, "")) for place, secret in enumerate(secrets)]
    return Proof(seals, _by_phase(book, opened), is_replayed)


def _published(game: Game) -> dict[int, str]:
    """The fingerprints in the log, by the place of their secret; whether the log can be played again does not matter.
    The first one counts: it was there before anything was drawn."""
    announced = Q(kind=Kind.MODERATION, note__startswith=remarks.NEW_SECRET.format(fingerprint=""))
    notes = game.log.filter(Q(kind=Kind.START) | announced).order_by("number").values_list("number", "note")
    published: dict[int, str] = {}
    for number, note in notes:
        if found := FINGERPRINT.search(note):
            published.setdefault(sum(number > last for last, _ in game.past_secrets), found[0])
    return published


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
