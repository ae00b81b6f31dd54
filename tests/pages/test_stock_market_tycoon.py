"""The board of Stock Market Tycoon in games of bots: what is offered can be sent, and what is foreseen happens."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from jinja2 import Environment
from msgspec import structs

from game.boards.decision import BadField, Filled, Missing
from game.boards.drawing import short
from game.boards.panel import filled_with
from game.boards.registry import board_of
from game.boards.stock_market_tycoon.decisions.turn import ACTS
from game.boards.stock_market_tycoon.market import changed_in, hand_rows, share_of
from game.boards.stock_market_tycoon.options import PRESETS, STOCK_MARKET_TYCOON_OPTIONS
from game.boards.stock_market_tycoon.year_end import year_story
from game.engine import referee, selfplay
from game.engine.breakdown import Part
from game.engine.chance import Chance
from game.engine.offers import Choice, Queue, Range, Several
from game.rulesets.stock_market_tycoon.options import Options
from game.rulesets.stock_market_tycoon.ruleset import STOCK_MARKET_TYCOON as RULES
from game.rulesets.stock_market_tycoon.scenarios.positions import CompanyWords, PlayerWords, TycoonGiven, stand
from game.rulesets.stock_market_tycoon.scoring import worth_parts
from game.rulesets.stock_market_tycoon.tables import MODES
from tests.pages.panels import Controls, check_page, foresee_at, page_engine, panel_at, table_at

BOARD = board_of("stock_market_tycoon")
PLACES = ("year-end", "year-end-before")
INVESTOR = Options(mode="investor")
ENOUGH = 3  # offers of a kind tried in a game
RICH = {"mode": "strategist", "years": 3, "starting_cash": 10_000_000}
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("house", 3, {"years": 3}),
    ("house", 4, {"mode": "investor", "years": 5, "starting_cash": 200_000}),
    ("house", 4, {"mode": "strategist", "years": 5}),
    ("random", 3, RICH),
    ("random", 3, {**RICH, "trade_mode": "plan"}),
    ("random", 3, {**RICH, "trade_mode": "batch"}),
]
every_game = pytest.mark.parametrize(("bot", "seats", "options"), GAMES)


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


def game(bot: str, seats: int, options: dict[str, Any]) -> Iterator[Any]:
    """Positions of a game of bots, and the last."""
    chance, bots = Chance(f"{bot} {seats}"), [RULES.bots[bot]] * seats
    position = referee.start(RULES, RULES.parse_options(options), seats, chance).position
    while not position.is_over:
        yield position
        position = selfplay.step(RULES, position, bots, chance)[1].position
    yield position


panel = partial(panel_at, BOARD)


def drawn(engine: Environment, position: Any, seat: int | None, **more: Any) -> str:
    return table_at(engine, BOARD, position, seat, **more)


def asked_by(offer: Any) -> dict[str, Any]:
    """A request that an offer stands for, with the most of each number, the least price and the last of each choice."""
    request = {"kind": offer.kind, **offer.fixed}
    for field in offer.fields:
        match field:
            case Range(name=name, low=low, high=high, step=step):
                request[name] = low if name == "price" else low + (high - low) // step * step
            case Choice(name=name, values=values):
                request[name] = values[-1][0]
            case Several(name=name, values=values, most=most):
                request[name] = [value for value, _ in values[:most]]
            case Queue(name=name, offers=offers):
                request[name] = [asked_by(each) for each in (offers[0], offers[-1])]
            case _:
                request[field.name] = True
    return request


@every_game
def test_every_offer_can_be_sent_from_its_form(
    engine: Environment, bot: str, seats: int, options: dict[str, Any]
) -> None:
    met: Counter[str] = Counter()
    for position in game(bot, seats, options):
        for seat in range(seats) if not position.is_over else ():
            offers = referee.offers(RULES, position, seat, explained=True)
            lasting = RULES.view(position, seat).lasting
            open_ones = (offer for offer in offers if not offer.refused and offer.slot not in lasting)
            for offer in (offer for offer in open_ones if met[offer.kind] < ENOUGH):
                met[offer.kind] += 1
                check_request(engine, position, seat, offers, asked_by(offer))
    assert met[{"plan": "plan", "batch": "batch"}.get(options.get("trade_mode", ""), "buy")] >= ENOUGH


def check_request(engine: Environment, position: Any, seat: int, offers: Any, wanted: dict[str, Any]) -> None:
    """It can be put into the printed form, and comes out of it as the same request."""
    view = RULES.view(position, seat)
    decision = BOARD.decision_of(view)
    chosen = filled_with(BOARD, view, [wanted], offers)
    if wanted["kind"].startswith(("keep_", "limit_")) and "kind" in decision.names:
        chosen = chosen.with_(kind="answers")
    page = drawn(engine, position, seat, filled=chosen)
    check_page(page)
    controls = Controls(page)
    assert set(chosen.names()) <= set(controls.names), wanted
    assert wanted in decision.read(Filled({**controls.sent, **chosen.all()}), offers)
    assert BOARD.sentence(wanted, view)


@every_game
def test_a_preview_foresees_what_the_action_does(bot: str, seats: int, options: dict[str, Any]) -> None:
    """Cash and shares after the action are those that were shown before it."""
    met: Counter[str] = Counter()
    for position in game(bot, seats, options):
        seat = position.state.acting
        if position.is_over or seat is None or position.state.has_acted or options.get("trade_mode") == "batch":
            continue
        offers = referee.offers(RULES, position, seat, explained=True)
        at_once = (offer for offer in offers if not offer.refused and offer.kind in ACTS and offer.kind != "end_turn")
        for offer in (offer for offer in at_once if met[offer.kind] < ENOUGH):
            met[offer.kind] += 1
            check_preview(position, seat, offers, asked_by(offer))


def check_preview(position: Any, seat: int, offers: Any, request: dict[str, Any]) -> None:
    view = RULES.view(position, seat)
    ticket = panel(position, seat, filled=filled_with(BOARD, view, [request], offers)).ticket
    assert ticket is not None
    rows = {row.label: row for row in ticket.preview.rows}
    now = foresee_at(BOARD, position, seat, request)
    if now is None:
        return
    cash = now.player(seat).cash
    assert (rows["Cash"].now == f"{cash:,}") if cash != view.player(seat).cash else "Cash" not in rows
    if company := request.get("company"):
        held = now.player(seat).shares.get(company, 0)
        if held != view.player(seat).shares.get(company, 0):
            assert rows["Your shares"].now == f"{held:,}"
            assert rows["Your part of it"].now == share_of(held, now.company(company))


@every_game
def test_strangers_see_no_hand_and_no_form(engine: Environment, bot: str, seats: int, options: dict[str, Any]) -> None:
    for number, position in enumerate(game(bot, seats, options)):
        if number % 25 and not position.is_over:
            continue
        page = drawn(engine, position, None)
        check_page(page)
        assert not Controls(page).buttons
        assert "Your hand" not in page


@every_game
def test_what_the_end_of_a_year_did_adds_up(bot: str, seats: int, options: dict[str, Any]) -> None:
    """ST 5: the effects that are told are the change of the net worth, unless a debt was put off with interest."""
    years = set()
    for position in game(bot, seats, options):
        for seat in range(seats):
            story = year_story(RULES.view(position, seat))
            report = position.state.year_end
            if story is None or not report.worths_after or position.state.debts[seat]:
                continue
            if seat in position.state.bankrupts or position.state.turn != story.year + (not position.is_over):
                continue
            years.add(story.year)
            assert sum(line.amount for line in story.own) == story.now - story.was
    assert years


def test_the_last_year_stays_this_year_when_the_game_is_over() -> None:
    """ST 5: what the prices did in the year that is shown, and in the one before it."""
    *_, before, end = game("house", 3, {"years": 3})
    for company in RULES.view(end, None).companies:
        moved = end.state.prices[company.key] - before.state.last_close(company.key)
        assert changed_in(company, RULES.view(end, None).turn) == moved
    assert any(changed_in(company, 3) for company in RULES.view(end, None).companies)
    assert not any(changed_in(company, 0) for company in RULES.view(end, None).companies)


def test_the_hand_says_what_its_sums_allow() -> None:
    """ST 4.1: of each company the rules allow a purchase exactly where the hand says so."""
    for position in game("house", 3, {"years": 3}):
        seat = position.state.acting
        if position.is_over or seat is None or position.state.has_acted:
            continue
        refused = {o.fixed["company"]: o.refused for o in referee.offers(RULES, position, seat) if o.kind == "buy"}
        for row in hand_rows(RULES.view(position, seat)):
            assert row.is_open or refused[row.company.key]
            assert ("add up to" in refused[row.company.key]) <= (not row.is_open)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"act": "steal"}, "not on offer"),
        ({"act": "buy", "company": "XX"}, "not on offer"),
        ({"act": "buy", "company": "AB", "shares": "1500"}, "steps of 1,000"),
        ({"act": "buy", "company": "AB", "shares": "lots"}, "whole number"),
        ({"act": "sell", "company": "AB", "shares": "1"}, "not on offer|hold no shares"),
        ({"kind": "answers", "keep_keep_striking_": "on", "keep_keep_striking__card": "all"}, "not on offer"),
    ],
)
def test_a_form_that_asks_for_something_else_is_refused(fields: dict[str, str], match: str) -> None:
    position = next(iter(game("house", 2, {})))
    seat = position.state.acting
    offers = referee.offers(RULES, position, seat)
    form = Filled({"kind": ["turn"], **{name: [value] for name, value in fields.items()}})
    with pytest.raises(BadField, match=match):
        BOARD.decision("trade").read(form, offers)


def test_an_action_without_its_company_is_only_unfinished() -> None:
    position = next(iter(game("house", 2, {})))
    offers = referee.offers(RULES, position, position.state.acting)
    with pytest.raises(Missing, match="Choose a company"):
        BOARD.decision("trade").read(Filled({"kind": ["turn"], "act": ["buy"]}), offers)


@pytest.mark.parametrize(("amount", "told"), [(999_999, "999,999"), (2_000_000, "2m"), (10_540_000, "10.5m")])
def test_millions_are_short_on_a_chart(amount: int, told: str) -> None:
    assert short(amount) == told


def test_the_end_of_a_year_stands_before_the_market_until_the_second_turn(engine: Environment) -> None:
    """Both places are on every page, so that it moves on an open one; one of them is filled."""
    for position in game("house", 3, {"years": 3}):
        page = drawn(engine, position, 0)
        first, later = (page.partition(f'id="{place}"')[2].partition("</section>")[0] for place in PLACES)
        filled = ["The end of year" in part for part in (first, later)]
        assert filled == [False, False] if position.state.year_end is None else filled.count(True) == 1
        if filled[0]:
            assert (
                position.is_over or position.state.sub_round <= 1 or position.state.year_end.year == position.state.turn
            )
        assert page.index('id="year-end"') < page.index('id="market"') < page.index('id="year-end-before"')


def in_debt(*bankrupts: str) -> Any:
    """ada's first turn of a year with a debt that nothing of hers can pay, beside ben and cid."""
    players = {"ada": PlayerWords(cash=0, debt=50_000), "ben": PlayerWords(), "cid": PlayerWords()}
    given = TycoonGiven(phase="trade", acting="ada", players=players, bankrupts=list(bankrupts), options=INVESTOR)
    return stand(given).position


