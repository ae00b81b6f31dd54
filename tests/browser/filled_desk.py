"""A moderation desk with something in every list, in the longest words there can be."""

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.db.models import Model
from django.urls import reverse

from accounts import guests
from accounts.addresses import note_bounce
from accounts.models import Bounce, User
from game.chat import reading, writing
from game.chat.models import Report
from game.moderation import interventions, multi_accounts
from game.people import account_closure
from game.site.models import SiteState
from game.store.board_rows import Contract, Order
from game.store.case_models import Case
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest
from tests.scenes import moderator, play_on, seen
from tests.tables import new_game, person

LONG_WORD = "Zwangsvollstreckungsaufschubsbeschwerdeverfahrensordnungen"
LONG_NAME = f"{LONG_WORD[:36]} of northern railways"
MODERATOR, PLAYER, OTHER = "Magdalena-Konstantinova", "Maximilian-Bartholomeus1", "Friedrich_Wilhelm_IV_179"
REASON = f"They asked for it in the chat of the game, see also {LONG_WORD} there"
ADDRESS = f"{LONG_WORD.lower()}@a-very-long-name-of-a-mail-provider.example.org"
OF_A_PERSON = ("person_desk", "close_account", "change_identity", "take_second_factor", "change_powers")
OF_A_GAME = ("game_game_change", "secrets", "rerun", "pairs", "bundle")


def fill() -> Game:
    """A game that runs, one that is over, and what moderators did about them and their players; the game that runs."""
    boss = moderator(MODERATOR, is_superuser=True)
    play_on(new_game(PLAYER, bots=2, max_turns=2))
    game = new_game(PLAYER, OTHER, pace="daily")
    Game.objects.update(name=LONG_NAME)
    Order.objects.create(game=game, number=1, seat=0, company="ACME", turn=12, status="rejected")
    Contract.objects.create(game=game, number=1, company="ACME", shares=10, owner=1)
    _note_traces()
    writing.say(game_id=game.pk, user=person(OTHER), text=f"You {LONG_WORD}!")
    reading.report(game_id=game.pk, user=person(PLAYER), number=1, reason=REASON[:100])
    account_closure.request_closure(user_id=person(OTHER).pk, moderator=boss, reason=REASON)
    for act in (interventions.pause, interventions.resume):
        act(game_id=game.pk, moderator=boss, reason=REASON, seen=seen(game))
    return game


def _note_traces() -> None:
    """An address that both players share, a second factor of each, an address that bounced, and a guest."""
    for name in (PLAYER, OTHER):
        multi_accounts.note_visit(user=person(name), address="192.0.2.10")
        Authenticator.objects.create(user=person(name), type=Authenticator.Type.TOTP, data={})
    User.objects.filter(username=OTHER).update(email=ADDRESS)
    note_bounce(ADDRESS, Bounce.Why.UNKNOWN, f"550 5.1.1 <{ADDRESS}>: Recipient address rejected")
    guests.new_guest()


def lists() -> dict[type[Model], str]:
    """The address of every list of the desk. That of the site is a page: there is one."""
    models = [model for model in admin.site._registry if model is not SiteState]
    return {one: reverse(f"admin:{one._meta.app_label}_{one._meta.model_name}_changelist") for one in models}


def pages(game: Game) -> list[str]:
    """The addresses of the desk's pages beside its lists."""
    named = [("index",), ("game_sitestate_changelist",)]
    named += [(name, person(OTHER).pk) for name in (*OF_A_PERSON, "accounts_user_change")]
    named += [(name, game.pk) for name in OF_A_GAME]
    named += [("moderate", game.pk, key) for key in ("extend", "to-user", "rewind", "proxy")]
    for model in (Case, Report, ApprovalRequest):
        named += [(f"game_{model._meta.model_name}_change", key) for key in model.objects.values_list("pk", flat=True)]
    return [reverse(f"admin:{name}", args=words) for name, *words in named]
