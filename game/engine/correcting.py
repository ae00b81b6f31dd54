"""Corrections of money by moderators: a step of its own, outside the sequence of play, that no rules request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from game.engine.actions import Correction
from game.engine.chance import Chance
from game.engine.events import MoneyCorrected
from game.engine.language import mark
from game.engine.ledger import OUTSIDE
from game.engine.play import Outcome, Play
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset

REASON = mark("correction")


def correctable(rules: Ruleset, position: AnyPosition) -> Mapping[str, int]:
    """The accounts that may be corrected, with their balances; empty if a game has no money."""
    ledger = position.state.ledger
    return {account: ledger.balance(account) for account in rules.money.correctable(position.state)}


def corrected(rules: Ruleset, position: AnyPosition, correction: Correction, chance: Chance) -> Outcome[Any]:
    """Move the money. Submitted inputs stay; earlier actions can no longer be taken back. Raises `LedgerError` if the
    account holds too little."""
    cursor, state = position.cursor, rules.codec.copy(position.state)
    outcome: Outcome[Any] = Outcome(msgspec.structs.replace(position, state=state, earlier=()))
    phase_chance = chance.at(branch=cursor.branch, serial=cursor.serial, workload=outcome.workload)
    play = Play(state, state.ledger, phase_chance, {})
    payer, payee = (OUTSIDE, correction.account) if correction.amount > 0 else (correction.account, OUTSIDE)
    play.pay(payer, payee, abs(correction.amount), why=REASON)
    kind, _, whose = correction.account.partition(":")
    seat = int(whose) if kind == "cash" else None
    play.emit(MoneyCorrected(seat=seat, company="" if kind == "cash" else whose, amount=correction.amount))
    outcome.absorb(play)
    state.ledger.assert_sound()
    return outcome
