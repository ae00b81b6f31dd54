"""The board of Power Up in random games: what is offered can be sent, and what is foreseen happens."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from jinja2 import Environment

from game.boards.decision import BadField, Filled
from game.boards.panel import filled_with
from game.boards.registry import board_of
from game.engine import names, referee, selfplay
from game.engine.actions import Refused
from game.engine.chance import Chance
from game.engine.offers import Cells, Choice, is_asked
from game.rulesets.power_up.ruleset import POWER_UP as RULES
from tests.pages.panels import Controls, check_page, page_engine, panel_at, table_at
from tests.rulesets.power_up.table import Table

BOARD = board_of("power_up")
TURN = BOARD.decision("take_turn")
ENOUGH = 5  # offers of a kind tried in a game


@pytest.fixture(scope="module")
def engine() -> Environment:
    return page_engine()


def random_game(seed: str, seats: int, bot: str = "random", **options: Any) -> Iterator[Any]:
    """Positions of a game of bots, and the last."""
    chance, bots = Chance(seed), [RULES.bots[bot]] * seats
    position = referee.start(RULES, RULES.parse_options(options), seats, chance).position
    while not position.is_over:
        yield position
        _, outcome = selfplay.step(RULES, position, bots, chance)
        position = outcome.position
    yield position


panel = partial(panel_at, BOARD)


def drawn(engine: Environment, position: Any, seat: int | None, **more: Any) -> str:
    return table_at(engine, BOARD, position, seat, **more)


def asked_by(offer: Any) -> Iterator[dict[str, Any]]:
    """The requests that an offer stands for: each tile, with the last company where one is named."""
    cells = next((field for field in offer.fields if isinstance(field, Cells)), None)
    if cells is None:
        yield {"kind": offer.kind, **offer.fixed}
        return
    for cell in cells.cells:
        request = {"kind": offer.kind, "tile": cell.value}
        named = [field for field in offer.fields if isinstance(field, Choice) and is_asked(field, request)]
        yield request | {field.name: field.values[-1][0] for field in named}


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("doe", [True, False])
def test_every_offer_of_random_games_can_be_sent_from_its_form(engine: Environment, seats: int, doe: bool) -> None:
    met: Counter[str] = Counter()
    for position in random_game(f"forms {seats}", seats, doe=doe):
        for seat in sorted(referee.with_a_choice(RULES, position)):
            offers = [o for o in referee.offers(RULES, position, seat) if not o.refused and met[o.kind] < ENOUGH]
            if offers:
                page = drawn(engine, position, seat)
                check_page(page)
                for offer in offers:
                    met[offer.kind] += 1
                    for wanted in asked_by(offer):
                        check_request(page, position, seat, wanted)
    assert set(met) == {"play_tile", "buy", "draw", "end_turn"}


def check_request(page: str, position: Any, seat: int, wanted: dict[str, Any]) -> None:
    """It can be put into the printed form, and comes out of it as the same request."""
    offers = referee.offers(RULES, position, seat)
    controls = Controls(page)
    chosen = filled_with(BOARD, RULES.view(position, seat), [wanted], offers)
    for name in chosen.names():
        assert set(chosen.several(name)) <= set(controls.names[name]), (name, chosen.several(name))
    sent = Filled({**controls.sent, **{name: chosen.several(name) for name in chosen.names()}, "sure_end": ["on"]})
    assert TURN.read(sent, offers) == [wanted]
    TURN.confirm([wanted], sent)
    names.check(RULES.parse(wanted, seat), position.state)


@pytest.mark.parametrize("seats", [2, 4])
def test_strangers_and_those_who_wait_see_the_same_map_without_a_form(engine: Environment, seats: int) -> None:
    for number, position in enumerate(random_game(f"strangers {seats}", seats)):
        if number % 9 and not position.is_over:
            continue
        for seat in (None, *(seat for seat in range(seats) if not referee.offers(RULES, position, seat))):
            page = drawn(engine, position, seat)
            check_page(page)
            assert not Controls(page).buttons
            assert 'name="move"' not in page
            assert page.count('data-cell="') == 100
    assert "The game is over" in page


def test_a_preview_foresees_what_the_action_does(engine: Environment) -> None:
    """Cash, tiles and prices after the action are those that were shown before it."""
    met: Counter[str] = Counter()
    for seats in (2, 3, 4):
        for position in random_game(f"previews {seats}", seats, "house"):
            seat = position.state.acting
            view = RULES.view(position, seat) if seat is not None and not position.is_over else None
            for ahead in view.ahead if view and not view.tile_lock else ():
                if met[ahead.case] < ENOUGH:
                    met[ahead.case] += 1
                    named = {ahead.choice: ahead.companies[0]} if ahead.choice else {}
                    check_preview(position, seat, {"kind": "play_tile", "tile": ahead.tile, **named}, ahead)
    assert set(met) >= {"isolated", "founding", "expansion", "merger"}


def check_preview(position: Any, seat: int, request: dict[str, Any], ahead: Any) -> None:
    offers = referee.offers(RULES, position, seat)
    ticket = panel(position, seat, filled=filled_with(BOARD, RULES.view(position, seat), [request], offers)).ticket
    assert ticket is not None
    rows = {row.label: row for row in ticket.preview.rows}
    after = referee.apply(RULES, position, RULES.parse(request, seat), Chance("after")).position
    now = RULES.view(after, seat)
    for result in ahead.results[:1]:
        company = now.company(result.company)
        assert rows["Price"].now == f"{company.price:,}"
        if ahead.case == "merger":
            assert rows["Your cash"].now == f"{now.player(seat).cash:,}"
            assert f"{company.title}, tiles" in rows


def test_a_tie_shows_every_survivor_until_one_is_chosen() -> None:
    """PU 4.5: the acting player chooses among companies of equal size."""
    position, ahead = next(
        (position, ahead)
        for number in range(40)
        for position in random_game(f"ties {number}", 3, "house")
        if position.state.acting is not None and not position.state.tile_lock and not position.is_over
        for ahead in RULES.view(position, position.state.acting).ahead
        if ahead.choice == "survivor"
    )
    seat = position.state.acting
    ticket = panel(position, seat, filled=Filled({"move": [ahead.tile]})).ticket
    assert ticket is not None
    titles = [RULES.view(position, seat).company(key).title for key in ahead.companies]
    assert [row.label for row in ticket.preview.rows] == titles
    assert "equal size" in ticket.preview.hint
    request = TURN.read(Filled({"move": [ahead.tile]}), referee.offers(RULES, position, seat))[0]
    with pytest.raises(Refused, match="joins companies of equal size"):
        names.check(RULES.parse(request, seat), position.state)


def test_the_button_of_the_last_action_says_that_it_ends_the_turn() -> None:
    """P-18: after it nothing can be taken back, and nothing else is asked."""
    page, last = (drawn(page_engine(), Table(actions=left).hands(ada="C3 D5").position, 0) for left in (2, 1))
    assert "end turn" not in page
    assert 'data-send="Play C3 and end turn"' in last
    assert "Take action and end turn" in last
    assert "sure-ask" not in last


def test_the_only_company_that_can_be_founded_needs_no_choice() -> None:
    position, tile, key = next(
        (position, str(field.when.values[0]), str(field.values[0][0]))
        for number in range(40)
        for position in random_game(f"founding {number}", 3, "house")
        if position.state.acting is not None and not position.is_over
        for offer in referee.offers(RULES, position, position.state.acting)
        for field in offer.fields
        if isinstance(field, Choice) and field.name == "found" and len(field.values) == 1 and field.when
    )
    ticket = panel(position, position.state.acting, filled=Filled({"move": [tile]})).ticket
    assert ticket is not None
    (named,) = (named for named in ticket.form.named if named.name == "found")
    assert [(option.value, option.checked) for option in named.options] == [(key, True)]


@pytest.mark.parametrize("move", ["draw", "buy_rufus", "C3", "end_turn"])
def test_nothing_but_an_end_of_the_game_is_confirmed(move: str) -> None:
    form = Filled({"move": [move]})
    TURN.confirm(TURN.read(form, []), form)
    with pytest.raises(BadField, match="Choose a tile or another action"):
        TURN.confirm([], Filled())


@pytest.mark.parametrize(("lock", "words"), [(True, "Choose an action"), (False, "Choose a tile or another action")])
def test_what_is_asked_for_is_possible(lock: bool, words: str) -> None:
    table = Table().board(eclipse="A0 A1").hands(ada="J0").after(lock=lock)
    assert panel(table.position, 0).send.words == words


@pytest.mark.parametrize("move", ["K1", "A10", "a1", "buy_enron", "buy_", "undo", "<b>", "9" * 400])
def test_a_move_that_is_none_is_refused(move: str) -> None:
    with pytest.raises(BadField, match="There is no move"):
        TURN.read(Filled({"move": [move]}), [])


def test_the_letters_of_the_companies_differ() -> None:
    """A piece is known by its letter alone, without its colour."""
    assert len({key[0] for key in RULES.registries["companies"]}) == len(RULES.registries["companies"])


def test_rows_list_every_company_and_every_hand() -> None:
    *_, position = random_game("rows", 3, "house")
    view = RULES.view(position, None)
    rows, point = BOARD.rows(view), BOARD.point(view)
    assert [row.key for row in rows.companies] == list(RULES.registries["companies"])
    assert len(rows.holdings) == 3 * len(rows.companies)
    assert set(point.prices) == {row.key for row in rows.companies}
    assert point.worth == tuple(player.score for player in sorted(view.players, key=lambda player: player.seat))
    assert BOARD.ending(view).endswith(".")


def test_the_order_of_play_is_not_called_a_place() -> None:
    """Who was second to play is not who came second."""
    *_, position = random_game("rows", 3, "house")
    view = RULES.view(position, None)
    players = next(
        sheet for sheet in BOARD.sheets(view, BOARD.rows(view), ("Ada", "Bo", "Cy")) if sheet.key == "players"
    )
    at = [column.key for column in players.columns].index("place")
    assert players.columns[at].title == "Turn order"
    assert "Place" not in [column.title for column in players.columns]
    assert [row.cells[at] - 1 for row in players.rows] == [view.order.index(row.seat) for row in players.rows]


def test_beside_a_share_that_cannot_be_bought_stands_why_in_few_words() -> None:
    table = Table().board(eclipse="A0 A1", maniac="A5 A6").hands(ada="J9", bob="J0").cash(ada=100)
    table.shares("maniac", bob=25).plays("J9")
    buys = {option.extra: option.refused for option in panel(table.position, 0).ticket.form.buys}
    assert buys == {"eclipse": "Not enough cash", "maniac": "Sold out"}