def test_a_debtor_reads_of_the_debt_before_choosing_anything() -> None:
    ticket = panel(in_debt(), 0).ticket
    assert ticket is not None
    assert [say.text for say in ticket.preview.says] == [
        "You are 50,000 short of your debt of 50,000: after this turn you are bankrupt."
    ]


def test_the_order_of_turns_leaves_out_who_is_bankrupt() -> None:
    assert [step.seat for step in BOARD.order(RULES.view(in_debt("ben"), 0))] == [0, 2]


def test_the_money_of_an_open_buyback_is_the_chairmans_until_somebody_sells() -> None:
    """ST 4.10: escrow counts in the net worth that is shown meanwhile, and has a line in its explanation."""
    players = {"ada": PlayerWords(cash=1_500_000), "ben": PlayerWords(cash=0), "cid": PlayerWords(cash=0)}
    companies = {"OE": CompanyWords(price=50, shares={"ada": 100_000, "ben": 30_000})}
    options = Options(mode="strategist", starting_cash=1_500_000)
    position = stand(TycoonGiven(phase="trade", players=players, companies=companies, options=options)).position
    announced = {"kind": "announce_buyback", "company": "OE", "shares": 20_000, "price": 60}
    [action] = selfplay.allowed_actions(RULES, position, [announced], 0)
    tender = referee.apply(RULES, position, action, Chance("tender")).position
    before, during = RULES.view(position, 0), RULES.view(tender, 0)
    assert (during.player(0).cash, during.player(0).score) == (300_000, before.player(0).score)
    parts = worth_parts(tender.state, "0")
    assert Part("Escrow of the buyback", 1_200_000) in parts
    assert sum(part.amount for part in parts) == during.player(0).score


