"""What has the focus on a phone is in sight: not under the send bar, not under the head of the page. (WCAG 2.4.11)"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tests.browser.conftest import two_people
from tests.browser.desk import Desk, another_page, sign_in
from tests.browser.every_page import DECISIONS, HOST
from tests.browser.positions import lay
from tests.browser.test_devices import at_orders, at_revenue

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

LOW, TALL = 600, 844
MOST_STOPS = 400
# Where the focus is, and whether anything of it, or of its label, can be seen. None beyond the last stop.
STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const own = [at, ...(at.labels || []), at.closest("label")].filter(Boolean);
  const isSeen = own.some((one) => [...one.getClientRects()].some((box) => [0.02, 0.25, 0.5, 0.75, 0.98].some((right) =>
    [0.1, 0.3, 0.5, 0.7, 0.9].some((down) => {
      const there = document.elementFromPoint(box.x + box.width * right, box.y + box.height * down);
      return there && own.some((mine) => mine.contains(there) || at.ownerSVGElement?.contains(there));
    }))));
  const words = (at.innerText || at.getAttribute("aria-label") || at.value || "").trim().slice(0, 40);
  return [isSeen, `${at.tagName} ${at.id || at.name || at.className?.baseVal || at.className} “${words}”`];
}"""


def stops(page: "Page") -> Iterator[tuple[bool, str]]:
    """Tab by Tab through the page; a stop is what it is called and whether it is seen."""
    page.evaluate("() => { scrollTo(0, 0); document.activeElement?.blur(); }")
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop: Any = page.evaluate(STOP)
        if stop is None:
            return
        yield stop[0], stop[1]
    raise AssertionError("Tab does not come to an end")


def test_on_a_phone_the_focus_is_never_hidden(browser: "Browser", live_site: "LiveSite") -> None:
    """At each decision in a low window; the longest two in a tall one too."""
    hidden = []
    with another_page(browser, width=390, height=LOW) as page:
        sign_in(page, live_site, HOST)
        for place in DECISIONS:
            Desk(page, live_site, lay(place(two_people()))).open()
            for height in (LOW, TALL) if place in (at_orders, at_revenue) else (LOW,):
                page.set_viewport_size({"width": 390, "height": height})
                seen = list(stops(page))
                assert len(seen) > 20
                hidden += [f"{place.__name__}, {height} px: {what}" for is_seen, what in seen if not is_seen]
            page.set_viewport_size({"width": 390, "height": LOW})
    assert not hidden, hidden
