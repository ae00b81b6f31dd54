"""A reader's own browser makes the draws of a finished game again, and notices when one does not agree."""

import re
from collections.abc import Callable
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from game.store.game import Game
from game.store.log import LoggedAction
from game.store.log_notes import Sentence
from tests.browser.desk import another_page, watch
from tests.kept_games import finished

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.live_site import LiveSite

HASHES = """async ([address, lengths]) => {
    const { blake2b, sha256 } = await import(address);
    const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return lengths.map((length) => {
        const bytes = Uint8Array.from({ length }, (_, i) => (7 * i + length) % 256);
        return [hex(blake2b(bytes, 16)), hex(blake2b(bytes, 64)), hex(sha256(bytes))];
    });
}"""

LINES = """() => [...document.querySelectorAll("#fingerprint code, .draws-seal code")].map((code) => {
    const range = document.createRange();
    range.selectNodeContents(code);
    return Array.from(range.getClientRects(), (line) => Math.round(line.width));
})"""


@pytest.fixture
def over(live_site: "LiveSite", settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return finished("sectors", bots=3, max_turns=2)


def test_the_browsers_digests_are_those_of_hashlib(live_site: "LiveSite", page: "Page", over: Game) -> None:
    page.goto(f"{live_site.address}/games/{over.pk}/draws/")
    address = page.locator("#draws").get_attribute("data-hashes")
    lengths = [*range(300), 1000]
    for length, made in zip(lengths, page.evaluate(HASHES, [address, lengths]), strict=True):
        given = bytes((7 * i + length) % 256 for i in range(length))
        short, long = (blake2b(given, digest_size=size).hexdigest() for size in (16, 64))
        assert made == [short, long, sha256(given).hexdigest()], length


def test_all_draws_of_a_finished_game_agree_on_every_device(
    live_site: "LiveSite", browser: "Browser", over: Game
) -> None:
    for width in (1440, 390):
        with another_page(browser, width=width) as page:
            seen = watch(page)
            page.goto(f"{live_site.address}/games/{over.pk}/")
            page.locator("#fingerprint summary").click()
            page.get_by_role("link", name="Check every draw").click()
            expect(page.locator("#draws-said")).to_contain_text("draws agree")
            expect(page.locator("#draws-said")).to_have_class(re.compile("is-good"))
            marks = page.locator("tr[data-draw] .draws-ok").all_inner_texts()
            assert set(marks) == {"agrees"}
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not seen, seen


def test_a_draw_that_was_changed_and_a_secret_that_was_exchanged_are_found(
    live_site: "LiveSite", page: "Page", over: Game
) -> None:
    def changed(route: "Route") -> None:
        answer = route.fetch()
        head, _, rest = answer.text().partition('data-value="')
        value, _, tail = rest.partition('"')
        route.fulfill(response=answer, body=f'{head}data-value="{int(value) + 1}"{tail}')

    page.route("**/draws/", changed)
    page.goto(f"{live_site.address}/games/{over.pk}/draws/")
    expect(page.locator("#draws-said")).to_contain_text("1 of")
    expect(page.locator("#draws-said")).to_contain_text("do not agree")
    page.unroute("**/draws/")
    page.route("**/draws/", lambda route: route.fulfill(body=route.fetch().text().replace(over.secret, "0" * 64)))
    page.reload()
    expect(page.locator("#draws-said")).to_contain_text("do not agree")
    expect(page.locator(".draws-seal .draws-ok")).to_have_text("differs")


def serve(page: "Page", spoilt: Callable[[str], str]) -> None:
    """Let the site send what `spoilt` makes of the page."""
    page.route("**/draws/", lambda route: route.fulfill(body=spoilt(route.fetch().text())))


def test_draws_that_are_left_out_listed_twice_or_out_of_nothing_are_found(
    live_site: "LiveSite", page: "Page", over: Game
) -> None:
    """Each of them follows from the secret, or cannot be computed at all."""
    row = re.compile(r"<tr data-draw=.*?</tr>", re.DOTALL)
    spoilt = (
        lambda text: row.sub("", text, count=1),
        lambda text: row.sub(lambda found: found[0] * 2, text, count=1),
        lambda text: re.sub(r'data-limit="\d+"', 'data-limit="0"', text, count=1),
    )
    verdict = page.locator("#draws-said")
    for spoil in spoilt:
        serve(page, spoil)
        page.goto(f"{live_site.address}/games/{over.pk}/draws/")
        expect(verdict).to_contain_text("do not agree")
        expect(verdict).to_have_class(re.compile("is-bad"))
        page.unroute("**/draws/")


def test_without_a_published_fingerprint_or_without_draws_nothing_is_called_proved(
    live_site: "LiveSite", page: "Page", over: Game
) -> None:
    LoggedAction.objects.filter(game=over, kind="start").update(note="", remark=None)
    page.goto(f"{live_site.address}/games/{over.pk}/draws/")
    verdict = page.locator("#draws-said")
    expect(verdict).to_contain_text("no fingerprint")
    expect(verdict).to_contain_text("follow from the secret")
    expect(verdict).not_to_have_class(re.compile("is-good"))
    expect(page.locator(".draws-seal .draws-ok")).to_have_text("cannot be compared")
    page.route("**/draws/", lambda route: route.fulfill(body=route.fetch().text().replace("data-draw=", "data-no=")))
    page.reload()
    expect(verdict).to_contain_text("No draws are listed")
    expect(verdict).not_to_have_class(re.compile("is-good"))


def test_a_player_compares_the_fingerprint_that_they_kept(
    live_site: "LiveSite", browser: "Browser", over: Game
) -> None:
    """It is compared with the secret itself: whoever exchanges the secret can exchange the log as well."""
    kept, other = over.secret_hash, "0" * 64
    start = LoggedAction.objects.get(game=over, kind="start")
    LoggedAction.objects.filter(pk=start.pk).update(**Sentence.DRAWS_SEALED(fingerprint=other).columns)
    for width in (1440, 390):
        with another_page(browser, width=width) as page:
            page.goto(f"{live_site.address}/games/{over.pk}/draws/")
            own, answer = page.get_by_label("The fingerprint you kept"), page.locator("#draws-own-said")
            for given, words, tone in (
                (f" {kept.upper()}; ", "This is the fingerprint", "is-good"),
                (f"{kept[:4]} {kept[4:8]}", "This is the fingerprint", "is-good"),
                (other, "No secret above has this fingerprint", "is-bad"),
                (kept[:7], "at least its first 8", ""),
                ("not a fingerprint", "digits and the letters a to f", ""),
                (f"{kept}0", "digits and the letters a to f", ""),
            ):
                own.fill(given)
                expect(answer).to_contain_text(words)
                expect(answer).to_have_class(f"draws-said {tone}".strip())
            own.fill("")
            expect(answer).to_have_text("")
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_cannot_load_its_program_says_that_nothing_is_checked(
    live_site: "LiveSite", page: "Page", over: Game
) -> None:
    verdict = page.locator("#draws-said")
    for program, words in (("hashes", "could not load the program"), ("draws", "Nothing is checked yet.")):
        page.route(re.compile(rf"/{program}\b[^/]*\.js"), lambda route: route.abort())
        page.goto(f"{live_site.address}/games/{over.pk}/draws/")
        expect(verdict).to_contain_text(words)
        expect(verdict).not_to_have_class(re.compile("is-good"))
        expect(page.locator("#draws-kept")).to_be_hidden()
        page.unroute_all()


def test_what_was_resolved_again_is_counted_by_itself(live_site: "LiveSite", page: "Page", over: Game) -> None:
    """No draw is listed twice, except for a corrected resolution."""
    body = re.compile(r"<tbody>(?:(?!</tbody>).)*data-draw=.*?</tbody>", re.DOTALL)
    for again, words in (("0", "do not agree"), ("1", "draws agree")):
        marked = f'data-again="{again}"'
        serve(
            page,
            lambda text, marked=marked: body.sub(  # type: ignore[misc]
                lambda found: found[0] + found[0].replace('data-again="0"', marked), text, count=1
            ),
        )
        page.goto(f"{live_site.address}/games/{over.pk}/draws/")
        expect(page.locator("#draws-said")).to_contain_text(words)
        page.unroute("**/draws/")


def test_without_scripts_the_page_shows_the_draws_and_how_to_make_them_again(
    live_site: "LiveSite", browser: "Browser", over: Game
) -> None:
    with another_page(browser, scripts=False) as page:
        page.goto(f"{live_site.address}/games/{over.pk}/draws/")
        expect(page.locator(".draws-code")).to_contain_text("blake2b")
        expect(page.locator("tr[data-draw]").first).to_be_visible()
        expect(page.locator("#draws-said")).to_contain_text("Nothing is checked yet.")
        expect(page.locator("#draws-own")).to_be_hidden()


def test_no_line_has_the_last_digits_of_a_fingerprint_alone(live_site: "LiveSite", page: "Page", over: Game) -> None:
    for path in ("draws/", "#fingerprint"):
        page.goto(f"{live_site.address}/games/{over.pk}/{path}")
        page.locator("details:has(code)").evaluate_all("(all) => all.forEach((one) => { one.open = true; })")
        for width in (360, 390, 560, 600, 640, 700, 1440):
            page.set_viewport_size({"width": width, "height": 900})
            codes = page.evaluate(LINES)
            assert codes
            assert [lines for lines in codes if max(lines) - min(lines) > 4] == [], (path, width)
