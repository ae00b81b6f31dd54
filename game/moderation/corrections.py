"""Correcting money after an error: it is given or removed, on record and visible to everyone."""

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
    """Give whole dollars to the account of a player or a company, or remove them if `amount` is negative; in a rated
    game with approval. Submitted actions stay. Raises `Refused`."""
    arguments = {"account": account, "amount": amount}
    intervention, begun = Intervention.CORRECT_MONEY, BEGUN
    game = interventions.take(intervention, game_id, moderator, reason, seen, *begun, consent=consent, **arguments)
    change = handover.in_hand(game)
    owner_name = _check(game, change, account, amount)
    note = interventions.line(log_notes.MONEY_CORRECTED, moderator, reason, whose=owner_name)
    change.correct(Correction(account=account, amount=amount), user_id=moderator.pk, note=note)
    change.commit()
    interventions.record(game, moderator, intervention, reason, whose=owner_name, amount=amount)


def accounts_of(game: Game) -> dict[str, str]:
    """The accounts that can be corrected, with their owners' names; empty if the game has no money."""
    names = {f"cash:{seat.number}": seat.shown_name for seat in seats_of(game)}
    accounts = correcting.correctable(game.rules, game.load_position()) if game.has_position else ()
    return {account: names.get(account) or account.partition(":")[2] for account in accounts}


def _check(game: Game, change: GameTransaction, account: str, amount: int) -> str:
    """The account owner's name. Raises `Refused`."""
    balances = correcting.correctable(game.rules, change.position)
    if not balances:
        raise Refused(f"{game.rules.title} has no money to put right.", code="has_no_money")
    if account not in balances:
        raise Refused(f"There is no account {account!r:.40} to put right.", code="no_such_account", field="account")
    if not 0 < abs(amount) <= MOST:
        raise Refused(
            f"An amount is 1 to {MOST}, or as much below zero, not {amount}.", code="wrong_amount", field="amount"
        )
    if amount < 0 and not game.rules.money.is_public:
        raise Refused(
            "What players own is hidden in this game, so money can only be given.", code="money_hidden", field="amount"
        )
    if balances[account] + amount < 0:
        raise Refused(
            f"There are {balances[account]} in this account: {-amount} cannot be taken out.",
            code="too_little_there",
            field="amount",
        )
    _check_goes_on(change, Correction(account=account, amount=amount))
    return accounts_of(game)[account]


def _check_goes_on(change: GameTransaction, correction: Correction) -> None:
    """A correction must not leave the open phase without a decision: it would stay open until its deadline, or
    forever."""
    after = change.corrected(correction).position
    if change.waiting_on() and not referee.waiting_on(change.rules, after):
        raise Refused(
            "After this nobody would have anything to decide in the open phase. Let it close first.",
            code="closes_phase",
        )
