"""City of the Big Shoulders in the browser: by keys, an operation on one screen, on a phone, without scripts."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from game.bots import playing
from game.engine import referee
from game.engine.actions import Action
from game.engine.chance import Chance
from game.engine.play import Outcome
from game.engine.position import AnyPosition
from game.engine.selfplay import play_out
from game.rulesets.big_shoulders.options import Options
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS
from game.store.game import Game
from tests.browser.desk import Desk, another_page, box_of, sign_in, watch
from tests.browser.playing import PHONE, WIDE
from tests.browser.positions import put
from tests.scenes import come_back, run_out, waits_for_bot
from tests.tables import fresh, new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.live_site import LiveSite

NARROW, TALL = 390, 844
HEAD = 56  # the masthead, which stays
MOST_GAMES = 20
MOST_CLOSINGS = 400
NAMES = ("ada", "bob")
Seat = Callable[[str], list[Desk]]


@pytest.fixture
def seat(live_site: "LiveSite", browser: "Browser") -> Iterator[Seat]:
    """Play a game on to a phase; then ada and bob, with a bot at their table, open a page each."""
    with another_page(browser) as first, another_page(browser) as second:
        seen = [watch(first, (422,)), watch(second, (422,))]

        def seated(phase: str) -> list[Desk]:
            game = new_game(*NAMES, bots=1, ruleset="big_shoulders", pace="daily")
            play_on(game, phase)
            for page, name in zip((first, second), NAMES, strict=True):
                sign_in(page, live_site, name)
            return [Desk(page, live_site, game).open() for page in (first, second)]

        yield seated
        assert seen == [[], []]


def whose_turn(game: Game) -> int:
    """The person who acts, once the bots have played."""
    while str(seat := int(fresh(game).waiting_seats[0])) in fresh(game).bots:
        playing.play_bots(game_id=game.pk)
    return seat


def play_on(game: Game, until: str = "") -> None:
    """Bots act, and for people, who come back when they are away, the clock runs out: to the end or until a phase in
    which a person acts."""
    for _ in range(MOST_CLOSINGS):
        now = fresh(game)
        if "away" in now.keepers.values():
            come_back(now)
        elif not now.is_running or (now.phase_name == until and str(now.waiting_seats[0]) not in now.bots):
            return
        if not playing.play_bots(game_id=game.pk) and not waits_for_bot(now):
            run_out(game)
    raise AssertionError("The game does not end.")


def test_a_partner_is_placed_by_keys(seat: Seat) -> None:
    """Arrows move among the spaces; what a space costs is shown, and the button says what it does."""
    seated = seat("action")
    desk = seated[whose_turn(seated[0].game)]
    page = desk.page
    page.locator("#space-hire_workers").focus()
    page.keyboard.press("Space")
    expect(desk.button("submit")).to_have_text("Hire and end turn")
    expect(page.locator("#preview")).to_contain_text("Job market")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#space-advertising")).to_be_checked()
    expect(desk.button("submit")).to_have_text("Advertise and end turn")
    expect(page.locator("#preview")).to_contain_text("Appeal")
    desk.button("submit").click()
    expect(page.locator("#brief")).to_contain_text("Nothing to decide")
    expect(page.locator("#spaces .bs-place", has_text="Advertise").locator(".bs-tag")).to_have_count(1)


def test_an_operation_is_planned_on_one_screen(seat: Seat) -> None:
    """BS 7: both decisions show what they bring, and one button carries out the whole plan."""
    seated = seat("operation")
    game = seated[0].game
    desk = seated[whose_turn(game)]
    company = fresh(game).load_position().state.operation.company
    expect(desk.page.locator("#decision-withhold")).to_be_enabled()
    desk.page.locator("label:has(#decision-withhold)").click()
    expect(desk.page.locator("#preview")).to_contain_text("If you withhold")
    desk.button("submit").click()
    expect(desk.page.locator("#brief-t")).not_to_contain_text("Operate")
    state = fresh(game).load_position().state
    assert state.operation is None or state.operation.company != company


class Found(Exception):
    """A position that was looked for, and the seat that it is about."""

    def __init__(self, position: AnyPosition, seat: int) -> None:
        self.position, self.seat = position, seat


def look_for(watch: Callable[[list[Action], Outcome[Any]], None]) -> tuple[AnyPosition, int]:
    """The first position of a game of bots that `watch` finds."""
    house = BIG_SHOULDERS.bots["house"]
    for number in range(MOST_GAMES):
        try:
            play_out(BIG_SHOULDERS, Options(), [house] * 3, Chance(f"looked for {number}"), watch)
        except Found as found:
            return found.position, found.seat
    raise AssertionError("There is none.")


@cache
def planned_operation() -> tuple[AnyPosition, int]:
    """A company with a manager and an asset is about to operate; and its director."""

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        operation = outcome.position.state.operation
        if operation is None or operation.runs or operation.has_bought:
            return
        company = outcome.position.state.companies[operation.company]
        if company.asset and not company.is_exhausted and all(each.has_manager for each in company.factories):
            raise Found(outcome.position, company.director)

    return look_for(watch)


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "desktop"])
def test_a_whole_plan_with_its_outcome_and_its_button_is_on_one_screen(
    browser: "Browser", live_site: "LiveSite", size: dict[str, int]
) -> None:
    """BS 7: what is proposed stands in one line each; what is unfolded stays so, and the outcomes stay above the
    button."""
    position, director = planned_operation()
    game = new_game(*NAMES, "cid", ruleset="big_shoulders", pace="daily")
    put(game, position)
    with another_page(browser, **size) as page:
        sign_in(page, live_site, (*NAMES, "cid")[director])
        desk = Desk(page, live_site, game).open()
        ends = page.locator(".bs-ends")
        expect(ends).to_contain_text("Value")
        desk.ticket.evaluate("(form) => form.scrollIntoView()")
        page.mouse.wheel(0, -HEAD)
        for place in ("#fold-cubes", ".bs-runs", "#fold-takes", "#fold-goods", ".bs-ends"):
            box = box_of(page.locator(place))
            assert box["y"] >= 0, place
            assert box["y"] + box["height"] <= box_of(desk.bar)["y"] + 1, place
        page.locator("#fold-goods summary").focus()
        page.keyboard.press("Enter")
        fields = page.locator("#fold-goods input")
        expect(fields.first).to_be_visible()
        assert box_of(ends)["y"] + box_of(ends)["height"] <= box_of(desk.bar)["y"] + 1
        sold = page.locator("#fold-goods summary").inner_text()
        fields.last.fill("0" if fields.last.input_value() != "0" else "1")
        fields.last.press("Tab")
        expect(page.locator("#fold-goods summary")).not_to_have_text(sold)
        expect(fields.first).to_be_visible()


def test_an_order_says_what_it_does_at_once_and_is_left_for_later(seat: Seat) -> None:
    """B-79: in one's own turn it is tried, and its button says so; while others act it is left, and marked."""
    seated = seat("stock")
    game = seated[0].game
    desk = seated[whose_turn(game)]
    desk.page.locator("label:has(#act-order)").click()
    expect(desk.button("submit")).to_have_text("Order, pass and end turn")
    desk.page.locator("#wish_0_paper").select_option(index=1)
    expect(desk.page.locator("#wish_0_price")).to_be_visible()
    expect(desk.button("submit")).to_have_text("Order, buy and end turn")
    desk.button("submit").click()
    expect(desk.page.locator("#brief")).to_contain_text("Nothing to decide")
    for each in seated:  # drawn at each closing, the pages would take most of the time
        each.page.goto("about:blank")
    play_on(game, "action")
    desk, other = seated[number := whose_turn(game)].open(), seated[1 - number].open()
    other.page.locator("label:has(#order-2)").click()
    expect(other.page.locator("#recipe_runs")).to_be_visible()
    other.button("submit").click()
    expect(other.page.locator("#lasting")).to_contain_text("by recipe")
    expect(desk.page.locator("#lasting")).to_be_hidden()


