"""The moderation desk on a phone: no page of it, and nothing on a page, scrolls sideways, and no figure stands without
its heading."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import filled_desk
from tests.browser.desk import another_page, sign_in

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

PHONE, ENOUGH = 390, 60_000
# What is wider than the window or than its own box (what is cut down to a point is for screen readers), and figures of
# tables without a heading of their own: the heads of tables are not shown.
FAULTS = r"""() => {
  const shown = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
  const scrolls = (one) => /auto|scroll/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth;
  const name = (one) => `${one.tagName.toLowerCase()}#${one.id}.${one.className}`;
  const bare = shown.filter((one) => one.matches(".desk thead ~ tbody td:not([data-heading])")
    && /^[-−+$]?[\d,]+%?( \(\d+%\))?$/.test(one.innerText.trim()));
  const beyond = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || scrolls(one));
  const wide = document.documentElement.scrollWidth;
  return [...(wide > innerWidth ? [`the page: ${wide} px`] : []), ...[...beyond, ...bare].map(name)].slice(0, 5);
}"""


def faults_at(page: "Page", address: str) -> list[str]:
    answer = page.goto(address)
    assert answer
    assert answer.status == 200, address
    return [str(fault) for fault in page.evaluate(FAULTS)]


@pytest.fixture
def phone(browser: "Browser", live_site: "LiveSite", settings: Any) -> Any:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    with another_page(browser, width=PHONE, height=844) as page:
        page.set_default_timeout(ENOUGH)
        yield page


def test_nothing_on_the_desk_scrolls_sideways(phone: "Page", live_site: "LiveSite") -> None:
    game = filled_desk.fill()
    sign_in(phone, live_site, filled_desk.MODERATOR)
    found = {}
    for model, path in filled_desk.lists().items():
        found[path] = faults_at(phone, live_site.address + path)
        assert phone.locator("#result_list tbody tr").count() > 0, f"no {model._meta.verbose_name} is there to be seen"
    for path in filled_desk.pages(game):
        found[path] = faults_at(phone, live_site.address + path)
    assert not {path: faults for path, faults in found.items() if faults}