def test_presets_are_ten_years_with_plans_or_three_in_turn_and_begin_with_the_trader() -> None:
    """T-40."""
    kinds = [tuple(preset.options[name] for name in ("mode", "years", "trade_mode")) for preset in PRESETS]
    assert kinds == [(mode, *length) for mode in MODES for length in ((10, "plan"), (3, "strict"))]
    assert STOCK_MARKET_TYCOON_OPTIONS.first == "trader_short"
    for preset in PRESETS:
        assert RULES.parse_options(preset.options)


def test_options_on_many_shares_are_called_puts_or_calls() -> None:
    """In the preview, and on the button, which takes the word of the box that is ticked."""
    given = TycoonGiven(phase="trade", acting="ada", players={"ada": PlayerWords(), "ben": PlayerWords()})
    position = stand(structs.replace(given, options=Options(mode="strategist"))).position
    offers = referee.offers(RULES, position, 0, explained=True)
    request = {"kind": "buy_option", "company": "TS", "contract": "put", "shares": 2000}
    ticket = panel(position, 0, filled=filled_with(BOARD, RULES.view(position, 0), [request], offers)).ticket
    assert ticket is not None
    assert ticket.preview.caption == "If you buy puts on 2,000 Titan Steel at 25"
    ((_, _, kinds),) = ticket.form.turn.choices
    assert [(kind.label, kind.detail) for kind in kinds] == [("Call", "calls"), ("Put", "puts")]


