"""Notifications of a browser: what the page sends when they are allowed, what it says when they are refused, and how
they are turned off. The service that browsers ask for an address is out of reach of a test, so the two functions of
the browser that speak with it are answered here."""

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from game.outbox import push_subscriptions
from game.outbox.models import PushSubscription
from tests.browser.desk import sign_in, watch
from tests.hooks import hook_host, reach_to
from tests.outbox.test_push import KEY, Browser, text_of
from tests.servers import BROWSER_PATIENCE
from tests.tables import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Chromium
    from playwright.sync_api import Page

    from tests.live_site import LiveSite

SERVICE = """(() => {
  const told = %s, refuses = %s;
  const held = () => sessionStorage.getItem("held") && {
    endpoint: told.endpoint, toJSON: () => told,
    unsubscribe: async () => { sessionStorage.removeItem("held"); return true; },
  };
  PushManager.prototype.getSubscription = async () => held();
  PushManager.prototype.subscribe = async (asked) => {
    if (refuses) throw new DOMException("Registration failed", "NotAllowedError");
    sessionStorage.setItem("held", "yes");
    sessionStorage.setItem("asked", JSON.stringify({
      ...asked, applicationServerKey: [...asked.applicationServerKey],
    }));
    return held();
  };
})()"""


@pytest.fixture(autouse=True)
def offered(settings: Any) -> Iterator[None]:
    settings.PUSH_KEY = KEY
    with hook_host() as host:
        settings.OUTGOING = reach_to(host.port)
        yield


@pytest.fixture
def chromium(whole_chromium: str) -> str:
    """The headless shell forbids every site to notify."""
    return whole_chromium


@pytest.fixture
def notifications(browser: "Chromium", live_site: "LiveSite") -> Iterator[Any]:
    """Opens ada's page of notifications in a browser that allows them or not."""
    contexts = []

    def opened(told: dict[str, Any], *, is_allowed: bool = True) -> "Page":
        context = browser.new_context(permissions=["notifications"] if is_allowed else [])
        contexts.append(context)
        context.add_init_script(SERVICE % (json.dumps(told), json.dumps(not is_allowed)))
        page = context.new_page()
        page.set_default_timeout(BROWSER_PATIENCE)
        sign_in(page, live_site, "ada")
        page.goto(f"{live_site.address}/notifications/")
        return page

    yield opened
    for context in contexts:
        context.close()


def allow(page: "Page") -> None:
    """Press the button, and say who it is."""
    part(page, "allow").click()
    page.locator("input[type=password]").fill("open sesame 42")
    page.get_by_role("button", name="Continue").click()


def part(page: "Page", name: str) -> Any:
    return page.locator(f"[data-push-{name}]")


def test_a_browser_is_allowed_and_turned_off_again(notifications: Any) -> None:
    told = Browser().told
    page = notifications(told)
    seen = watch(page, allowed=(401,))
    expect(part(page, "stop")).to_be_hidden()
    allow(page)
    expect(part(page, "said")).to_have_text("This browser shows notifications.")
    expect(page).to_have_url(re.compile("/notifications/$"))
    expect(part(page, "allow")).to_be_hidden()
    held = PushSubscription.objects.get()
    assert (held.user, held.endpoint) == (person("ada"), told["endpoint"])
    assert (held.p256dh, held.auth) == (told["keys"]["p256dh"], told["keys"]["auth"])
    result = json.loads(page.evaluate("sessionStorage.getItem('asked')"))
    assert result["userVisibleOnly"] is True
    assert text_of(bytes(result["applicationServerKey"])) == push_subscriptions.public_key(KEY)
    expect(page.locator(f'[data-endpoint="{told["endpoint"]}"]')).to_contain_text("hooks.example.org, since ")
    page.reload()
    expect(part(page, "said")).to_have_text("This browser shows notifications.")
    part(page, "stop").click()
    expect(part(page, "allow")).to_be_visible()
    expect(part(page, "said")).to_be_empty()
    expect(part(page, "list")).to_have_text("No browser shows you notifications.")
    assert not PushSubscription.objects.exists()
    assert page.evaluate("sessionStorage.getItem('held')") is None
    assert not seen


def test_a_browser_that_was_forgotten_elsewhere_is_offered_to_be_allowed_again(notifications: Any) -> None:
    page = notifications(Browser().told)
    allow(page)
    expect(part(page, "stop")).to_be_visible()
    page.get_by_role("button", name="Remove hooks.example.org").click()
    expect(part(page, "stop")).to_be_hidden()
    part(page, "allow").click()
    expect(part(page, "said")).to_have_text("This browser shows notifications.")
    assert PushSubscription.objects.get().user == person("ada")


def test_who_forbids_notifications_is_told_where_to_allow_them(notifications: Any) -> None:
    page = notifications(Browser().told, is_allowed=False)
    part(page, "allow").click()
    expect(part(page, "said")).to_have_text(
        "This browser forbids notifications of this site. Allow them in its settings."
    )
    expect(part(page, "allow")).to_be_visible()
    assert not PushSubscription.objects.exists()


def test_a_browser_that_the_site_cannot_reach_is_told_why_and_left_off(notifications: Any) -> None:
    """The site's own sentence is shown, and the browser keeps no subscription that nobody knows of."""
    page = notifications(Browser().told | {"endpoint": "http://hooks.example.org/push/plain"})
    allow(page)
    expect(part(page, "said")).to_contain_text("https")
    expect(part(page, "allow")).to_be_visible()
    assert page.evaluate("sessionStorage.getItem('held')") is None
    assert not PushSubscription.objects.exists()