def test_on_a_phone_decision_and_button_are_on_one_screen(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game(*NAMES, ruleset="big_shoulders", pace="daily")
    play_on(game, "action")
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, NAMES[whose_turn(game)])
        desk = Desk(page, live_site, game).open()
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW
        page.locator("label:has(#space-hire_workers)").click()
        expect(page.locator("#workers_1")).to_be_visible()
        page.locator("#brief").scroll_into_view_if_needed()
        bar, button = box_of(page.locator("#sendbar")), box_of(desk.button("submit"))
        chosen = box_of(page.locator(".bs-space:has(:checked)"))
        assert chosen["y"] >= 0
        assert chosen["height"] >= 44
        target = box_of(page.locator("#workers_1"))
        assert target["y"] + target["height"] <= bar["y"]
        assert button["y"] + button["height"] <= TALL
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        page.locator(".bs-all").click()
        expect(page.locator("#bs-turn .bs-space").nth(1)).to_be_visible()
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        assert requests == [], "a preview would fold it again"


def test_on_a_phone_a_start_its_factories_and_what_it_costs_are_on_one_screen(
    browser: "Browser", live_site: "LiveSite"
) -> None:
    """The chosen company stays, with its factories and the outcome; then the one button of a sealed choice fills its
    row."""
    game = new_game(*NAMES, ruleset="big_shoulders", pace="daily")
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, NAMES[whose_turn(game)])
        desk = Desk(page, live_site, game).open()
        page.locator("label:has(#company-swift)").click()
        cost = page.locator("#preview tr").first
        expect(page.locator("#preview")).to_contain_text("If you start Swift & Co.")
        expect(page.locator("label:has(#company-libby)")).to_be_hidden()
        assert page.evaluate("scrollY") == 0
        for part in (page.locator("#bs-stock .bs-factories"), cost):
            box = box_of(part)
            assert box["y"] + box["height"] <= box_of(desk.bar)["y"]
        page.locator(".bs-all").click()
        expect(page.locator("label:has(#company-libby)")).to_be_visible()
    play_on(game, "building")
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, NAMES[0])
        desk = Desk(page, live_site, game).open()
        button = box_of(desk.button("submit"))
        assert button["x"] + button["width"] > NARROW * 0.9


