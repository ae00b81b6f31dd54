"""Putting money right: what an error took or gave is paid back or removed, on record and visible to everyone."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from game.engine import correcting, referee
from game.engine.actions import Correction, Refused
from game.moderation import interventions
from game.moderation.approvals import Consent
from game.play.transactions import GameTransaction
from game.seats import handover
from game.store import log_notes
from game.store.game import BEGUN, Game
from game.store.log import Intervention
from game.store.seating import seats_of

MOST = 1_000_000
"""Whole dollars that one correction may move."""


@transaction.atomic
def correct_money(
    *,
    game_id: int,
    moderator: User,
    reason: str,
    seen: interventions.Seen,
    account: str,
    amount: int,
    consent: Consent | None = None,
) -> None:
    """Give the account of a player or a company whole dollars, or take them out of the game where `amount` is below
    zero; in a rated game with consent. What was submitted stays. Raises `Refused`."""
    asked = {"account": account, "amount": amount}
    what, begun = Intervention.CORRECT_MONEY, BEGUN
    game = interventions.take(what, game_id, moderator, reason, seen, *begun, consent=consent, **asked)
    change = handover.in_hand(game)
    whose = _check(game, change, account, amount)
    note = interventions.line(log_notes.MONEY_CORRECTED, moderator, reason, whose=whose)
    change.correct(Correction(account=account, amount=amount), user_id=moderator.pk, note=note)
    change.commit()
    interventions.record(game, moderator, what, reason, whose=whose, amount=amount)


def accounts_of(game: Game) -> dict[str, str]:
    """The accounts that can be put right, with the names of whose they are; none where the game has no money."""
    names = {f"cash:{seat.number}": seat.shown_name for seat in seats_of(game)}
    found = correcting.correctable(game.rules, game.load_position()) if game.has_position else ()
    return {account: names.get(account) or account.partition(":")[2] for account in found}


def _check(game: Game, change: GameTransaction, account: str, amount: int) -> str:
    """Whose account it is. Raises `Refused`."""
    held = correcting.correctable(game.rules, change.position)
    if not held:
        raise Refused(f"{game.rules.title} has no money to put right.", code="has_no_money")
    if account not in held:
        raise Refused(f"There is no account {account!r:.40} to put right.", code="no_such_account", field="account")
    if not 0 < abs(amount) <= MOST:
        raise Refused(
            f"An amount is 1 to {MOST}, or as much below zero, not {amount}.", code="wrong_amount", field="amount"
        )
    if amount < 0 and not game.rules.money.is_public:
        raise Refused(
            "What players own is hidden in this game, so money can only be given.", code="money_hidden", field="amount"
        )
    if held[account] + amount < 0:
        raise Refused(
            f"There are {held[account]} in this account: {-amount} cannot be taken out.",
            code="too_little_there",
            field="amount",
        )
    _check_goes_on(change, Correction(account=account, amount=amount))
    return accounts_of(game)[account]


def _check_goes_on(change: GameTransaction, asked: Correction) -> None:
    """In a phase without a decision no player would close it: it would stay open until its deadline, or forever."""
    after = change.corrected(asked).position
    if change.waiting_on() and not referee.waiting_on(change.rules, after):
        raise Refused(
            "After this nobody would have anything to decide in the open phase. Let it close first.",
            code="closes_phase",
        )
