"""Desk, point 9: parts of the site that are switched off say so, on pages and in the API; what has begun goes on."""

import pytest
from django.test import Client
from django.urls import reverse

from game.api.facts import rulesets
from game.delivery import webhook_sending, webhooks
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import site_desk
from game.rulesets.registry import RULESETS
from game.site import features
from game.store.game import Game
from game.store.moderation_models import ModeratorAction
from tests.scenes import client_of, moderator, person, run_out, table
from tests.tables import fresh

pytestmark = [pytest.mark.django_db]
WHY = "too many spammers"


def without(*off: str) -> None:
    """Switch these off and all else on, as an admin does, and let the sweep look."""
    on = [each for each in features.feature_keys() if each not in off]
    site_desk.switch_features(moderator=moderator("Root"), reason=WHY, is_on=on)
    site_desk.refresh()


def test_an_admin_switches_parts_off_on_the_page_of_the_site() -> None:
    root, max_ = Client(), Client()
    root.force_login(moderator("Lena"))
    max_.force_login(moderator("Max", "set_banner"))
    address = reverse("admin:game_sitestate_changelist")
    on = [each for each in features.feature_keys() if each != features.CHAT]
    assert max_.post(address, {"do": "features", "is_on": on, "reason": WHY}).status_code == 403
    assert root.post(address, {"do": "features", "is_on": on, "reason": ""}).status_code == 422
    assert root.post(address, {"do": "features", "is_on": [features.API], "reason": WHY}).status_code == 422
    assert not site_desk.state().features_off
    assert root.post(address, {"do": "features", "is_on": on, "reason": WHY}).status_code == 302
    assert site_desk.state().features_off == [features.CHAT]
    assert "Switched off: Chats" in root.get(address).content.decode()
    assert ModeratorAction.objects.get().details == {"switched_off": "chat"}
    with pytest.raises(Refused, match="so already"):
        site_desk.switch_features(moderator=moderator("Ida"), reason=WHY, is_on=on)


def test_nobody_signs_up_or_comes_as_a_guest_while_that_is_off() -> None:
    without(features.SIGN_UP, features.GUESTS)
    page = Client().get("/accounts/signup/")
    assert page.status_code == 503
    assert "Nobody can sign up at the moment" in page.content.decode()
    german = Client().get("/accounts/signup/", headers={"Accept-Language": "de"}).content.decode()
    assert "Zurzeit kann sich niemand registrieren" in german
    assert Client().post("/accounts/signup/", {}).status_code == 503
    html = Client().post("/play/", follow=True).content.decode()
    assert "Nobody can play as a guest" in html
    assert not Game.objects.exists()
    assert client_of("Ada").post("/play/").status_code == 302
    assert Game.objects.count() == 1, "an account still plays"


def test_a_game_that_is_not_offered_is_on_no_menu_and_running_games_go_on() -> None:
    game = table(person("Ada"), person("Ben"), ruleset="sectors")
    without("ruleset:sectors")
    with pytest.raises(Refused) as refused:
        lobby.create_game(host=person("Cleo"), name="New", seats=3)
    assert (refused.value.code, refused.value.field) == ("switched_off", "ruleset")
    assert {each.key for each in rulesets.list_rulesets()} == {*RULESETS} - {"sectors"}
    was = fresh(game).phase_serial
    run_out(game)
    assert fresh(game).phase_serial > was
    assert client_of("Dora").get("/games/new/").status_code == 200


def test_no_lesson_of_a_game_that_is_not_offered_begins_and_one_that_has_begun_goes_on() -> None:
    ada, ben = client_of("Ada"), client_of("Ben")
    lesson = ada.post("/lessons/sectors/short/")["Location"]
    without("ruleset:sectors")
    assert "are switched off at the moment" in ben.post("/lessons/sectors/short/", follow=True).content.decode()
    assert not Game.objects.filter(host__username="Ben").exists()
    assert "/lessons/sectors/" not in ben.get("/lessons/").content.decode()
    assert "/lessons/power_up/" in ben.get("/lessons/").content.decode()
    assert ada.post("/lessons/sectors/short/")["Location"] == "/lessons/", "nor again"
    assert lesson in ada.get("/lessons/").content.decode()
    assert ada.get(lesson).status_code == 200
    assert Game.objects.get(host__username="Ada").is_running


def test_chat_webhooks_browsers_and_the_api_say_that_they_are_off() -> None:
    game, ben = table(person("Ada"), person("Ben")), Client()
    ben.force_login(game.seats.get(number=1).user)  # type: ignore[arg-type]
    without(features.CHAT, features.WEBHOOKS, features.PUSH, features.API)
    response = ben.post(reverse("chat_say", args=[game.pk]), {"text": "hello"})
    assert response.status_code == 422
    assert "The chat is switched off" in response.content.decode()
    assert "The chat is switched off" not in ben.get(reverse("chat", args=[game.pk])).content.decode(), "it can be read"
    with pytest.raises(Refused, match="Webhooks are switched off"):
        webhooks.add(user=person("Cleo"), url="https://example.org/hook")
    assert webhook_sending.send_due() == 0
    allowed = ben.post(reverse("allow_push"), b"{}", content_type="application/json")
    assert allowed.status_code == 422
    assert "Notifications in browsers" in allowed.json()["detail"]
    answer = Client().get("/api/v1/rulesets")
    assert (answer.status_code, answer.json()["code"]) == (503, "switched_off")
    assert answer.headers["Content-Type"] == "application/problem+json"
