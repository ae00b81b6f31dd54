"""Every page of the site, by the names of the URL table: who opens it, and how it comes to be there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.db.models.functions import Now
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts import api_tokens, guests
from accounts.models import User
from game.bots import accounts
from game.chat import reading, writing
from game.delivery import board_links, unsubscribing, webhooks
from game.lobby import copies, inviting, lessons, lobby
from game.lobby.browse_queries import SECTIONS
from game.lobby.guests import first_game
from game.moderation import emails
from game.outbox.models import Topic
from game.reputation import households, ratings
from game.reputation.models import HouseholdLink
from game.rulesets.registry import RULESETS
from game.seats import takeover
from game.store import eyes
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.log import Notice
from game.store.seat_models import BotAccount, InvitationStop
from tests.browser.conftest import two_people
from tests.browser.positions import lay
from tests.browser.test_devices import PLACES
from tests.rulesets.sectors.table import Table
from tests.scenes import moderator, play_on
from tests.tables import READY, new_game, person, send

NOBODY = ""
HOST, GUEST, STRANGER, MODERATOR = "ada", "bob", "mallory", "Lena"
SAID = "Does anybody want to talk about the energy sector?"


@dataclass(frozen=True)
class Visit:
    """A person (or nobody) who opens an address; `status` is what the site answers."""

    path: str
    who: str = HOST
    status: int = 200


@dataclass
class Tables:
    """The games the pages are about; each is made when the first page asks for it."""

    kept: dict[str, Game] = field(default_factory=dict)

    @cached_property
    def over(self) -> Game:
        """Sectors at its end."""
        return play_on(new_game(HOST, bots=2, max_turns=2))

    @cached_property
    def played(self) -> Game:
        """Power Up at its end."""
        return play_on(new_game(HOST, bots=2, ruleset="power_up"))

    @cached_property
    def gathering(self) -> Game:
        game = lobby.create_game(host=person(HOST), name="The Tuesday Consortium", seats=4, bots=1)
        lobby.join_game(game_id=game.pk, user=person(GUEST))
        return game

    @cached_property
    def asking(self) -> Game:
        """A game by invitation to which one person is invited by name, and another has declined."""
        game = lobby.create_game(host=person(HOST), name="Another evening", seats=3, pace="evening", is_open=False)
        for name in ("Ivo", "Jill"):
            inviting.invite(game_id=game.pk, user=person(HOST), person=person(name).pk)
        inviting.decline(game_id=game.pk, user=person("Jill"))
        InvitationStop.objects.create(user=person("Ivo"), host=person(STRANGER))
        return game

    @cached_property
    def left(self) -> Game:
        """A game by invitation that is played, of which one player has resigned."""
        game = new_game(HOST, GUEST, "Kim", pace="daily")
        Game.objects.filter(pk=game.pk).update(is_open=False)
        takeover.resign(game_id=game.pk, user=person("Kim"))
        return game

    @cached_property
    def talking(self) -> Game:
        game = new_game(HOST, GUEST, pace="daily")
        for name in (HOST, GUEST):
            writing.say(game_id=game.pk, user=person(name), text=SAID)
        return game


def at_tranche_vote(table: Table) -> Table:
    return table.at("tranche_vote", turn=3).tranche("industrial", cash=90, prestige=1).tranche("energy", cash=40)


def at_shorts(table: Table) -> Table:
    return table.at("cover_shorts").short("ada", "ACME", 2, 40)


def at_options(table: Table) -> Table:
    return table.at("exercise_options").contract("ACME", strike=40, term=3, owner="ada")


DECISIONS = [*PLACES, at_tranche_vote, at_shorts, at_options]


def boards(tables: Tables) -> Iterator[Visit]:
    """Sectors at each kind of decision, in review and at its end; the other games; the waiting room; a lesson."""
    for place in DECISIONS:
        yield Visit(lay(place(two_people())).get_absolute_url())
    submitted = lay(two_people().at("influence_bid"))
    send(submitted, 0, {"kind": "bid_influence", "points": 3})
    yield Visit(submitted.get_absolute_url())
    yield Visit(submitted.get_absolute_url(), NOBODY)
    yield Visit(tables.over.get_absolute_url())
    yield Visit(new_game(HOST, GUEST, ruleset="power_up", pace="daily").get_absolute_url())
    for trade_mode in ("strict", "batch"):
        chosen = {"mode": "strategist", "trade_mode": trade_mode}
        yield Visit(new_game(HOST, GUEST, ruleset="stock_market_tycoon", pace="daily", **chosen).get_absolute_url())
    yield Visit(tables.played.get_absolute_url())
    toy = new_game(HOST, GUEST, ruleset="toy", pace="daily")
    yield Visit(toy.get_absolute_url())
    for seat in (0, 1):
        send(toy, seat, {"kind": "bid", "coins": seat}, READY)
    yield Visit(toy.get_absolute_url(), GUEST)
    for who in (HOST, GUEST, STRANGER):
        yield Visit(tables.gathering.get_absolute_url(), who)
    guest = guests.new_guest()
    yield Visit(first_game(user=guest, ruleset="sectors").get_absolute_url(), guest.username)
    for ruleset, lesson in (("sectors", "short"), ("power_up", "merge")):
        yield Visit(lessons.begin_lesson(user=person(HOST), ruleset=ruleset, key=lesson).get_absolute_url())


def peek(tables: Tables) -> Iterator[Visit]:
    """The board behind the link of an email."""
    game, user = tables.talking, person(HOST)
    notice = Notice(game=game, seat=game.seats.get(user=user), user=user, kind=Notice.Kind.TURN)
    yield Visit(board_links.board_url(notice), NOBODY)


def copy(tables: Tables) -> Iterator[Visit]:
    """The page that offers a copy, before and after one was made, and the copy."""
    path = reverse("copy", args=[tables.talking.pk])
    yield Visit(path)
    made = copies.make_copy(game_id=tables.talking.pk, user=person(HOST))
    yield Visit(path)
    yield Visit(made.get_absolute_url())
    yield Visit(reverse("copies"))


def copy_link(tables: Tables) -> Iterator[Visit]:
    """A copy behind its link."""
    bar = copies.bar_of(copies.make_copy(game_id=tables.talking.pk, user=person(HOST)))
    assert bar is not None
    yield Visit(bar.link, NOBODY)


def confirmed() -> User:
    """Somebody with a confirmed address."""
    user = person("Grace")
    if not user.email:
        User.objects.filter(pk=user.pk).update(email="grace@example.org")
        EmailAddress.objects.create(user=user, email="grace@example.org", primary=True, verified=True)
    return User.objects.get(pk=user.pk)


def confirmation(_: Tables) -> Iterator[Visit]:
    address = EmailAddress.objects.create(user=person(GUEST), email="bob@example.org", verified=False)
    yield Visit(f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/", NOBODY)
    yield Visit("/accounts/confirm-email/spent/", NOBODY)


def protected(*names: str, key: bool = False) -> Callable[[Tables], Iterator[Visit]]:
    """Pages of somebody whose account has an app, recovery codes and a passkey; `key`: the page is about the latter."""

    def visits(_: Tables) -> Iterator[Visit]:
        user = confirmed()
        if not user.authenticator_set.exists():  # type: ignore[attr-defined]
            TOTP.activate(user, generate_totp_secret())
            RecoveryCodes.activate(user)
            Authenticator.objects.create(user=user, type="webauthn", data={"name": "My phone", "credential": {}})
        passkey = Authenticator.objects.get(user=user, type="webauthn")
        for name in names:
            yield Visit(reverse(name, args=[passkey.pk] if key else []), user.username)

    return visits


def new_password(_: Tables) -> Iterator[Visit]:
    user = confirmed()
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    yield Visit(f"/accounts/password/reset/key/{key}/", NOBODY)
    yield Visit("/accounts/password/reset/key/1-spent/", NOBODY)


def invited(tables: Tables) -> Iterator[Visit]:
    """To a game that gathers, and to a free seat of one that is played, whose board shows the link."""
    eyes.renew_link(tables.gathering)
    for game in (tables.gathering, tables.left):
        path = eyes.link_to(game.pk).removeprefix(settings.SITE_URL)
        yield Visit(path, STRANGER)
        yield Visit(path, NOBODY)
    yield Visit(tables.left.get_absolute_url())


def invited_by_name(tables: Tables) -> Iterator[Visit]:
    """The page of one's invitations, filled and empty, the lobby and the game with one, and the host's list of them."""
    path, name = tables.asking.get_absolute_url(), "Ivo"
    for address in ("/accounts/invitations/", "/games/", path):
        yield Visit(address, name)
    yield Visit("/accounts/invitations/", STRANGER)
    yield Visit(path)


def substitutes(tables: Tables) -> Iterator[Visit]:
    """Where a host brings somebody to a free seat by link and by name, and the board and the lobby of whom they
    invited."""
    for name in ("Ivo", "Jill"):
        inviting.invite(game_id=tables.left.pk, user=person(HOST), person=person(name).pk)
    inviting.decline(game_id=tables.left.pk, user=person("Jill"))
    yield Visit(f"/games/{tables.left.pk}/substitutes/")
    for address in ("/games/", tables.left.get_absolute_url()):
        yield Visit(address, "Ivo")


def browsed(tables: Tables) -> Iterator[Visit]:
    """The lobby and its lists: games that gather, run and are over, one's own, and a list that there is not."""
    assert tables.gathering
    assert tables.talking
    assert tables.over
    yield Visit("/games/")
    for show in SECTIONS:
        yield Visit(f"/games/?show={show}", STRANGER)
    yield Visit("/games/?show=running&mine=1")
    yield Visit("/games/?show=sideways", status=404)


