"""What people do without a game is decided under the lock of their account: a ban, a closing, a revoked token and an
ended session that come first leave nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts import api_tokens
from accounts.models import User
from accounts.security import end_sessions
from game.bots import accounts
from game.chat import reading, writing
from game.chat.models import Message, Mute, Notebook, ReadMark, Report
from game.clock import play_times
from game.delivery import webhooks
from game.moderation import case_filing, sanctions
from game.outbox import push_subscriptions
from game.outbox.models import Delivery, NotificationPreference, PushSubscription, Webhook
from game.reputation import households
from game.reputation.models import HouseholdLink
from game.store.availability import Vacation
from game.store.case_models import Case
from game.store.game import Game
from game.store.seat_models import BotAccount
from tests.accounts.test_ways_back import sign_in
from tests.api.clients import Program
from tests.attacks.test_authority import overtaken
from tests.outbox.test_push import KEY, Browser
from tests.scenes import close_by_two, moderator, person, table

pytestmark = pytest.mark.django_db(transaction=True)
ROWS: tuple[type[models.Model], ...] = (
    *(HouseholdLink, Report, Case, PushSubscription, BotAccount, Webhook, Delivery, Vacation, Message, Mute, Notebook),
    *(ReadMark, NotificationPreference),
)
URL = "https://hooks.example.org/"
DECLARED = accounts.Declared(["toy"], ["demo"], 2, 8, 1)


class Laid:
    """Ada plays with Ben and with Carla, and has one of everything; Ben asks her for a shared home, and she asks
    Carla."""

    def __init__(self) -> None:
        self.ada, self.ben, self.carla = (person(name) for name in ("Ada", "Ben", "Carla"))
        self.game: Game = table(self.ada, self.ben, self.carla, ruleset="toy", bots=0)
        self.message = writing.say(game_id=self.game.pk, user=self.ben, text="Hello").number
        households.request_link(user=self.ben, name="Ada")
        households.request_link(user=self.ada, name="Carla")
        self.asked, self.asks = HouseholdLink.objects.order_by("pk")
        dora = person("Dora")
        households.request_link(user=dora, name="Ada")
        households.request_link(user=self.ada, name="Dora")
        self.linked = HouseholdLink.objects.get(since__isnull=False)
        day = timezone.now().date() + timedelta(days=3)
        self.vacation = play_times.declare_vacation(user=self.ada, first=day, last=day)
        self.bot = accounts.make_bot(owner=self.ada, name="Deep", declared=DECLARED)
        self.hook = webhooks.add(user=self.ada, url=URL)
        self.browser = self.allow("one")
        person("Emil")

    def allow(self, name: str) -> PushSubscription:
        browser = Browser(name)
        push_subscriptions.allow(user=self.ada, endpoint=browser.endpoint, **browser.told["keys"])
        return PushSubscription.objects.get(endpoint=browser.endpoint)


Act = Callable[[Laid], Any]
ACTS: dict[str, Act] = {
    "ask for a home": lambda laid: households.request_link(user=laid.ada, name="Emil"),
    "confirm by asking": lambda laid: households.request_link(user=laid.ada, name="Ben"),
    "confirm": lambda laid: households.confirm(user=laid.ada, number=laid.asked.pk),
    "decline": lambda laid: households.decline(user=laid.ada, number=laid.asked.pk),
    "withdraw": lambda laid: households.withdraw(user=laid.ada, number=laid.asks.pk),
    "end": lambda laid: households.end(user=laid.ada, number=laid.linked.pk),
    "end a vacation": lambda laid: play_times.end_vacation(user=laid.ada, number=laid.vacation.pk),
    "report a message": lambda laid: reading.report(
        game_id=laid.game.pk, user=laid.ada, number=laid.message, reason="rude"
    ),
    "report a problem": lambda laid: case_filing.report_problem(
        game=laid.game, user=laid.ada, kind="rules", words="Wrong"
    ),
    "report a person": lambda laid: case_filing.report_person(
        person=laid.ben, user=laid.ada, kind="chat", words="He swore."
    ),
    "allow a browser": lambda laid: laid.allow("two"),
    "change a bot": lambda laid: accounts.change_bot(
        owner=laid.ada, number=laid.bot.pk, declared=DECLARED._replace(most_seats=3)
    ),
    "change a webhook": lambda laid: webhooks.change(user=laid.ada, number=laid.hook.pk, types=["turn"]),
    "change a secret": lambda laid: webhooks.change_secret(user=laid.ada, number=laid.hook.pk),
    "check a webhook": lambda laid: webhooks.check_again(user=laid.ada, number=laid.hook.pk),
    "remove a webhook": lambda laid: webhooks.remove(user=laid.ada, number=laid.hook.pk),
    "write": lambda laid: writing.say(game_id=laid.game.pk, user=laid.ada, text="Sell all"),
    "note": lambda laid: reading.save_notes(game=laid.game, user=laid.ada, text="Sell all", revision=0),
    "mute": lambda laid: reading.mute(game_id=laid.game.pk, user=laid.ada, seat_number=1, is_on=True),
}


OF_EACH_LOCK = ("ask for a home", "report a person", "remove a webhook", "write", "mute")
"""What shows that a closed account is barred as a banned one is: both are decided by the same locks."""


@pytest.fixture
def laid(settings: Any) -> Laid:
    settings.PUSH_KEY, settings.LIMITED = KEY, False
    return Laid()


def rows() -> list[list[dict[str, Any]]]:
    """What there is of everything that somebody could make, change or remove."""
    return [list(model._default_manager.order_by("pk").values()) for model in ROWS]


@pytest.mark.parametrize(("act", "end"), [(act, "ban") for act in ACTS] + [(act, "closing") for act in OF_EACH_LOCK])
def test_a36_whoever_is_banned_or_closed_meanwhile_does_nothing_without_a_game(laid: Laid, act: str, end: str) -> None:
    lena, ada = moderator("Lena"), User.objects.get(username="Ada")
    after: list[Any] = []

    def decide() -> None:
        if end == "ban":
            sanctions.impose(person=ada, moderator=lena, kind="ban", reason="threats", days=2)
        else:
            close_by_two(user_id=ada.pk, moderator=lena, reason="threats")
        after[:] = rows()

    assert overtaken(decide, lambda: ACTS[act](laid)) in {"barred", "not_seated", "cannot_mute", "no_such_message"}
    assert rows() == after


@pytest.mark.parametrize("verb", ["confirm", "ask"])
def test_a36_nobody_is_linked_to_an_account_that_is_closed_meanwhile(laid: Laid, verb: str) -> None:
    acts: dict[str, Callable[[], Any]] = {
        "confirm": partial(households.confirm, user=laid.ada, number=laid.asked.pk),
        "ask": partial(households.request_link, user=laid.ada, name="Ben"),
    }
    close = partial(close_by_two, user_id=laid.ben.pk, moderator=moderator("Lena"), reason="threats")
    assert overtaken(close, acts[verb]) == "no_such_account"
    assert not HouseholdLink.objects.get(pk=laid.asked.pk).since


OF_PROGRAMS: dict[str, Callable[[Program, Laid], Any]] = {
    "write": lambda program, laid: program.post(f"games/{laid.game.pk}/chat", {"text": "Sell all"}),
    "read": lambda program, laid: program.post(f"games/{laid.game.pk}/chat/read", {"number": laid.message}),
    "note": lambda program, laid: program.put(f"games/{laid.game.pk}/notes", {"text": "Sell all", "revision": 0}),
    "mute": lambda program, laid: program.post(f"games/{laid.game.pk}/chat/mute/1", {"is_on": True}),
    "report": lambda program, laid: program.post(
        f"games/{laid.game.pk}/chat/{laid.message}/report", {"reason": "rude"}
    ),
    "end a vacation": lambda program, laid: program.delete(f"me/vacations/{laid.vacation.pk}"),
    "webhook": lambda program, laid: program.post("me/webhooks", {"url": URL + "other"}),
    "remove a webhook": lambda program, laid: program.delete(f"me/webhooks/{laid.hook.pk}"),
}


@pytest.mark.parametrize("act", OF_PROGRAMS)
def test_a36_a_token_that_is_revoked_meanwhile_does_nothing_without_a_game(laid: Laid, act: str) -> None:
    program, was = Program("Ada"), rows()
    revoke = partial(api_tokens.revoke, user=laid.ada, number=program.token.pk)
    answer = overtaken(revoke, lambda: OF_PROGRAMS[act](program, laid))
    assert (answer.status_code, answer.json()["type"].rsplit("/", 1)[1]) == (401, "no-token")
    assert rows() == was


OF_PAGES: dict[str, tuple[str, dict[str, str]]] = {
    "write": ("/games/{game}/chat/say/", {"text": "Sell all", "token": "t"}),
    "read": ("/games/{game}/chat/read/", {"number": "1"}),
    "choose notifications": ("/games/{game}/notifications/", {"turn-mail": "off"}),
    "choose a time zone": ("/accounts/preferences/", {"timezone": "Asia/Tokyo", "theme": "auto", "language": "en"}),
    "note": ("/games/{game}/notes/", {"text": "Sell all", "revision": "0"}),
    "mute": ("/games/{game}/chat/mute/1/", {"on": "yes"}),
    "report a message": ("/games/{game}/chat/{message}/report/", {"reason": "rude"}),
    "report a problem": ("/games/{game}/problem/", {"kind": "rules", "words": "Wrong"}),
    "report a person": ("/people/Ben/report/", {"kind": "chat", "words": "He swore."}),
    "ask for a home": ("/accounts/households/", {"name": "Emil"}),
    "end a vacation": ("/accounts/vacation/{vacation}/end/", {}),
    "remove a webhook": ("/accounts/webhooks/{hook}/remove/", {}),
    "remove a browser": ("/notifications/browser/{browser}/remove/", {}),
    "delete a bot": ("/accounts/bots/{bot}/delete/", {}),
}


@pytest.mark.parametrize("act", OF_PAGES)
def test_a36_a_session_that_is_ended_meanwhile_does_nothing_without_a_game(laid: Laid, act: str) -> None:
    path, form = OF_PAGES[act]
    path = path.format(
        game=laid.game.pk, message=laid.message, vacation=laid.vacation.pk, hook=laid.hook.pk, bot=laid.bot.pk,
        browser=laid.browser.pk,
    )  # fmt: skip
    page, was = Client(), rows()
    page.force_login(laid.ada)

    def sign_out_elsewhere() -> None:
        accounts_locked = [laid.ada.pk, laid.bot.user_id]
        list(User.objects.select_for_update(no_key=True).filter(pk__in=accounts_locked).order_by("pk"))
        end_sessions(laid.ada)

    board = laid.game.get_absolute_url()
    answer = overtaken(
        sign_out_elsewhere, lambda: page.post(path, form, headers={"Referer": f"http://testserver{board}"})
    )
    assert (answer.status_code, answer.url) == (302, "/accounts/login/")
    assert rows() == was
    assert sign_in(page, "Ada", password="correct horse battery") == board, "back to where it began"
