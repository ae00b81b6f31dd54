"""What people type is text on every page that shows it, in a real browser with the site's content policy."""

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from accounts import api_tokens
from game.models import Game
from game.services import chat, lobby, notebooks, rematch
from tests.browser.desk import sign_in
from tests.site.tables import play_on
from tests.tables import new_game, person

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live import LiveSite

MARKUP = "</title><script>hit=1</script><img src=x onerror=hit=1>"
BREAKING = f"\"'><svg onload=hit=1>{{{{7*7}}}}${{7*7}}</textarea>{MARKUP}"
QUERY = "%22%27%3E%3Csvg%20onload%3Dhit%3D1%3E%3C/script%3E%3Cscript%3Ehit%3D1%3C/script%3E"


def typed_everywhere() -> tuple[Game, Game]:
    """A game under way and one that is over, with markup wherever somebody may type."""
    over = new_game("ada", "bob", bots=1, ruleset="toy")
    Game.objects.filter(pk=over.pk).update(name=MARKUP)
    running = new_game("ada", "bob", pace="daily")
    Game.objects.filter(pk=running.pk).update(name=MARKUP)
    for game in (over, running):
        for name in ("ada", "bob"):
            chat.say(game_id=game.pk, user=person(name), text=f"@ada {BREAKING}")
        notebooks.save_notes(game=game, user=person("ada"), text=BREAKING, revision=0)
        chat.report(game_id=game.pk, user=person("ada"), number=2, reason="insults")
    play_on(over)
    rematch.rematch(game_id=over.pk, user=person("bob"))
    lobby.create_game(host=person("bob"), name=MARKUP, seats=3)
    api_tokens.issue(user=person("ada"), name=MARKUP[:40], scopes=["read"], days=30)
    return running, over


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
        assert page.evaluate("typeof hit") == "undefined", place
        assert page.locator("img[src=x], svg[onload]").count() == 0, place
        shown += "onerror=hit" in page.locator("body").inner_text()
    assert shown >= 6, "what was typed is there to be read"
    assert not dialogs