def profiles(tables: Tables) -> Iterator[Visit]:
    """One's own page, that of somebody else, and that of somebody who has played nothing."""
    assert tables.over
    assert tables.gathering
    for who in (HOST, STRANGER, NOBODY):
        yield Visit(f"/people/{HOST}/", who)
    yield Visit(f"/people/{STRANGER}/", person(STRANGER).username)


def ranked(_: Tables) -> Iterator[Visit]:
    """A board with people on it, one without, and that of no game."""
    for name, other in ((HOST, GUEST), (HOST, STRANGER), (GUEST, STRANGER)) * 3:
        game = lobby.create_game(host=person(name), name="Rated", seats=2, ruleset="power_up", is_rated=True)
        lobby.join_game(game_id=game.pk, user=person(other))
        lobby.start_game(game_id=game.pk, user=person(name))
        for number in (0, 1):
            game.seats.filter(number=number).update(place=number + 1)
        Game.objects.filter(pk=game.pk).update(status="finished", finished_at=Now(), deadline_at=None)
        ratings.settle(game=Game.objects.get(pk=game.pk))
    yield Visit("/leaderboard/power_up/")
    yield Visit("/leaderboard/sectors/", NOBODY)
    yield Visit("/leaderboard/stock_market_tycoon/investor/", NOBODY)
    yield Visit("/leaderboard/chess/", status=404)
    yield Visit(f"/people/{HOST}/")


