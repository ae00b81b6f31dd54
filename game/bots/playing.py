"""Bots: they choose among a seat's offers with what `view` shows that seat, and act through the same services as
people."""

from __future__ import annotations

from typing import Any

import structlog
from django.db import DatabaseError, transaction

from game.engine.actions import Ready, Refused
from game.engine.chance import Chance
from game.engine.codec import Newer
from game.engine.ruleset import Bot
from game.play import failures, moves
from game.play.transactions import GameTransaction, ResolutionError
from game.store.game import Keeper
from game.store.rule_limits import Budget

FALLBACK = "random"
IDLE = "idle"  # in lessons: it asks for nothing
SHARE = 0.2  # of a step's budget, for each bot's choice
log = structlog.get_logger("game.services.bots")


def play_bots(*, game_id: int, is_counted: bool = False) -> bool:
    """Let every bot and caretaker that is waited for act in the open phase, in one transaction; False where none is
    waited for."""
    try:
        with transaction.atomic():
            game = moves.lock(game_id, waits=False)
            if game is None or not game.is_running or not game.bots_due:
                return False
            change = moves.transaction_of(game)
            _let_act(change)
            change.commit()
    except ResolutionError as error:
        failures.note_failure(game_id=game_id, error=error, is_counted=is_counted)
        return False
    except Newer:
        failures.leave_to_newer(game_id=game_id, is_counted=is_counted)
        return False
    return True


def _let_act(change: GameTransaction) -> None:
    serial, bots = change.serial, change.game.bots
    for seat in change.waiting_on():
        if change.serial != serial:
            return
        if str(seat) in bots:
            _act(change, seat, bots[str(seat)])
        elif (keeper := change.game.keepers.get(str(seat))) is not None:
            _take_care(change, seat, keeper)


def _take_care(change: GameTransaction, seat: int, keeper: str) -> None:
    """What the ruleset's caretaker does for a seat: a bot's decision, or at once what the deadline would do. (P-16)"""
    caretaker = change.rules.caretaker
    bot = caretaker.resigned if keeper == Keeper.RESIGNED else caretaker.away
    if bot:
        _act(change, seat, bot)
    elif change.is_in_turns:
        change.close()
    else:
        change.take(Ready(actor=seat))


def _act(change: GameTransaction, seat: int, key: str) -> None:
    """The bot's requests, as far as the rules allow them, and then ready; in a turn of its own, one action after
    another."""
    if change.is_in_turns:
        _play_turn(change, seat, key)
        return
    serial = change.serial
    for request in _ask(change, seat, key):
        try:
            action = change.parse(request, seat)
            if change.serial != serial:
                return
            if not isinstance(action, Ready):
                change.take(action)
        except (Refused, ResolutionError) as refused:
            _pass_over(change, seat, request, refused)
    if change.serial == serial:
        change.take(Ready(actor=seat))


def _play_turn(change: GameTransaction, seat: int, key: str) -> None:
    """Ask the bot again after each action, until its turn is over. If none of its requests is allowed, the seat is
    played as if absent."""
    serial = change.serial
    while change.serial == serial and seat in change.waiting_on():
        if not any(_takes(change, seat, request) for request in _ask(change, seat, key)):
            change.close()


def _takes(change: GameTransaction, seat: int, request: dict[str, Any]) -> bool:
    """Whether the rules took one request."""
    try:
        change.take(change.parse(request, seat))
    except (Refused, ResolutionError) as refused:
        _pass_over(change, seat, request, refused)
        return False
    return True


def _pass_over(change: GameTransaction, seat: int, request: dict[str, Any], why: Refused | ResolutionError) -> None:
    """A request that is refused, or on which the rules break, is left out. Raises what broke in closing."""
    if isinstance(why, ResolutionError) and why.in_closing:
        raise why
    log.info("bot_refused", game=change.game.pk, seat=seat, request=request["kind"], refused=str(why))
    if isinstance(why, ResolutionError):
        failures.note_broken(game_id=change.game.pk, error=why)


def _ask(change: GameTransaction, seat: int, key: str) -> list[dict[str, Any]]:
    """The bot's requests; a bot whose code fails passes and never stops a game."""
    if key == IDLE:
        return []
    try:
        return Budget(share=SHARE).run(_choose, change, seat, key)
    except DatabaseError:
        raise
    except Exception:
        log.exception("bot_broke", game=change.game.pk, seat=seat, bot=key)
        return []


def _choose(change: GameTransaction, seat: int, key: str) -> list[dict[str, Any]]:
    return _bot(change, key)(change.view(seat), lambda: change.offers(seat), _chance(change, seat))


def _bot(change: GameTransaction, key: str) -> Bot:
    known = change.rules.bots
    return known[key] if key in known else known[FALLBACK]


def _chance(change: GameTransaction, seat: int) -> Chance:
    """A stream of its own for each seat and phase: a bot's draws never touch the game's."""
    cursor = change.position.cursor
    return Chance(f"{change.game.secret}/bot/{seat}", cursor.branch, cursor.serial, cursor.step or None)
