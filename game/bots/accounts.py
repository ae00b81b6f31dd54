"""Accounts of people's bots: creation, settings, and the games in which they may play. They are users without a
password or an address. After two misses in a row the caretaker plays the seat, as for all players (P-14); the bot's
token or its owner takes it back."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from accounts.limits import most_of
from accounts.models import User
from game.engine.actions import Refused
from game.play import attendance
from game.rulesets.registry import RULESETS
from game.store import account_locks
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.seat_models import BotAccount

LONGEST_NAME = 16  # characters; seats show the owner's name as well
UNFINISHED = (Status.WAITING, Status.RUNNING, Status.PAUSED, Status.HELD)


class Declared(NamedTuple):
    """The games that a bot takes part in."""

    rulesets: Collection[str]
    paces: Collection[str]
    least_seats: int
    most_seats: int
    most_games: int


@transaction.atomic
def make_bot(*, owner: User, name: str, declared: Declared) -> BotAccount:
    """Create a bot. Raises `Refused`, and `ValidationError` for an invalid name."""
    account_locks.lock_free_account(owner)  # concurrent requests are counted one after the other
    if owner.is_guest or owner.is_bot:
        raise Refused("Only people with an account can have bots.", code="guest_may_not")
    if owner.bots.count() >= (most := most_of("bots")):
        raise Refused("You have {most} bots, the maximum. Delete one first.", most=most, code="too_many_bots")
    if len(name) > LONGEST_NAME:
        raise Refused(
            "The name of a bot has up to {most} characters; this one has {length}.",
            most=LONGEST_NAME,
            length=len(name),
            code="text_too_long",
            field="name",
        )
    user = User(username=name, is_bot=True, language=owner.language, timezone=owner.timezone)
    user.set_unusable_password()
    user.full_clean()
    user.save()
    bot = BotAccount(user=user, owner=owner)
    return _save_settings(bot, declared)


@transaction.atomic
def change_bot(*, owner: User, number: int, declared: Declared) -> BotAccount:
    """Change the games that a bot takes part in; its running games continue. Raises `Refused`."""
    account_locks.lock_free_account(owner)
    return _save_settings(find_bot(owner=owner, number=number), declared)


def find_bot(*, owner: User, number: int) -> BotAccount:
    """One's own bot. Raises `Refused`."""
    bot = BotAccount.objects.select_related("user").filter(owner=owner, pk=number).first()
    if bot is None:
        raise Refused("You have no such bot.", code="no_such_bot")
    return bot


def bots_of(owner: User) -> list[User]:
    """The accounts of somebody's bots."""
    return list(User.objects.filter(bot_account__owner=owner).order_by("pk"))


def owner_of(user: User) -> str | None:
    """The name of a bot account's owner; None for other accounts."""
    if not user.is_bot:
        return None
    return BotAccount.objects.filter(user=user).values_list("owner__username", flat=True).first()


def most_games_of(user: User) -> int:
    """How many unfinished games a user may have; for a bot, its owner's choice if that is lower."""
    declared = (
        BotAccount.objects.filter(user=user).values_list("most_games", flat=True).first() if user.is_bot else None
    )
    return most_of("games") if declared is None else min(declared, most_of("games"))


def kept_seats(bot: BotAccount) -> list[Seat]:
    """The seats that the caretaker plays for a bot, which may be taken back."""
    seats = Seat.objects.filter(user=bot.user, keeper=Keeper.AWAY, game__status__in=UNFINISHED)
    return list(seats.select_related("game").order_by("game_id"))


def reclaim_seat(*, owner: User, number: int, game_id: int) -> Seat:
    """Let a bot decide again where the caretaker stepped in. Raises `Refused`."""
    return attendance.reclaim_seat(game_id=game_id, user=find_bot(owner=owner, number=number).user)


def check_seat(*, game: Game, user: User) -> str:
    """Check that a user may take a seat. Returns the seat's name: a bot's with its owner's, empty for people. A bot can
    play if the host allows bots and its settings match, but never in a game in which its owner or another bot of theirs
    has seen a hand: no person has two seats. Raises `Refused`."""
    if not user.is_bot:
        if has_bot_at(game=game, owner=user):
            raise Refused("Your bot plays or played in this game. You cannot play beside it.", code="own_bot_sits")
        return ""
    bot = BotAccount.objects.select_related("owner").filter(user=user).first()
    if bot is None or not game.takes_bots:
        raise Refused("The host of this game does not let bots join.", code="bots_not_wanted")
    if game.host_id == bot.owner_id or _has_played(game, Q(user=bot.owner)):
        raise Refused("Your owner plays in this game. Bots play only in games of other people.", code="owner_sits")
    if _has_played(game, Q(user__bot_account__owner=bot.owner) & ~Q(user=user)):
        raise Refused("Another bot of your owner plays in this game. Only one of them can.", code="owners_bot_sits")
    _check_settings(bot, game)
    return f"{user.username} [{bot.owner.username}]"


def has_bot_at(*, game: Game, owner: User, besides: int = -1) -> bool:
    """True if a bot of this owner plays or played in the game, at a seat other than `besides`."""
    return _has_played(game, Q(user__bot_account__owner=owner) & ~Q(number=besides))


def _has_played(game: Game, who: Q) -> bool:
    """True if somebody has or had a seat of the game, lent it or played it for its owner."""
    return any(rows.filter(who).exists() for rows in (game.seats, game.tenures, game.stand_ins))


def _check_settings(bot: BotAccount, game: Game) -> None:
    """Check that the game matches the bot's settings, and that it may play one more."""
    User.objects.select_for_update(no_key=True).get(
        pk=bot.user_id
    )  # concurrent requests are counted one after the other
    fits = game.ruleset in bot.rulesets and game.pace in bot.paces
    if not fits or not bot.least_seats <= game.seats_wanted <= bot.most_seats:
        raise Refused(
            "This bot plays {games} at these paces: {paces}; for {least} to {most} players.",
            games=", ".join(bot.rulesets),
            paces=", ".join(bot.paces),
            least=bot.least_seats,
            most=bot.most_seats,
            code="bot_not_for_this",
        )
    own = Seat.objects.filter(user=bot.user, game__status__in=UNFINISHED).exclude(keeper=Keeper.RESIGNED)
    if own.count() >= bot.most_games:
        raise Refused(
            "This bot already plays {most} games, the maximum at a time.",
            most=bot.most_games,
            code="too_many_games",
        )


def _save_settings(bot: BotAccount, declared: Declared) -> BotAccount:
    are_rulesets_valid = declared.rulesets and declared.paces and {*declared.rulesets} <= {*RULESETS}
    if not are_rulesets_valid or not {*declared.paces} <= {*Pace.values}:
        raise Refused("Choose at least one game and one pace.", code="nothing_chosen", field="rulesets")
    most = most_of("bot_games")
    if not (2 <= declared.least_seats <= declared.most_seats <= 100 and 1 <= declared.most_games <= most):
        raise Refused(
            "A bot plays in games of at least 2 players, and in up to {most} games at a time. Enter the "
            "smaller number of players first.",
            most=most,
            code="wrong_number",
            field="most_seats",
        )
    for name, value in declared._asdict().items():
        setattr(bot, name, list(value) if name in {"rulesets", "paces"} else value)
    bot.save()
    return bot