def bots(_: Tables) -> Iterator[Visit]:
    """One's own bots, and the page of somebody who has none."""
    if not BotAccount.objects.exists():
        declared = accounts.Declared(list(RULESETS), ["daily"], 2, 8, 3)
        accounts.make_bot(owner=person(HOST), name="Deep Field", declared=declared)
    yield Visit("/accounts/bots/")
    yield Visit("/accounts/bots/", GUEST)


def shared_homes(_: Tables) -> Iterator[Visit]:
    """Requests and links of every kind, and the page of somebody who has none."""
    host = person(HOST)
    if not HouseholdLink.objects.exists():
        for name in ("Gil", "Hana", "Ida"):
            households.request_link(user=host, name=person(name).username)
        for name in ("Jon", GUEST):
            households.request_link(user=person(name), name=HOST)
        for name, act in (("Hana", households.confirm), ("Ida", households.confirm), ("Gil", households.decline)):
            act(user=person(name), number=HouseholdLink.objects.get(asked_by=host, two=person(name)).pk)
        households.end(user=host, number=HouseholdLink.objects.get(two=person("Ida")).pk)
        households.request_link(user=host, name=person("Kim").username)
    yield Visit("/accounts/households/")
    yield Visit("/accounts/households/", STRANGER)


def one_bot(what: str) -> Callable[[Tables], Iterator[Visit]]:
    """A page about a bot of the host's."""

    def visits(tables: Tables) -> Iterator[Visit]:
        list(bots(tables))
        yield Visit(f"/accounts/bots/{BotAccount.objects.get().pk}/{what}")

    return visits


def tokens(_: Tables) -> Iterator[Visit]:
    """One's own tokens, and the page of somebody who has none."""
    for name in ("My bot", "The laptop"):
        api_tokens.issue(user=person(HOST), name=name, scopes=["read", "play"], days=30)
    yield Visit("/accounts/tokens/")
    yield Visit("/accounts/tokens/", GUEST)


