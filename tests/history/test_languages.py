"""The language of a page, an email and a log: its reader's, whoever wrote or caused it."""

from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.languages import COOKIE, override_language
from accounts.models import User
from game.delivery.notice_sending import send_due_notices
from game.history.game_log import tell
from game.outbox import notices
from game.store.game import Game
from game.store.log import LoggedAction, Notice
from tests.scenes import person, table
from tests.servers import Mailbox
from tests.tables import everybody_ready, fresh, new_game, send
from tests.tables import person as player

pytestmark = pytest.mark.django_db
GERMAN = {"HTTP_ACCEPT_LANGUAGE": "de-AT,fr;q=0.8,en;q=0.5"}


def text_of(answer: HttpResponse) -> str:
    return " ".join(answer.content.decode().split())


def switch(client: Client, language: str, **more: str) -> HttpResponse:
    return client.post("/language/", {"language": language, **more})  # type: ignore[return-value]


def speaks(client: Client, **headers: str) -> str:
    """The language of the page of somebody who opens the rules."""
    answer = client.get("/rules/", **headers)
    assert f'<html lang="{answer["Content-Language"]}"' in answer.content.decode()
    return answer["Content-Language"]


def german(name: str) -> User:
    user = player(name)
    User.objects.filter(pk=user.pk).update(language="de")
    return User.objects.get(pk=user.pk)


def test_a_newcomer_reads_the_first_language_of_their_browser_that_the_site_has(client: Client) -> None:
    assert speaks(client) == "en"
    assert speaks(client, **GERMAN) == "de"
    assert speaks(client, HTTP_ACCEPT_LANGUAGE="fr,en;q=0.5,de;q=0.1") == "en"
    assert speaks(client, HTTP_ACCEPT_LANGUAGE="fr") == "en"
    assert speaks(client, HTTP_ACCEPT_LANGUAGE="\x00;q=") == "en"
    assert {"Accept-Language", "Cookie"} <= set(client.get("/rules/")["Vary"].split(", "))


def test_the_switch_at_the_foot_works_for_visitors(client: Client) -> None:
    page = text_of(client.get("/"))
    assert '<button type="submit" name="language" value="de" lang="de">Deutsch</button>' in page
    answer = switch(client, "de", next="/rules/")
    assert (answer.status_code, answer["Location"]) == (302, "/rules/")
    assert speaks(client) == "de"
    assert "Anmelden" in text_of(client.get("/"))
    switch(client, "en")
    assert speaks(client, **GERMAN) == "en", "what was chosen goes before what the browser asks for"


def test_an_unknown_language_is_refused_and_the_way_back_stays_here(client: Client) -> None:
    assert switch(client, "fr").status_code == 422
    assert COOKIE not in client.cookies
    assert switch(client, "de", next="https://example.org/")["Location"] == "/"
    client.cookies[COOKIE] = "xx"
    assert speaks(client) == "en"


def test_an_account_keeps_its_language_in_every_browser(client: Client) -> None:
    ada = player("ada")
    client.force_login(ada)
    assert speaks(client, **GERMAN) == "en", "nobody who has an account is surprised"
    switch(client, "de")
    assert User.objects.get(pk=ada.pk).language == "de"
    other = Client()
    other.force_login(User.objects.get(pk=ada.pk))
    assert speaks(other) == "de"
    answer = other.post("/accounts/preferences/", {"language": "en", "timezone": "UTC", "theme": "auto"})
    assert (answer.status_code, speaks(other)) == (302, "en")


def test_a_guest_keeps_the_language_they_came_with(client: Client) -> None:
    client.post("/play/", {"game": "sectors"}, **GERMAN)
    assert User.objects.get(is_guest=True).language == "de"


def test_the_desk_is_in_english(client: Client) -> None:
    boss = person("Boss", is_staff=True, is_superuser=True, language="de")
    client.force_login(boss)
    answer = client.get("/admin/")
    assert answer["Content-Language"] == "en"
    assert "The moderation desk" in text_of(answer)


def test_the_lobby_is_in_the_readers_language(client: Client) -> None:
    new_game("ada", "bob", pace="daily")
    client.force_login(german("ada"))
    page = text_of(client.get("/games/"))
    assert "Ein Spiel braucht dich" in page
    assert "Nächste Frist:" in page
    assert " Uhr</time>" in page
    assert '"in {hours} Std. {minutes} Min."' in page.replace("&#34;", '"')
    client.force_login(player("bob"))
    assert "One game needs you" in text_of(client.get("/games/")), "nothing that was drawn for another is shown again"


def test_a_refusal_is_in_the_readers_language(client: Client) -> None:
    client.post("/play/", {"game": "sectors"}, **GERMAN)
    answer = client.get("/games/new/", follow=True)
    assert "Als Gast spielst du nur gegen Bots." in text_of(answer)


def bids_told(game: Game, seat: int, language: str) -> list[str]:
    entries = LoggedAction.objects.filter(game=game).order_by("pk").select_related("game")
    with override_language(language):
        chapters = tell(entries, flow=game.rules.flow(game.read_options()), names=["Ada", "Ben"], seat=seat)
        return [line.text for chapter in chapters for line in chapter.entries if " 11 " in line.text]


def test_a_log_is_told_to_each_in_their_language() -> None:
    """Whoever caused a line, and whoever read it first: what is stored has no language."""
    game = new_game("ada", "ben")
    with override_language("de"):
        send(game, 0, {"kind": "bid_influence", "points": 11})
        everybody_ready(game)
    english = ["Ada bid 11 influence points and is number 1 in player priority."]
    assert bids_told(fresh(game), 1, "en") == english
    assert bids_told(fresh(game), 1, "de") == ["Ada bot 11 Einflusspunkte und steht im Vorrang auf Platz 1."]
    assert bids_told(fresh(game), 1, "en") == english


def test_an_email_is_in_the_language_of_whoever_gets_it(mailbox: Mailbox) -> None:
    ada, ben = person("Ada"), person("Ben", language="de", timezone="Europe/Berlin")
    game = table(ada, ben, bots=0)
    notices.write_notices()
    Notice.objects.filter(game=game).exclude(kind=Notice.Kind.STARTED).delete()
    with override_language("de"):
        send_due_notices()
    values_by_key = {str(mail["To"]): mail for mail in mailbox.messages}
    assert values_by_key[ada.email]["Subject"] == "The Tuesday Consortium has started"
    assert values_by_key[ben.email]["Subject"] == "The Tuesday Consortium hat begonnen"
    plain = values_by_key[ben.email].get_body(("plain",)).get_content()
    due = fresh(game).deadline_at
    assert due is not None
    assert f", {due.astimezone().day}. " in plain or f", {(due + timedelta(hours=2)).day}. " in plain
    assert 'lang="de"' in values_by_key[ben.email].get_body(("html",)).get_content()
