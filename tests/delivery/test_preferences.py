"""Of what people are told and by which channel: the matrix for all games, one for each game, and stopping with one
click."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import signing
from django.db.models.functions import Now
from django.test import Client

from accounts.models import Bounce, User
from game.delivery import unsubscribing
from game.delivery.notice_sending import send_due_notices
from game.outbox import preferences
from game.outbox.models import NoticeTiming, NotificationPreference, Topic
from game.store.log import Channel, Notice
from game.store.proposals import VoteTopic
from game.votes import voting
from tests.delivery.test_notices import mails_to, text_of
from tests.scenes import person, ready, run_out, silent, table
from tests.servers import Mailbox

pytestmark = [pytest.mark.django_db]
HOURS = {"quiet_from": "23", "quiet_until": "6", "digest_hour": "18"}


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def browser(client: Client, ada: User) -> Client:
    client.force_login(ada)
    return client


def matrix(**chosen: str) -> dict[str, str]:
    """What the form of all games sends."""
    return {f"{topic}-mail": chosen.get(topic.value, "now") for topic in preferences.OF_MAIL} | HOURS


def own(**chosen: str) -> dict[str, str]:
    """What the form of one game sends."""
    return {f"{topic}-mail": chosen.get(topic.value, "") for topic in preferences.OF_MAIL}


def path_of(message: Any) -> str:
    return str(message["List-Unsubscribe"]).strip("<> ").removeprefix("http://testserver")


def test_choices_and_hours_are_kept(browser: Client, ada: User) -> None:
    page = browser.get("/notifications/").content.decode()
    assert page.count("<select") == len(preferences.OF_MAIL) + 3
    assert browser.post("/notifications/", matrix(turn="digest", mention="off")).status_code == 302
    ada.refresh_from_db()
    assert (ada.quiet_from, ada.quiet_until, ada.digest_hour) == (23, 6, 18)
    result = preferences.preferences_of(ada.pk)
    assert result.how(Topic.TURN, Channel.MAIL, None) == NoticeTiming.DIGEST
    assert result.how(Topic.MENTION, Channel.MAIL, 7) == NoticeTiming.OFF, "what holds for all games holds for each"
    assert NotificationPreference.objects.count() == 2, "a default is not stored"
    browser.post("/notifications/", matrix())
    assert not NotificationPreference.objects.exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"turn-mail": "loudly"},
        {"turn-mail": ""},
        {"reminder-mail": "digest"},
        {"quiet_from": "24"},
        {"digest_hour": ""},
    ],
)
def test_a_choice_that_does_not_exist_is_refused(browser: Client, ada: User, wrong: dict[str, str]) -> None:
    assert browser.post("/notifications/", matrix(mention="off") | wrong).status_code == 422
    ada.refresh_from_db()
    assert (ada.quiet_from, ada.digest_hour) == (22, 8)
    assert not NotificationPreference.objects.exists(), "nothing is half done"


def test_one_game_may_differ(mailbox: Mailbox, browser: Client, ada: User) -> None:
    loud, quiet = table(ada, silent(), name="Ironworks"), table(ada, silent(), name="Harbour")
    send_due_notices()
    mailbox.messages.clear()
    browser.post("/notifications/", matrix(turn="off", missed="off"))
    where = f"/games/{loud.pk}/notifications/"
    assert "As in all games (Off)" in browser.get(where).content.decode()
    assert browser.post(where, own(turn="now")).status_code == 302
    assert "own choices" in browser.get("/notifications/").content.decode()
    for game in (loud, quiet):
        run_out(game)
    send_due_notices()
    (message,) = mails_to(mailbox, ada)
    assert loud.name in message["Subject"]
    assert quiet.name not in text_of(message)
    browser.post(where, own())
    assert not preferences.games_with_preferences(ada.pk)


def test_the_choices_of_a_game_are_its_players(client: Client, ada: User) -> None:
    game = table(ada, silent())
    where = f"/games/{game.pk}/notifications/"
    assert client.get(where).status_code == 302
    client.force_login(person("Mallory"))
    assert client.get(where)["Location"] == f"/games/{game.pk}/"
    client.post(where, own(turn="off"))
    assert not NotificationPreference.objects.exists()


def test_one_click_stops_what_the_mail_was_about(mailbox: Mailbox, ada: User) -> None:
    game = table(ada, silent())
    send_due_notices()
    run_out(game)
    send_due_notices()
    message = mails_to(mailbox, ada)[-1]
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    mailer = Client(enforce_csrf_checks=True)
    assert mailer.get(path_of(message)).status_code == 200
    assert not NotificationPreference.objects.exists(), "a scanner that follows the link changes nothing"
    assert mailer.post(path_of(message), {"List-Unsubscribe": "One-Click"}).status_code == 200
    off = set(NotificationPreference.objects.values_list("topic", "game", "how"))
    assert off == {("turn", None, "off")}, "what the mail tells besides still comes"
    ready(game, 1)
    run_out(game)
    assert send_due_notices() == 1
    assert mails_to(mailbox, ada)[-1]["Subject"].endswith("the caretaker plays your seat")


def test_one_click_on_a_list_stops_what_each_of_its_games_is_in_it_for(mailbox: Mailbox, ada: User) -> None:
    game, _ = table(ada, silent()), table(ada, silent())
    send_due_notices()
    ready(game, 0)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=silent())
    Notice.objects.filter(user=ada, kind="turn").update(handed_at=None, sent_at=None, due_at=Now())
    send_due_notices()
    Client().post(path_of(mails_to(mailbox, ada)[-1]), {"List-Unsubscribe": "One-Click"})
    assert set(NotificationPreference.objects.values_list("topic", flat=True)) == {"turn", "seat"}


def before_of(answer: Any) -> str:
    found = re.search(r'name="before" value="([^"]+)"', answer.content.decode())
    assert found
    return found[1]


def test_what_was_stopped_by_mistake_comes_again_as_it_was_chosen(client: Client, ada: User) -> None:
    game = table(ada, silent())
    preferences.choose(user_id=ada.pk, game_id=None, chosen={(Topic.TURN, Channel.MAIL): NoticeTiming.DIGEST})
    preferences.choose(user_id=ada.pk, game_id=game.pk, chosen={(Topic.TURN, Channel.MAIL): NoticeTiming.NOW})
    chosen = preferences.preferences_of(ada.pk)
    where = unsubscribing.address(ada, [Topic.TURN]).removeprefix("http://testserver")
    answer = client.post(where)
    assert "Emails about anything else still come" in answer.content.decode()
    assert preferences.preferences_of(ada.pk) != chosen
    assert 'name="before"' not in client.post(where).content.decode(), "this changed nothing"
    assert client.post(where, {"before": before_of(answer)}).status_code == 200
    assert preferences.preferences_of(ada.pk) == chosen


def test_one_game_that_was_silenced_by_mistake_tells_again(client: Client, ada: User) -> None:
    game, other = table(ada, silent()), table(ada, silent())
    preferences.choose(user_id=ada.pk, game_id=game.pk, chosen={(Topic.TURN, Channel.MAIL): NoticeTiming.DIGEST})
    preferences.choose(user_id=ada.pk, game_id=other.pk, chosen={(Topic.TURN, Channel.MAIL): NoticeTiming.OFF})
    chosen = preferences.preferences_of(ada.pk)
    where = unsubscribing.address(ada, preferences.OF_MAIL, game_id=game.pk).removeprefix("http://testserver")
    answer = client.post(where, {"before": before_of(client.post(where))})
    assert game.name in answer.content.decode()
    assert preferences.preferences_of(ada.pk) == chosen


def test_nobody_brings_back_the_choices_of_another(client: Client, ada: User) -> None:
    ben = person("Ben")
    where = [unsubscribing.address(user, [Topic.TURN]).removeprefix("http://testserver") for user in (ada, ben)]
    before = before_of(client.post(where[0]))
    client.post(where[1])
    assert client.post(where[1], {"before": before}).status_code == 404
    assert client.post(where[0], {"before": before[:-2]}).status_code == 404
    assert NotificationPreference.objects.filter(how="off").count() == 2


def test_one_click_counts_before_what_was_chosen_for_a_game(ada: User) -> None:
    game = table(ada, silent())
    preferences.choose(user_id=ada.pk, game_id=game.pk, chosen={(Topic.TURN, Channel.MAIL): NoticeTiming.DIGEST})
    preferences.stop(user_id=ada.pk, topics=[Topic.TURN], channel=Channel.MAIL, game_id=None)
    assert preferences.preferences_of(ada.pk).how(Topic.TURN, Channel.MAIL, game.pk) == NoticeTiming.OFF


def test_a_single_game_can_be_silenced(mailbox: Mailbox, ada: User) -> None:
    game, other = table(ada, silent(), name="Ironworks"), None
    send_due_notices()
    found = re.search(r"Stop all emails about this game: http://testserver(\S+)", text_of(mailbox.messages[0]))
    assert found
    mailer = Client(enforce_csrf_checks=True)
    assert "Ironworks" in mailer.get(found[1]).content.decode()
    assert mailer.post(found[1]).status_code == 200
    other = table(ada, silent(), name="Harbour")
    run_out(game)
    mailbox.messages.clear()
    send_due_notices()
    (message,) = mailbox.messages
    assert other.name in message["Subject"]
    assert "Ironworks" not in text_of(message)


@pytest.mark.parametrize(("earlier", "topic"), [("turns", Topic.TURN), ("reminders", Topic.REMINDER)])
def test_links_in_earlier_mails_still_work(client: Client, ada: User, earlier: str, topic: Topic) -> None:
    token = signing.dumps([ada.pk, earlier], salt=unsubscribing.SALT)
    assert client.post(f"/mail/unsubscribe/{token}/").status_code == 200
    assert preferences.preferences_of(ada.pk).how(topic, Channel.MAIL, None) == NoticeTiming.OFF


def test_a_forged_unsubscribe_link_is_not_found(client: Client, ada: User) -> None:
    path = unsubscribing.address(ada, [Topic.TURN]).removeprefix("http://testserver")
    other = signing.dumps([ada.pk, ["gossip"], None], salt=unsubscribing.SALT)
    for bad in (
        path.replace(":", "x", 1),
        "/mail/unsubscribe/nonsense/",
        path[:-3] + "/",
        f"/mail/unsubscribe/{other}/",
    ):
        assert client.post(bad).status_code == 404
    assert not NotificationPreference.objects.exists()


def test_a_link_of_an_account_or_a_game_that_is_gone_does_no_harm(client: Client, ada: User) -> None:
    game = table(ada, silent())
    links = [unsubscribing.address(ada, Topic, game_id=game.pk), unsubscribing.address(ada, [Topic.TURN])]
    game.delete()
    ada.delete()
    for link in links:
        assert client.post(link.removeprefix("http://testserver")).status_code == 200


def test_the_page_says_why_no_mail_arrives(browser: Client, ada: User) -> None:
    EmailAddress.objects.update(verified=False)
    assert "address is not confirmed" in browser.get("/notifications/").content.decode()
    assert "No emails about games reach you" in browser.get("/accounts/preferences/").content.decode()
    EmailAddress.objects.update(verified=True)
    assert "address is not confirmed" not in browser.get("/notifications/").content.decode()
    Bounce.objects.create(address="ada@example.org", why="unknown", words="550")
    assert "came back" in browser.get("/notifications/").content.decode()


def test_guests_have_no_notifications_to_choose(client: Client) -> None:
    client.post("/play/", {"ruleset": "sectors"})
    assert client.get("/notifications/")["Location"] == "/accounts/preferences/"
