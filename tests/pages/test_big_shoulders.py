"""The board of City of the Big Shoulders in games of bots: offers can be sent, and what is foreseen happens."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import msgspec
import pytest
from jinja2 import Environment

from accounts.languages import override_language
from game.boards.big_shoulders.decisions.course import read_command
from game.boards.big_shoulders.decisions.operation import Operate
from game.boards.big_shoulders.decisions.order_fields import fill_order
from game.boards.big_shoulders.decisions.standing import Standing
from game.boards.big_shoulders.tracks import appeal_track, value_track
from game.boards.decision import BadField, Filled, Missing
from game.boards.panel import filled_with
from game.boards.registry import board_of
from game.engine import referee, selfplay
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.offers import Choice, Counts, Flag, Queue, Range, Records, Several
from game.rulesets.big_shoulders.ruleset import BIG_SHOULDERS as RULES
from game.rulesets.big_shoulders.standing_companies import Recipe
from game.rulesets.big_shoulders.state import Operation
from tests.pages.panels import Controls, check_page, foresee_at, page_engine, panel_at, table_at

BOARD = board_of("big_shoulders")
ENOUGH = 4  # offers of a kind tried in a game
GAMES: list[tuple[str, int, dict[str, Any]]] = [
    ("house", 2, {}),
    ("house", 4, {"advanced": True}),
    ("random", 3, {"advanced": True, "friendly_sales": True}),
]
every_game = pytest.mark.parametrize(("bot", "seats", "options"), GAMES)


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


def game(bot: str, seats: int, options: dict[str, Any]) -> Iterator[Any]:
    """Positions of a game of bots, and the last."""
    return iter(_positions(bot, seats, tuple(options.items())))


@cache
def _positions(bot: str, seats: int, options: tuple[tuple[str, Any], ...]) -> list[Any]:
    return [*_played(bot, seats, dict(options))]


def _played(bot: str, seats: int, options: dict[str, Any]) -> Iterator[Any]:
    chance, bots = Chance(f"{bot} of {seats}"), [RULES.bots[bot]] * seats
    position = referee.start(RULES, RULES.parse_options(options), seats, chance).position
    while not position.is_over:
        yield position
        position = selfplay.step(RULES, position, bots, chance)[1].position
    yield position


panel = partial(panel_at, BOARD)


def drawn(engine: Environment, position: Any, seat: int | None, **more: Any) -> str:
    return table_at(engine, BOARD, position, seat, **more)


def asked_by(offer: Any) -> dict[str, Any]:
    """A request that an offer stands for, with the least of each number and the first of each choice."""
    return {"kind": offer.kind, **offer.fixed, **values_of(offer.fields)}


def values_of(fields: Any) -> dict[str, Any]:
    request: dict[str, Any] = {}
    for field in fields:
        match field:
            case Range(name=name, low=low):
                request[name] = low
            case Choice(name=name, values=values):
                request[name] = values[0][0]
            case Several(name=name, values=values, most=most):
                request[name] = [value for value, _ in values[:most]]
            case Counts(name=name, parts=parts, least=least):
                request[name], left = {}, least
                for key, _, most in parts:
                    taken = min(most, left)
                    request[name] |= {key: taken} if taken else {}
                    left -= taken
            case Flag(name=name):
                request[name] = True
            case Records(name=name, fields=row):
                request[name] = [values_of(row)]
            case Queue(name=name, offers=entries):
                request[name] = [asked_by(entry) for entry in entries[:2]]
    return request


@every_game
def test_every_offer_can_be_sent_from_its_form(
    engine: Environment, bot: str, seats: int, options: dict[str, Any]
) -> None:
    met: Counter[str] = Counter()
    for position in game(bot, seats, options):
        for seat in range(seats) if not position.is_over else ():
            offers = referee.offers(RULES, position, seat, explained=True)
            possible = (offer for offer in offers if not offer.refused)
            for offer in (offer for offer in possible if met[offer.kind] < ENOUGH):
                met[offer.kind] += 1
                check_request(engine, position, seat, offers, asked_by(offer))
    assert min(met[kind] for kind in ("start", "buy", "choose", "place", "stop", "withhold")) >= 1, met


def check_request(engine: Environment, position: Any, seat: int, offers: Any, wanted: dict[str, Any]) -> None:
    """It can be put into the form, and comes out of it as the same action."""
    view = RULES.view(position, seat)
    decision = BOARD.decision_of(view)
    chosen = filled_with(BOARD, view, [wanted], offers)
    check_page(drawn(engine, position, seat, filled=chosen))
    requests = decision.read(chosen, offers)
    assert [RULES.parse(request, seat) for request in requests] == [RULES.parse(wanted, seat)]
    assert BOARD.sentence(wanted, view)


@every_game
def test_what_the_form_proposes_is_accepted(engine: Environment, bot: str, seats: int, options: dict[str, Any]) -> None:
    """The form as it is drawn, once a company or a space is chosen, is a whole turn that the rules accept."""
    tried: Counter[str] = Counter()
    for position in game(bot, seats, options):
        seat = position.state.acting
        phase = referee.phase_of(RULES, position)
        if seat is None or phase is None or phase.name not in {"first_company", "stock", "action", "operation"}:
            continue
        if tried[phase.name] >= ENOUGH:
            continue
        tried[phase.name] += 1
        check_proposal(engine, position, seat, phase.name)
    assert min(tried[name] for name in ("first_company", "stock", "action", "operation")) >= seats


def check_proposal(engine: Environment, position: Any, seat: int, phase: str) -> None:
    offers = referee.offers(RULES, position, seat, explained=True)
    for chosen in choices_in(phase, offers)[:: 1 + seat]:
        page = drawn(engine, position, seat, filled=Filled(chosen))
        check_page(page)
        decision = BOARD.decision(phase)
        sent = Filled({name: values for name, values in Controls(page).sent.items() if known(decision, name)})
        requests = decision.read(sent, offers)
        assert requests, chosen
        outcome = referee.apply_all(
            RULES, position, [RULES.parse(request, seat) for request in requests], Chance("proposal")
        )
        assert outcome.position.state != position.state


def known(decision: Any, name: str) -> bool:
    return name in decision.names or any(each.endswith("_") and name.startswith(each) for each in decision.names)


def choices_in(phase: str, offers: Any) -> list[dict[str, list[str]]]:
    """Forms in which only the first choice is made."""
    there = [offer for offer in offers if not offer.refused]
    if phase == "operation" or (phase == "action" and not any(offer.kind == "place" for offer in there)):
        return [{}]
    if phase == "action":
        return [
            {"act": ["place"], "company": [offer.fixed["company"]], "space": [str(offer.fixed["space"])]}
            for offer in there
            if offer.kind == "place"
        ]
    firsts = {offer.kind: offer for offer in reversed(there) if offer.kind in {"buy", "start"}}
    return [{"act": [kind], "company": [offer.fixed["company"]]} for kind, offer in firsts.items()]


@every_game
def test_strangers_see_no_hand_and_no_form(engine: Environment, bot: str, seats: int, options: dict[str, Any]) -> None:
    for number, position in enumerate(game(bot, seats, options)):
        if number % 25 and not position.is_over:
            continue
        page = drawn(engine, position, None)
        check_page(page)
        assert not Controls(page).buttons


def test_every_started_company_stands_on_both_tracks() -> None:
    """BS 1.1, BS 1.5: in the order in which they operate."""
    for position in game("house", 4, {}):
        view = RULES.view(position, None)
        started = {company.key for company in view.companies if company.is_started}
        for track in (value_track(view), appeal_track(view)):
            assert {one.key for space in track for one in space.companies} == started
        along = [one.rank for space in reversed(appeal_track(view)) for one in space.companies]
        assert along == sorted(along)


@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"act": "steal"}, "not on offer"),
        ({"act": "start", "company": "swift", "value": "36"}, "not on offer"),
        ({"act": "command", "command": "{"}, "whole|not be read|not on offer"),
    ],
)
def test_a_form_that_asks_for_something_else_is_refused(fields: dict[str, str], match: str) -> None:
    position = next(iter(game("house", 2, {})))
    offers = referee.offers(RULES, position, position.state.acting)
    with pytest.raises(BadField, match=match):
        BOARD.decision("first_company").read(Filled({name: [value] for name, value in fields.items()}), offers)


@pytest.mark.parametrize("text", ["{", '{"more": ' + "[" * 5000])
def test_a_command_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(BadField, match="cannot be read"):
        read_command(Filled({"command": [text]}))


def test_a_start_without_its_company_is_only_unfinished() -> None:
    position = next(iter(game("house", 2, {})))
    offers = referee.offers(RULES, position, position.state.acting)
    with pytest.raises(Missing, match="Choose a company"):
        BOARD.decision("first_company").read(Filled({"act": ["start"]}), offers)


def test_an_operation_begins_with_every_factory_that_can_run() -> None:
    """BS 7: with cubes of the supply chain, or by trades in Haymarket where they are not for sale; the revenue is paid.
    Where no factory runs, its row says what it lacks."""
    trades = 0
    for position in game("house", 4, {}):
        operation = None if position.is_over else position.state.operation
        if operation is None or operation != Operation(operation.company):
            continue
        ticket = panel(position, position.state.acting).ticket
        assert ticket is not None
        form = ticket.form
        runs = [row.number for row in form.factories if row.state == "runs"]
        assert runs or all(row.note for row in form.factories)
        assert (form.choice == "pay") is bool(runs)
        trades += bool(form.trades)
    assert trades


def test_an_order_that_asks_leaves_the_form_of_the_turn_as_it_is() -> None:
    """B-79: who waits sees what is in force, and whose turn it is the turn."""
    for position in game("house", 3, {}):
        if position.is_over or position.cursor.turn < 2 or not referee.phase_of(RULES, position):
            continue
        seat = position.state.acting
        wish = {"company": position.state.track[0], "certificate": "P", "place": "pool", "price": 1}
        asks = {"kind": "stock_order", "wishes": [wish], "otherwise": "ask"}
        left = [RULES.parse(asks, each) for each in (seat, (seat + 1) % 3)]
        held = referee.apply_all(RULES, position, left, Chance("held")).position
        mine, other = (panel(held, action.actor).ticket for action in left)
        assert held.cursor == position.cursor
        assert mine is not None
        assert other is not None
        assert (mine.form.act, mine.form.orders) == ("", None)
        assert (other.form.order, len(other.form.rows)) == ("stock_order", 2)
        return
    raise AssertionError("There is no second decade.")


def test_a_plan_that_cannot_be_carried_out_says_why() -> None:
    """BS 7.4: a factory without its cubes is refused with the numbers, before anything is sent."""
    for position in game("house", 4, {}):
        if not position.is_over and position.state.operation and not position.state.operation.runs:
            seat = position.state.acting
            ticket = panel(position, seat, filled=Filled({"act": ["plan"], "runs": ["3"]})).ticket
            assert ticket is not None
            assert ticket.preview.says[0].rule == "BS 7.4"
            with pytest.raises(Refused):
                foresee_at(BOARD, position, seat, {"kind": "run", "factory": 3})
            return
    raise AssertionError("No company operates.")


@pytest.mark.parametrize(("touched", "stays"), [("cube goods_50", True), ("goods_50 cube", False), ("", False)])
def test_goods_entered_after_the_cubes_are_not_chosen_anew(touched: str, *, stays: bool) -> None:
    """The form was drawn for another production; what was entered for this one stays."""
    form = {"act": "plan", "cube": "10:coal", "goods_50": "2", "drawn_for": "another", "touched": touched}
    fitted = Operate().fit(Filled({name: [text] for name, text in form.items()}), None, ())
    assert (fitted.get("goods_50") == "2") is stays


def test_a_plan_as_it_is_drawn_is_carried_out_whole(engine: Environment) -> None:
    """BS 7: in whatever order its cubes stand on the page, goods and decision belong to this production."""
    kinds: set[int] = set()
    for position in (each for seats in (2, 3, 4) for each in game("house", seats, {})):
        operation = None if position.is_over else position.state.operation
        if operation is None or operation != Operation(operation.company):
            continue
        seat = position.state.acting
        sent = Filled(Controls(drawn(engine, position, seat)).sent)
        requests = Operate().read(sent, referee.offers(RULES, position, seat, explained=True))
        assert requests[-1]["kind"] in {"pay", "withhold"}
        kinds.add(len(set(sent.several("cube"))))
    assert max(kinds) > 1


def test_an_order_just_chosen_is_unfinished_not_wrong() -> None:
    """B-79: the value of a purchase and the fields of another order are drawn once it is chosen."""
    position = next(each for each in game("house", 3, {}) if each.cursor.turn > 1 and each.state.acting is not None)
    seat = (position.state.acting + 1) % 3
    offers = referee.offers(RULES, position, seat, explained=True)
    paper = {"order": ["stock_order"], "wish_0_paper": [f"{position.state.track[0]}:C:pool"], "otherwise": ["pass"]}
    with pytest.raises(Missing, match="highest value"):
        Standing().read(Filled(paper), offers)
    with pytest.raises(Missing, match="another one"):
        Standing().read(Filled(paper | {"order_for": ["bonus:worker"]}), offers)


def test_a_start_shows_the_factories_of_its_company(engine: Environment) -> None:
    """BS 1.4: what decides between companies stands beside the choice."""
    position = next(game("house", 3, {}))
    page = drawn(engine, position, position.state.acting, filled=Filled({"act": ["start"], "company": ["swift"]}))
    form = page[page.index('id="bs-stock"') : page.index('id="preview"')]
    assert form.count('class="bs-io"') == 2


def test_the_heading_of_a_stock_turn_names_what_is_left_to_do() -> None:
    """BS 5.1, BS 5.5: one sale, before anything else; no start in the first decade."""
    headings = set()
    for position in game("random", 3, {}):
        phase = None if position.is_over else referee.phase_of(RULES, position)
        if phase is not None and phase.name == "stock" and position.state.acting is not None:
            ticket = panel(position, position.state.acting).ticket
            assert ticket is not None
            headings.add((position.cursor.turn == 1, position.state.has_sold, ticket.title))
    first = {title for is_first, has_sold, title in headings if is_first and not has_sold}
    assert first == {"Buy, or pass.", "Buy, sell, or pass."}, "nothing to sell at first"
    left = {title for _, has_sold, title in headings if has_sold}
    assert left
    assert left <= {"Buy, or end your turn.", "Buy, start a company, or end your turn."}


def test_the_owner_of_a_tile_reads_who_gets_its_fee_in_german() -> None:
    for position in game("house", 3, {}):
        if position.is_over or position.state.acting is None:
            continue
        seat = position.state.acting
        own = [
            offer
            for offer in referee.offers(RULES, position, seat, explained=True)
            if offer.kind == "place"
            and not offer.refused
            and offer.fixed["space"] in position.state.built[seat]
            and "asset_slot" not in offer.fixed
        ]
        if own:
            fields = {name: [str(own[0].fixed[name])] for name in ("company", "space")}
            with override_language("de"):
                ticket = panel(position, seat, filled=Filled({"act": ["place"], **fields})).ticket
            assert ticket is not None
            assert ticket.preview.rows[0].label == "Gebühr an dich"
            return
    raise AssertionError("Nobody can use a tile of their own.")


def test_assets_for_sale_say_what_they_do_and_not_who_is_paid() -> None:
    """BS 6.3: the owner of the tile is paid once, whichever asset is bought; the preview says so."""
    for position in game("house", 3, {}):
        if position.is_over or position.state.acting is None:
            continue
        offers = referee.offers(RULES, position, position.state.acting, explained=True)
        buying = [offer for offer in offers if "asset_slot" in offer.fixed and isinstance(offer.fixed["space"], int)]
        if buying and not buying[0].refused:
            fields = {name: [str(buying[0].fixed[name])] for name in ("company", "space")}
            ticket = panel(position, position.state.acting, filled=Filled({"act": ["place"], **fields})).ticket
            assert ticket is not None
            assert all(asset.detail.startswith("when bought: ") for asset in ticket.form.assets)
            return
    raise AssertionError("No tile sells an asset.")


def test_raising_funds_is_unfinished_until_its_certificates_are_named() -> None:
    """BS 7.2: the number is drawn once the action is chosen."""
    for position in game("house", 4, {"advanced": True}):
        operation = None if position.is_over else position.state.operation
        if operation is None or operation != Operation(operation.company):
            continue
        offers = referee.offers(RULES, position, position.state.acting, explained=True)
        if any(offer.kind == "raise" and not offer.refused and not offer.fixed for offer in offers):
            for named in ({}, {"commons": ["0"]}):
                with pytest.raises(Missing, match="how many"):
                    Operate().read(Filled({"act": ["raise"], **named}), offers)
            ticket = panel(position, position.state.acting, filled=Filled({"act": ["raise"]})).ticket
            assert ticket is not None
            assert ticket.send == "Raise funds, then go on"
            return
    raise AssertionError("No company can raise funds.")


def test_an_order_in_force_is_shown_with_what_it_leaves_out() -> None:
    """What is as usual is in no request: the form shows it all the same."""
    usual = Recipe(company="swift")
    form = fill_order(msgspec.to_builtins(usual))
    values_by_key = {name: form[f"recipe_{name}"] for name in ("dearest", "runs", "steps", "share")}
    assert values_by_key == {name: [str(getattr(usual, name))] for name in values_by_key}