def possible_sale() -> tuple[AnyPosition, int]:
    """A seat that holds certificates it may sell, at its turn of the stock phase."""

    def watch(actions: list[Action], outcome: Outcome[Any]) -> None:
        for seat in range(3) if outcome.position.cursor.turn > 1 else ():
            offers = referee.offers(BIG_SHOULDERS, outcome.position, seat)
            if any(offer.kind == "sell" and not offer.refused for offer in offers):
                raise Found(outcome.position, seat)

    return look_for(watch)


def test_on_a_phone_a_sale_and_what_it_costs_the_value_are_on_one_screen(
    browser: "Browser", live_site: "LiveSite"
) -> None:
    position, seller = possible_sale()
    game = new_game(*NAMES, "cid", ruleset="big_shoulders", pace="daily")
    put(game, position)
    with another_page(browser, width=NARROW, height=TALL) as page:
        sign_in(page, live_site, (*NAMES, "cid")[seller])
        desk = Desk(page, live_site, game).open()
        page.locator("label:has(#act-sell)").click()
        page.locator(".bs-held button").nth(1).click()
        rows = page.locator("#preview tr")
        expect(rows.first).to_be_visible()
        for part in (page.locator(".bs-held"), rows.first):
            box = box_of(part)
            assert box["y"] >= HEAD
            assert box["y"] + box["height"] <= box_of(desk.bar)["y"]


def test_without_scripts_a_company_is_started_by_forms(browser: "Browser", live_site: "LiveSite") -> None:
    game = new_game(*NAMES, ruleset="big_shoulders", pace="daily")
    seat = whose_turn(game)
    with another_page(browser, scripts=False) as page:
        sign_in(page, live_site, NAMES[seat])
        desk = Desk(page, live_site, game).open(listening=False)
        page.get_by_role("button", name="See what happens next").click()
        expect(page.locator("#preview")).to_contain_text("Choose a company to see what it would bring")
        expect(page.get_by_role("alert")).to_have_count(0)
        page.locator("label:has(#company-swift)").click()
        page.get_by_role("button", name="See what happens next").click()
        page.locator("label:has(#value-50)").click()
        page.get_by_role("button", name="See what happens next").click()
        expect(page.locator("#preview")).to_contain_text("If you start Swift & Co. at 50")
        desk.press("submit").sees("#brief", "Nothing to decide")
    assert fresh(game).load_position().state.price("swift") == 50
