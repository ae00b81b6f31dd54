"""A person makes themselves at home, in a real browser."""

from typing import TYPE_CHECKING

from accounts.models import User

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.live_site import LiveSite


def test_somebody_signs_up_and_sets_their_preferences(page: "Page", live_site: "LiveSite") -> None:
    answer = page.goto(f"{live_site.address}/accounts/signup/")
    assert answer
    assert answer.status == 200
    page.get_by_label("name", exact=False).first.fill("Grace")
    page.locator("input[name=email]").fill("grace@example.org")
    page.locator("input[name=password1]").fill("correct horse battery")
    page.locator("main form button[type=submit]").click()
    page.wait_for_url(f"{live_site.address}/")
    result = page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
    assert User.objects.filter(username="Grace", zone_known=True, timezone=result).exists()
    page.goto(f"{live_site.address}/accounts/preferences/")
    page.locator("select[name=timezone]").select_option("Asia/Tokyo")
    page.locator("select[name=theme]").select_option("dark")
    page.locator("main form button[type=submit]").click()
    page.get_by_text("Your preferences are saved.").wait_for()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    grace = User.objects.get(username="Grace")
    assert (grace.timezone, grace.theme) == ("Asia/Tokyo", "dark")
