"""Tables of Toy, a game that nobody drew a board for, and what people at them read."""

import re
from html import unescape
from typing import Any

from django.test import Client

from game.store.game import Game
from tests.pages.panels import Controls
from tests.tables import READY, fresh, new_game, person, send

HTMX = {"HTTP_HX_REQUEST": "true"}
TAG = re.compile(r"<[^>]*>")
BLANKS = re.compile(r"\s+")


def bid(coins: int) -> dict[str, Any]:
    return {"kind": "bid", "coins": coins}


def at_turns(*names: str, **more: Any) -> Game:
    """The first turn of a game; the first person bid more than the others."""
    game = new_game(*(names or ("ada", "ben")), ruleset="toy", **more)
    for seat in fresh(game).waiting_seats:
        if str(seat) not in game.bots:
            send(game, seat, bid(3 if seat == 0 else 0), READY)
    return fresh(game)


def hand(game: Game, seat: int) -> list[int]:
    return list(fresh(game).load_position().state.hands[seat])


def board(game: Game) -> dict[str, tuple[int, int]]:
    """Who placed which card where."""
    return dict(fresh(game).load_position().state.board)


def place(game: Game, seat: int, cell: str, **more: Any) -> dict[str, Any]:
    """The request that puts the seat's lowest card on a cell."""
    return {"kind": "place", "card": min(hand(game, seat)), "cell": cell, **more}


def sits(name: str) -> Client:
    """A browser of somebody with an account."""
    client = Client()
    client.force_login(person(name))
    return client


def page_of(game: Game, who: Client) -> str:
    answer = who.get(f"/games/{game.pk}/")
    assert answer.status_code == 200
    return str(answer.content.decode())


def news_of(page: str) -> str:
    """The markup of the news on a board, without the button that unfolds them."""
    block = page.partition('id="happened"')[2].partition("</section>")[0].partition(">")[2]
    return re.sub(r'<label class="news-all".*?</label>', "", block)


def words_of(page: str) -> str:
    """A page as it is read, without its marks."""
    return BLANKS.sub(" ", unescape(TAG.sub(" ", page)))


def form_of(game: Game, who: Client) -> dict[str, Any]:
    """What a browser without scripts would send of the page's form, untouched."""
    return dict(Controls(page_of(game, who)).sent)


def post(game: Game, who: Client, form: dict[str, Any], do: str = "submit", **more: Any) -> Any:
    return who.post(f"/games/{game.pk}/actions/", {**form, "do": do}, **more)


def story_of(game: Game, who: Client) -> list[tuple[str, list[str]]]:
    """The headings of the log with their lines, newest first, as this person reads them."""
    log = page_of(game, who).split('id="log"')[1]
    return [
        (_heading(chapter), [words_of(line).strip() for line in re.findall(r'<p class="entry.*?</p>', chapter)])
        for chapter in log.split('<h3 class="log-ph">')[1:]
    ]


def _heading(chapter: str) -> str:
    return words_of(re.split(r"<time|</h3>", chapter)[0]).strip()