@pytest.mark.parametrize(("cash", "act"), [(600_000, "buy"), (0, "sell")])
def test_the_form_begins_with_what_is_possible(cash: int, act: str) -> None:
    players = {"ada": PlayerWords(cash=cash), "ben": PlayerWords()}
    companies = {"TS": CompanyWords(shares={"ada": 1000})}
    position = stand(TycoonGiven(phase="trade", acting="ada", players=players, companies=companies)).position
    ticket = panel(position, 0).ticket
    assert ticket is not None
    assert [one.value for one in ticket.form.turn.acts if one.checked] == [act]


def test_a_tile_says_why_its_company_cannot_be_bought_and_what_one_s_cards_do_to_shares_held() -> None:
    players = {"ada": PlayerWords(cash=30_000, hand=["TS-15", "AB-5", "NT+10"]), "ben": PlayerWords()}
    companies = {
        "AB": CompanyWords(price=20),
        "TS": CompanyWords(price=25, bought=True),
        "OE": CompanyWords(price=55),
        "NT": CompanyWords(price=80, shares={"ada": 2000}),
    }
    position = stand(TycoonGiven(phase="trade", acting="ada", players=players, companies=companies)).position
    buying, selling = (panel(position, 0, filled=Filled({"kind": ["turn"], "act": [act]})) for act in ("buy", "sell"))
    assert buying.ticket
    assert selling.ticket
    tiles = {one.value: one.detail for one in buying.ticket.form.turn.companies}
    assert tiles["AB"] == "your cards −5, as first buyer"
    assert tiles["TS"] == "cards −15, no longer first"
    assert tiles["OE"] == tiles["NT"] == "not enough cash"
    assert {one.value: one.detail for one in selling.ticket.form.turn.companies}["NT"] == "you hold 2,000, cards +10"
