"""Games as the fourth version of Sectors and the first of Power Up stored them in the middle of a turn: with answers
given ahead, lasting inputs, drafts, and actions that can still be taken back."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

from tests.store import stored_games

FOLDER = stored_games.STORED / "in_progress"
Request = dict[str, Any]


def names() -> list[str]:
    """All that there are."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def restore(name: str) -> Any:
    """The stored game in this database, with what its people have begun to decide."""
    from game.store.log import Draft

    path = FOLDER / f"{name}.json"
    game = stored_games.restore(path)
    seats = {seat.number: seat for seat in game.seats.all()}
    for draft in json.loads(path.read_text(encoding="utf-8"))["drafts"]:
        Draft.objects.create(seat=seats[draft.pop("number")], **stored_games.row_of(Draft, draft))
    return game


def write(name: str, game: Any) -> Path:
    """A game as it is stored now, with the drafts of its seats."""
    from game.store.log import Draft

    drafts = Draft.objects.filter(seat__game=game).select_related("seat").order_by("pk")
    plain = [{**stored_games.plain_row(draft), "number": draft.seat.number} for draft in drafts]
    return stored_games.write(game, FOLDER / f"{name}.json", drafts=plain)


def tranche_sheet(edition: int) -> Any:
    """The third turn's tranche vote: one seat has ordered ahead without the mark, the other with it and is done with
    the stock round and with revenue votes; both have given ahead what becomes of a tranche."""
    from tests.tables import READY, at_phase, fresh, send

    game = _game(edition)
    game = _play_to(game, "start_turn" if edition == 2 else "tranche_vote", turn=3)
    order = {"kind": "market_order", "company": _floated(game), "side": "buy", "location": "market", "quantity": 1}
    share = {"kind": "distribute_tranche", "tranche": 1, "cash": {"1": 5}, "ready": True}
    send(game, 0, order, share)
    send(game, 1, {**order, "ready": True}, {"kind": "stop_ordering"}, {"kind": "vote_full_revenue"})
    if edition == 2:
        send(game, 0, {"kind": "vote_tranche", "tranche": 1, "ready": True}, READY)
        send(game, 1, READY)
        game = at_phase(game, "tranche_vote")
    _draft(game, 1, {"kind": "vote_tranche", "tranche": 2})
    return fresh(game)


def second_sub_round(edition: int) -> Any:
    """A later sub-round of stock orders: one seat is done with the stock round, the other has a draft; a bot has not
    decided yet."""
    from tests.tables import READY, fresh, send

    states: list[str] = []
    while states[:2] != ["ready", "untouched"]:
        game = _play_to(_game(edition), "stock_orders", turn=2)
        ticker = _floated(game)
        send(game, 0, {"kind": "limit_order", "company": ticker, "side": "buy", "value": 2, "quantity": 1})
        send(game, 0, {"kind": "stop_ordering"}, READY)
        send(game, 1, {"kind": "limit_order", "company": ticker, "side": "buy", "value": 3, "quantity": 1}, READY)
        game = _play_to(game, "stock_orders", turn=2, after=game.phase_serial)
        states = game.seat_states
    _draft(game, 1, {"kind": "short_order", "company": ticker, "quantity": 1})
    return fresh(game)


def company_votes(edition: int) -> Any:
    """The first company vote of a turn: ballots ahead with the mark, without it and in vain, and one that abstains."""
    from tests.tables import fresh, send

    offered: dict[int, list[str]] = {}
    while min(map(len, offered.values()), default=0) < 2:
        game = _play_to(_game(edition), "company_vote", turn=3)
        offered = {seat: _ballots(game, seat) for seat in (0, 1)}
    for seat, tickers in offered.items():
        for number, ticker in enumerate(tickers):
            actions = [] if seat and number else [["loan", "expansion"][seat]]
            ready = {"ready": True} if number and (seat or number % 2) else {}
            send(game, seat, {"kind": "vote_actions", "company": ticker, "actions": actions, **ready})
    first = offered[0][0]
    _draft(game, 0, {"kind": "vote_actions", "company": first, "actions": ["small_marketing"]})
    return fresh(game)


def begun_turn(_: int) -> Any:
    """Power Up: a tile was played and taken back and another one played, and a purchase is drafted."""
    from tests.tables import fresh, new_game, send

    game = _with_bots(new_game("ada", "bob", bots=1, ruleset="power_up"))
    while game.turn < 9 or game.phase_step:
        send(game, game.waiting_seats[0], *stored_games.bot_requests(game, game.waiting_seats[0]))
        game = _with_bots(game)
    seat = game.waiting_seats[0]
    tile = stored_games.bot_requests(game, seat)
    send(game, seat, *tile)
    send(game, seat, {"kind": "undo"})
    send(game, seat, *tile)
    _draft(game, seat, {"kind": "end_turn"})
    return fresh(game)


RECORDED: dict[str, tuple[Callable[[int], Any], int]] = {
    "second_edition_tranche_vote": (tranche_sheet, 2),
    "first_edition_tranche_vote": (tranche_sheet, 1),
    "second_edition_sub_round": (second_sub_round, 2),
    "first_edition_sub_round": (second_sub_round, 1),
    "second_edition_company_vote": (company_votes, 2),
    "first_edition_company_vote": (company_votes, 1),
    "power_up_turn": (begun_turn, 0),
}


def _game(edition: int) -> Any:
    from tests.tables import new_game

    return new_game("ada", "bob", bots=1, edition=edition)


def _play_to(game: Any, phase: str, *, turn: int, after: int = 0) -> Any:
    """Play on to a phase of a turn: people ask for what a bot would."""
    from tests.tables import READY, fresh, send

    while True:
        game = _with_bots(game)
        now = (game.phase_name, game.turn)
        if now == (phase, turn) and game.phase_serial > after:
            return game
        assert game.turn <= turn, now
        seat = game.waiting_seats[0]
        send(game, seat, *(stored_games.bot_requests(game, seat) or [READY]))
        if (now := fresh(game)).phase_serial == game.phase_serial and seat in now.waiting_seats:
            send(game, seat, READY)


def _with_bots(game: Any) -> Any:
    from game.bots import playing
    from tests.tables import fresh

    while any(str(seat) in fresh(game).bots for seat in fresh(game).waiting_seats):
        playing.play_bots(game_id=game.pk)
    return fresh(game)


def _draft(game: Any, seat: int, *requests: Request) -> None:
    from game.play import drafts
    from game.store.game import Seat
    from tests.tables import fresh

    drafts.save_draft(
        seat=Seat.objects.get(game=game, number=seat), serial=fresh(game).phase_serial, requests=list(requests)
    )


def _ballots(game: Any, seat: int) -> list[str]:
    """The companies that a seat can vote for, the acting one first."""
    from game.engine import referee

    offers = referee.offers(game.rules, game.load_position(), seat)
    return [str(offer.fixed["company"]) for offer in offers if offer.kind == "vote_actions" and not offer.refused]


def _floated(game: Any) -> str:
    companies = game.load_position().state.companies.values()
    return str(next(company.ticker for company in companies if company.status == "active"))


def main() -> None:
    """Play each of these games of which none is kept by today's rules, and store it. `SECTORS_HOME` names an empty
    folder."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for name in set(RECORDED) - set(names()):
        play, edition = RECORDED[name]
        sys.stdout.write(f"{write(name, play(edition))}\n")


if __name__ == "__main__":
    django.setup()
    main()