def hooks(_: Tables) -> Iterator[Visit]:
    """The list, and a webhook that was sent something; the page of somebody who has none."""
    hook = webhooks.webhooks_of(person(HOST)).first()
    hook = hook or webhooks.add(user=person(HOST), url="https://hooks.example.org/sectors")
    webhooks.disable(webhook=hook, why="Its address answered “410 Gone”.")
    yield Visit("/accounts/webhooks/")
    yield Visit(f"/accounts/webhooks/{hook.pk}/")
    yield Visit(f"/accounts/webhooks/{hook.pk}/secret/")
    yield Visit("/accounts/webhooks/", GUEST)


def of_games(path: str, *names: str) -> Callable[[Tables], Iterator[Visit]]:
    """One page for each of several games."""

    def visits(tables: Tables) -> Iterator[Visit]:
        for name in names or ("over", "played"):
            yield Visit(f"/games/{getattr(tables, name).pk}/{path}")

    return visits


def at(*paths: str, who: tuple[str, ...] = (HOST,)) -> Callable[[Tables], Iterator[Visit]]:
    def visits(_: Tables) -> Iterator[Visit]:
        yield from (Visit(path, name) for path in paths for name in who)

    return visits


def appealed(_: Tables) -> Iterator[Visit]:
    """The form of an appeal, and what somebody sees who is banned."""
    judged = person(GUEST)
    sanction = Sanction.objects.create(user=judged, kind="mute", reason="spam", until=timezone.now() + timedelta(1))
    yield Visit(reverse("appeal", args=[sanction.pk]), GUEST)
    gone = person("banned")
    Sanction.objects.create(user=gone, kind="ban", reason="threats", until=timezone.now() + timedelta(1))
    User.objects.filter(pk=gone.pk).update(banned_until=timezone.now() + timedelta(1))
    yield Visit("/games/", gone.username, status=403)


def appealed_closing(_: Tables) -> Iterator[Visit]:
    """The form of an appeal for somebody who cannot sign in any more."""
    sanction = Sanction.objects.create(user=person("closed"), kind="closed", reason="threats")
    yield Visit(emails.appeal_address(sanction), NOBODY)


def desk(tables: Tables) -> Iterator[Visit]:
    """The moderators' pages: games and a reported message, each with a page that asks why, and what is done to people.
    The form of an account, open to superusers alone, is Django's own."""
    moderator(MODERATOR, is_superuser=True)
    game, author = tables.talking, person(GUEST)
    for one, other in ((author, person("Lea")), (person("Lea"), author)):
        households.request_link(user=one, name=other.username)
    report = reading.report(game_id=game.pk, user=person(HOST), number=2, reason="insults")
    lists = ("game_game", "game_case", "game_report", "game_approvalrequest", "game_sitestate", "accounts_user")
    places = [("index",), *((f"{name}_changelist",) for name in lists)]
    requests = [
        ("game_game_change", game.pk),
        ("game_report_change", report.pk),
        ("close_account", author.pk),
        ("person_desk", author.pk),
        ("game_case_change", Case.objects.get(game=game).pk),
        ("change_identity", author.pk),
        ("take_second_factor", author.pk),
        ("change_powers", author.pk),
    ]
    requests += [(name, game.pk) for name in ("secrets", "rerun", "pairs", "bundle")]
    verbs = [("moderate", game.pk, "pause"), ("moderate", game.pk, "rewind"), ("answer_report", report.pk, "silence")]
    for name, *words in [*places, *requests, *verbs]:
        yield Visit(reverse(f"admin:{name}", args=words), MODERATOR)


