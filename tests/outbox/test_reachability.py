"""Players whom nothing tells that a decision is theirs read so where they decide, with the way to mend it."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import Bounce, User
from game.outbox import preferences
from game.outbox.models import PushSubscription, Topic, Webhook
from game.store.game import Game
from game.store.log import Channel
from tests.scenes import person, ready, silent, table
from tests.tables import new_game
from tests.tables import person as without_address

pytestmark = [pytest.mark.django_db]
LINE = re.compile(r'<p class="say" id="unreachable".*?</p>', re.DOTALL)


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def game(ada: User) -> Game:
    return table(ada, silent())


def line(reader: User, path: str) -> str:
    """What the page says of it; empty where it says nothing."""
    client = Client()
    client.force_login(reader)
    found = LINE.findall(client.get(path).content.decode())
    assert len(found) <= 1
    return str(found[0]) if found else ""


def pages(game: Game) -> tuple[str, str, str]:
    return game.get_absolute_url(), "/", "/games/"


def stop(user: User, game: Game | None = None) -> None:
    preferences.stop(user_id=user.pk, topics=[Topic.TURN], channel=Channel.MAIL, game_id=game and game.pk)


def bounce(user: User, why: Bounce.Why = Bounce.Why.UNKNOWN) -> None:
    Bounce.objects.create(address=user.email.lower(), why=why)


def test_who_is_told_by_email_reads_nothing_of_it(ada: User, game: Game) -> None:
    assert [line(ada, path) for path in pages(game)] == ["", "", ""]


def test_email_that_was_turned_off_for_all_games(ada: User, game: Game) -> None:
    stop(ada)
    for path in pages(game):
        assert "Emails about your decisions are off" in line(ada, path), path
        assert 'href="/notifications/"' in line(ada, path)


def test_email_that_was_turned_off_for_this_game(ada: User, game: Game) -> None:
    stop(ada, game)
    for path in pages(game):
        assert f"Emails about your decisions in {game.name} are off" in line(ada, path), path
        assert f'href="/games/{game.pk}/notifications/"' in line(ada, path)


@pytest.mark.parametrize(("why", "words"), [(Bounce.Why.UNKNOWN, "came back"), (Bounce.Why.SPAM, "marked as spam")])
def test_an_address_that_mail_came_back_from(ada: User, game: Game, why: Bounce.Why, words: str) -> None:
    bounce(ada, why)
    for path in pages(game):
        assert words in line(ada, path), path
        assert 'href="/accounts/email/"' in line(ada, path)


def test_an_address_that_is_not_confirmed(ada: User, game: Game, settings: Any) -> None:
    EmailAddress.objects.filter(user=ada).update(verified=False)
    for path in pages(game):
        assert "not confirmed" in line(ada, path), path
        assert 'href="/accounts/email/"' in line(ada, path)
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert not line(ada, game.get_absolute_url()), "mail that is only printed wants no proof"


def test_an_account_without_an_address() -> None:
    game = new_game("ada", "ben", pace="daily")
    assert "has no email address" in line(without_address("ada"), game.get_absolute_url())


def test_whoever_chose_no_email_reads_it_only_while_a_decision_is_theirs(ada: User, game: Game) -> None:
    stop(ada)
    ready(game, 0)
    assert not line(ada, "/")
    assert not line(ada, game.get_absolute_url())
    bounce(ada)
    assert "came back" in line(ada, "/"), "that is nobody's choice"


@pytest.mark.parametrize("pace", ["live", "demo"])
def test_games_of_one_sitting_say_nothing_of_it(ada: User, pace: str) -> None:
    stop(ada)
    game = table(ada, silent(), pace=pace)
    assert [line(ada, path) for path in pages(game)] == ["", "", ""]


def test_nothing_is_said_where_no_deadline_waits(ada: User) -> None:
    stop(ada)
    game = table(ada)
    assert game.deadline_at is None
    assert [line(ada, path) for path in pages(game)] == ["", "", ""]


def test_who_is_told_by_their_browser_or_webhook_needs_no_email(ada: User, game: Game, settings: Any) -> None:
    stop(ada)
    browser = PushSubscription.objects.create(user=ada, endpoint="https://push.example.org/1", p256dh="", auth="")
    settings.PUSH_KEY = ""
    assert line(ada, game.get_absolute_url()), "this site sends none"
    settings.PUSH_KEY = "a key"
    assert not line(ada, game.get_absolute_url())
    preferences.stop(user_id=ada.pk, topics=[Topic.TURN], channel=Channel.PUSH, game_id=None)
    assert line(ada, game.get_absolute_url())
    browser.delete()
    hook = Webhook.objects.create(user=ada, url="https://example.org/", state=Webhook.State.ACTIVE)
    assert not line(ada, game.get_absolute_url())
    about = {"topics": [Topic.TURN], "channel": Channel.HOOK, "game_id": game.pk}
    preferences.stop(user_id=ada.pk, **about)
    assert line(ada, game.get_absolute_url()), "of another game it is told"
    preferences.bring_back(user_id=ada.pk, **about, before=[])
    assert not line(ada, game.get_absolute_url())
    hook.types = ["game.finished"]
    hook.save()
    assert line(ada, game.get_absolute_url()), "it is told of other things"
