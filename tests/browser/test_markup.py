"""What people type is text on every page that shows it, in a real browser with the site's content policy."""

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import api_tokens
from game.chat import reading, writing
from game.chat.models import Report
from game.delivery import webhooks
from game.delivery.notice_sending import send_due_notices
from game.lobby import lobby, rematch
from game.moderation import case_filing, cases, interventions, sanctions
from game.store.case_models import Case
from game.store.game import Game
from tests.browser.desk import another_page, sign_in
from tests.scenes import moderator, play_on, seen
from tests.scenes import person as with_address
from tests.tables import new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

MARKUP = "</title><script>hit=1</script><img src=x onerror=hit=1>"
BREAKING = f"\"'><svg onload=hit=1>{{{{7*7}}}}${{7*7}}</textarea>{MARKUP}"
QUERY = "%22%27%3E%3Csvg%20onload%3Dhit%3D1%3E%3C/script%3E%3Cscript%3Ehit%3D1%3C/script%3E"


def typed_everywhere() -> tuple[Game, Game]:
    """A game under way and one that is over, with markup wherever somebody may type."""
    for name in ("ada", "bob"):
        with_address(name)
    over = new_game("ada", "bob", bots=1, ruleset="toy")
    Game.objects.filter(pk=over.pk).update(name=MARKUP)
    running = new_game("ada", "bob", pace="daily")
    Game.objects.filter(pk=running.pk).update(name=MARKUP)
    for game in (over, running):
        for name in ("ada", "bob"):
            writing.say(game_id=game.pk, user=person(name), text=f"@ada {BREAKING}")
        reading.save_notes(game=game, user=person("ada"), text=BREAKING, revision=0)
        reading.report(game_id=game.pk, user=person("ada"), number=2, reason="insults")
    play_on(over)
    rematch.rematch(game_id=over.pk, user=person("bob"))
    lobby.create_game(host=person("bob"), name=MARKUP, seats=3)
    api_tokens.issue(user=person("ada"), name=MARKUP[:40], scopes=["read"], days=30)
    return running, over


def typed_for_and_at_the_desk(game: Game) -> Report:
    """A report, cases, notes, reasons and an appeal, with markup in each; bob has been warned."""
    ada, bob, lena = person("ada"), person("bob"), moderator("Lena")
    report = Report.objects.get(game=game)
    case_filing.report_problem(game=game, user=ada, kind=Case.Kind.OTHER, words=BREAKING)
    case = case_filing.report_person(person=bob, user=ada, kind=Case.Kind.OTHER, words=BREAKING)
    cases.add_note(case_id=case.pk, moderator=lena, text=BREAKING)
    sanctions.add_note(person=bob, moderator=lena, text=BREAKING)
    sanctions.impose(person=bob, moderator=lena, kind="warning", reason=BREAKING)
    case_filing.appeal(sanction_id=bob.sanctions.get().pk, user=bob, words=BREAKING)
    interventions.pause(game_id=game.pk, moderator=lena, reason=BREAKING, seen=seen(game))
    webhooks.add(user=bob, url="https://hooks.example.org/?q=<script>hit=1</script><img%20src=x%20onerror=hit=1>")
    return report


@pytest.mark.django_db(transaction=True)
def test_a10_nor_on_a_page_of_the_desk_or_in_a_mail(
    live_site: "LiveSite", page: "Page", browser: "Browser", mailoutbox: Any
) -> None:
    """What players write to moderators, moderators to players, and what their browsers call themselves."""
    running, _ = typed_everywhere()
    report = typed_for_and_at_the_desk(running)
    send_due_notices()
    strange = Client(HTTP_USER_AGENT=BREAKING)
    strange.force_login(person("bob"))
    strange.get("/games/")
    desk = [("index",), ("game_case_changelist",), ("game_report_changelist",), ("game_game_change", running.pk)]
    desk += [("game_report_change", report.pk), ("person_desk", person("bob").pk), ("person_desk", person("ada").pk)]
    desk += [("game_case_change", case.pk) for case in Case.objects.all()]
    desk += [("answer_report", report.pk, "silence"), ("moderate", running.pk, "resume")]
    pages = {"Lena": [reverse(f"admin:{name}", args=words) for name, *words in desk]}
    pages["bob"] = [f"/games/{running.pk}/", "/moderation/mine/", "/accounts/sessions/", reverse("webhooks")]
    result = dict.fromkeys(pages, 0)
    for name, places in pages.items():
        sign_in(page, live_site, name)
        for place in places:
            page.goto(f"{live_site.address}{place}")
            is_nothing_run(page, place)
            result[name] += "onerror=hit" in page.locator("body").inner_text()
    assert result["Lena"] >= 6, result
    assert result["bob"] >= 3, result
    letters = [(mail.subject, html) for mail in mailoutbox for html, kind in mail.alternatives if kind == "text/html"]
    with another_page(browser) as letter:
        for subject, html in letters:
            letter.set_content(html)  # without a content policy, as a careless mail program has none
            is_nothing_run(letter, subject)
    assert sum("onerror=hit" in html for _, html in letters) >= 3, [subject for subject, _ in letters]


def is_nothing_run(page: "Page", place: str) -> None:
    assert page.evaluate("typeof hit") == "undefined", place
    assert page.locator("img[src=x], svg[onload]").count() == 0, place


@pytest.mark.django_db(transaction=True)
def test_a10_nothing_that_somebody_typed_runs_on_any_page(live_site: "LiveSite", page: "Page") -> None:
    """The fixture fails where the content policy had to stop something: nothing may get as far as that."""
    running, over = typed_everywhere()
    sign_in(page, live_site, "ada")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    games = [f"/games/{game.pk}/{part}" for game in (running, over) for part in ("", "chat/", "notes/", "history/")]
    places = ["/", "/games/", "/people/bob/", reverse("tokens"), reverse("notifications"), *games]
    places += [f"/games/{over.pk}/{part}" for part in ("results/", "story/", "draws/", "spreadsheet/")]
    places += [f"/rules/sectors/?q={QUERY}", f"/games/?show={QUERY}", f"/games/new/?game={QUERY}"]
    places += [f"/accounts/login/?next={QUERY}", f"/people/{QUERY}/", f"/games/{over.pk}/history/?phase={QUERY}"]
    shown = 0
    for place in places:
        page.goto(f"{live_site.address}{place}")
        is_nothing_run(page, place)
        shown += "onerror=hit" in page.locator("body").inner_text()
    assert shown >= 6, "what was typed is there to be read"
    assert not dialogs