# The name in the URL table and the visits to it.
BOARDS: dict[str, Callable[[Tables], Iterator[Visit]]] = {"game": boards}
GAMES: dict[str, Callable[[Tables], Iterator[Visit]]] = {
    "game_results": of_games("results/"),
    "game_story": of_games("story/"),
    "game_history": of_games("history/"),
    "game_spreadsheet": of_games("spreadsheet/"),
    "game_explanation": of_games("explain/cash/0/"),
    "game_charts": of_games("charts/"),
    "game_outcomes": of_games("outcomes/"),
    "game_draws": of_games("draws/", "over"),
    "chat": of_games("chat/", "talking", "over"),
    "report_problem": of_games("problem/", "talking"),
    "chat_report": of_games("chat/2/report/", "talking"),
    "notes": of_games("notes/", "talking"),
    "resign": of_games("seat/resign/", "talking"),
    "game_notifications": of_games("notifications/", "talking"),
    "invitation": invited,
    "substitutes": substitutes,
    "invitations": invited_by_name,
}
SITE: dict[str, Callable[[Tables], Iterator[Visit]]] = {
    "home": at("/", who=(NOBODY, HOST)),
    "lessons": at("/lessons/", who=(NOBODY, HOST)),
    "lobby": browsed,
    "create_game": at("/games/new/", *(f"/games/new/?game={key}" for key in RULESETS)),
    "person": profiles,
    "report_person": at(f"/people/{GUEST}/report/"),
    "moderation": at("/moderation/", who=(NOBODY, HOST)),
    "my_cases": at("/moderation/mine/"),
    "appeal": appealed,
    "appeal_closing": appealed_closing,
    **dict.fromkeys(("leaderboard", "ladder"), ranked),
    "api_docs": at("/developers/", who=(NOBODY, HOST)),
    "rules": at("/rules/", who=(NOBODY, HOST)),
    "rulebook": at("/rules/sectors/", "/rules/sectors/?q=short", "/rules/power_up/", "/rules/power_up/?q=merge"),
}
ACCOUNTS: dict[str, Callable[[Tables], Iterator[Visit]]] = {
    "account_login": at("/accounts/login/", who=(NOBODY,)),
    "account_signup": at("/accounts/signup/", who=(NOBODY,)),
    "account_logout": at("/accounts/logout/"),
    "account_inactive": at("/accounts/inactive/", who=(NOBODY,)),
    "account_reauthenticate": at("/accounts/reauthenticate/"),
    "account_email": at("/accounts/email/"),
    "account_email_verification_sent": at("/accounts/confirm-email/", who=(NOBODY,)),
    "account_change_password": at("/accounts/password/change/"),
    "account_reset_password": at("/accounts/password/reset/", who=(NOBODY,)),
    "account_reset_password_done": at("/accounts/password/reset/done/", who=(NOBODY,)),
    "account_reset_password_from_key": new_password,
    "account_reset_password_from_key_done": at("/accounts/password/reset/key/done/", who=(NOBODY,)),
    "account_confirm_email": confirmation,
    "preferences": at("/accounts/preferences/"),
    "play_times": at("/accounts/times/"),
    "bots": bots,
    "households": shared_homes,
    "new_bot": at("/accounts/bots/new/"),
    "change_bot": one_bot(""),
    "new_bot_token": one_bot("token/"),
    "tokens": tokens,
    "new_token": at("/accounts/tokens/new/"),
    "webhooks": hooks,
    "webhook": hooks,
    "change_webhook_secret": hooks,
    "new_webhook": at("/accounts/webhooks/new/"),
    "notifications": at("/notifications/"),
    "peek": peek,
    "copy": copy,
    "copies": at("/games/copies/"),
    "copy_link": copy_link,
    "unsubscribe": lambda _: iter([Visit(unsubscribing.address(confirmed(), [Topic.TURN]), NOBODY)]),
    "delete_account": at("/accounts/delete/"),
    "my_data": at("/accounts/my-data/"),
    "usersessions_list": at("/accounts/sessions/"),
    "mfa_index": at("/accounts/2fa/"),
    "mfa_activate_totp": at("/accounts/2fa/totp/activate/"),
    "mfa_deactivate_totp": protected("mfa_index", "mfa_deactivate_totp"),
    "mfa_view_recovery_codes": protected("mfa_view_recovery_codes"),
    "mfa_generate_recovery_codes": protected("mfa_generate_recovery_codes"),
    "mfa_list_webauthn": protected("mfa_list_webauthn"),
    "mfa_add_webauthn": at("/accounts/2fa/webauthn/add/"),
    "mfa_edit_webauthn": protected("mfa_edit_webauthn", key=True),
    "mfa_remove_webauthn": protected("mfa_remove_webauthn", key=True),
    "mfa_reauthenticate": protected("mfa_reauthenticate"),
    "mfa_reauthenticate_webauthn": at("/accounts/2fa/webauthn/reauthenticate/"),
}
PAGES = {**BOARDS, **GAMES, **SITE, **ACCOUNTS}
DESK: dict[str, Callable[[Tables], Iterator[Visit]]] = {"admin": desk}


def addresses() -> dict[str, str]:
    """The URL table: names and patterns, without the moderators' desk and the API, which shows no pages."""

    def walk(resolver: URLResolver, before: str) -> Iterator[tuple[str, str]]:
        for entry in resolver.url_patterns:
            pattern = before + str(entry.pattern)
            if isinstance(entry, URLPattern) and entry.name:  # the desk's home has its name below
                yield entry.name, pattern
            elif isinstance(entry, URLResolver) and not pattern.startswith(("admin/", "api/")):
                yield from walk(entry, pattern)

    return dict(walk(get_resolver(), ""))
