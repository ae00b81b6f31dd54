"""A passkey is added and signs its owner in again, with a virtual device of the browser."""

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from accounts.models import User
from tests.browser.desk import watch
from tests.scenes import person

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

DEVICE = {
    "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
    "isUserVerified": True, "automaticPresenceSimulation": True,
}  # fmt: skip


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def phone(browser: "Browser") -> "Iterator[Page]":
    """A phone with a finger on it."""
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    devices = context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    yield page
    context.close()


def test_a_passkey_is_added_and_signs_its_owner_in_without_a_password(
    live_site: "LiveSite", phone: "Page", ada: User, settings: object
) -> None:
    site = live_site.address.replace("127.0.0.1", "localhost")  # no passkey belongs to a bare address
    seen = watch(phone)
    phone.goto(f"{site}/accounts/login/")
    phone.locator("input[name=login]").fill("Ada")
    phone.locator("input[name=password]").fill("correct horse battery")
    phone.get_by_role("main").get_by_role("button", name="Sign in", exact=True).click()
    expect(phone.locator("main")).to_be_visible()
    phone.goto(f"{site}/accounts/2fa/webauthn/add/")
    phone.locator("input[name=password]").fill("correct horse battery")
    phone.get_by_role("button", name="Continue").click()
    phone.locator("input[name=name]").fill("My phone")
    phone.locator("input[name=passwordless]").check()
    phone.get_by_role("button", name="Add the passkey").click()
    expect(phone.locator("h1")).to_have_text("Recovery codes")
    phone.goto(f"{site}/accounts/2fa/")
    expect(phone.locator("main")).to_contain_text("My phone")
    phone.context.clear_cookies()
    phone.goto(f"{site}/accounts/login/")
    phone.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.locator("main")).not_to_contain_text("I forgot my password")
    phone.goto(f"{site}/accounts/preferences/")
    expect(phone.locator("main")).to_contain_text("Ada")
    assert not seen, seen


def test_where_there_is_no_passkey_the_page_says_so(live_site: "LiveSite", phone: "Page") -> None:
    phone.goto(f"{live_site.address.replace('127.0.0.1', 'localhost')}/accounts/login/")
    phone.evaluate("() => { navigator.credentials.get = () => Promise.reject(new Error('none')); }")
    phone.get_by_role("button", name="Sign in with a passkey").click()
    expect(phone.locator("#passkey-said")).to_contain_text("no passkey was used")
