"""A seat changes hands between two statements of a request. Its former player is shown nothing of what the next one
seals, the next player nothing of what the former one had sealed, and no answer is an error of ours."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from game.lobby import lobby
from game.play import devices, drafts
from game.store.game import Game, Seat
from tests.attacks import meanwhile
from tests.attacks.laying import undone
from tests.attacks.readers import Reader
from tests.attacks.test_authority import hand_over
from tests.attacks.walk import Answer, answer_of
from tests.play.test_actions import form_of
from tests.tables import fresh, new_game, person, send

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 90
MOMENT = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+Z")
PATHS = ("/", "/games/", "/games/{}/", "/games/{}/history/", "/games/{}/outcomes/", "/games/{}/charts/")
CALLS = (
    *("/api/v1/games/{}", "/api/v1/games/{}/position?include=offers", "/api/v1/games/{}/offers", "/api/v1/games"),
    *("/api/v1/games/{}/outcomes", "/api/v1/games/{}/history/1", "/api/v1/games/{}/log", "/api/v1/me/decisions"),
    *("/api/v1/games/{}/draft", "/api/v1/games/{}/tables"),
)
RECEIPT = re.compile(rb"Received [\d:]+, no. \w+")
COINS = "f_0_coins"
BID = {"kind": "bid", "coins": 2}


def answer_while(send_it: Callable[[], Any], after: int, act: Callable[[], object]) -> tuple[Answer, int]:
    """The answer of a request during which somebody acts after so many statements about games, and the number of the
    next moment."""
    return meanwhile.answer_while(lambda: answer_of(send_it()), after, act)


def read_while(reader: Reader, path: str, after: int, act: Callable[[], object]) -> tuple[Answer, int]:
    """The answer, and the number of the next moment."""
    return answer_while(partial(reader.ask, path), after, act)


def is_same_throughout(read: Callable[[int, int], tuple[Answer, int]]) -> None:
    """`read` gives the answer where the change happened after so many statements, and with so many coins in the secret,
    and the number of the next moment; 0 where nothing changed. The answers do not depend on the coins."""
    read(MOST_STATEMENTS, 2)  # what is read once and kept
    number = 1
    while number:
        (one, following), (other, _) = read(number, 2), read(number, 4)
        assert one.status < 500, number
        assert timeless(one) == timeless(other), number
        number = following


def timeless(answer: Answer) -> Answer:
    """The answer without the moments at which the seat changed hands."""
    return answer._replace(body=MOMENT.sub(b"", answer.body))


def without_receipt(answer: Answer, following: int) -> tuple[Answer, int]:
    """The answer to a submission without its receipt, which is made of the moment it came."""
    return answer._replace(body=RECEIPT.sub(b"", answer.body)), following


def with_draft(game: Game, name: str, coins: int) -> None:
    seat = Seat.objects.get(game=game, number=0, user=person(name))
    drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[{"kind": "bid", "coins": coins}])


@pytest.mark.parametrize("path", [*PATHS, *CALLS])
def test_a36_a_former_player_is_shown_nothing_of_the_next_one_whenever_the_seat_changes_hands(
    settings: Any, path: str
) -> None:
    settings.LIMITED = False
    game = new_game("ada", "ben", ruleset="toy")
    person("carla")
    send(game, 0, {"kind": "bid", "coins": 1})
    reader, path = Reader("ada", []), path.format(game.pk)

    def carla_bids(coins: int) -> None:
        hand_over(game)
        send(game, 0, {"kind": "bid", "coins": coins})
        with_draft(game, "carla", 7 - coins)

    is_same_throughout(lambda number, coins: read_while(reader, path, number, partial(carla_bids, coins)))


@pytest.mark.parametrize("path", [*PATHS, *CALLS])
def test_a36_the_next_player_is_shown_nothing_of_the_former_one_whenever_the_seat_changes_hands(
    settings: Any, path: str
) -> None:
    settings.LIMITED = False
    game = new_game("ada", "ben", ruleset="toy")
    reader, path = Reader("carla", []), path.format(game.pk)

    def read(number: int, coins: int) -> tuple[Answer, int]:
        with undone():
            send(game, 0, {"kind": "bid", "coins": coins})
            with_draft(game, "ada", 7 - coins)
            return read_while(reader, path, number, partial(hand_over, game))

    is_same_throughout(read)


SENDINGS = ("preview", "plain draft", "submission", "refused", "dry run", "kept draft", "thrown away")


def sending(game: Game, name: str, form: dict[str, Any]) -> dict[str, Callable[[], Any]]:
    """What this person may send about their seat, or what they believe to be theirs."""
    reader, script = Reader(name, []), {"HTTP_HX_REQUEST": "true"}
    page, calls = f"/games/{game.pk}/", f"games/{game.pk}/"
    move = {"phase_serial": game.phase_serial, "actions": [BID]}
    client, program = reader.client, reader.program
    return {
        "preview": lambda: client.post(page + "drafts/", form, **script),
        "plain draft": lambda: client.post(page + "drafts/", form, follow=True),
        "submission": lambda: client.post(page + "actions/", form, **script),
        "refused": lambda: client.post(page + "actions/", form | {COINS: "99"}),
        "dry run": lambda: program.post(calls + "moves", move | {"dry_run": True}),
        "kept draft": lambda: program.put(calls + "draft", move),
        "thrown away": lambda: program.delete(calls + "draft"),
    }


@pytest.mark.parametrize("what", SENDINGS)
def test_a36_what_a_former_player_sends_tells_nothing_of_the_next_one(settings: Any, what: str) -> None:
    settings.LIMITED = False
    game = new_game("ada", "ben", ruleset="toy")
    person("carla")
    client = Reader("ada", []).client
    send_it = sending(game, "ada", form_of(client, game) | {COINS: "2", "touched": "1"})[what]

    def carla_bids(coins: int) -> None:
        hand_over(game)
        send(game, 0, {"kind": "bid", "coins": coins})
        with_draft(game, "carla", 7 - coins)

    is_same_throughout(
        lambda number, coins: without_receipt(*answer_while(send_it, number, partial(carla_bids, coins)))
    )


@pytest.mark.parametrize("what", SENDINGS)
def test_a36_what_the_next_player_sends_tells_nothing_of_the_former_one(settings: Any, what: str) -> None:
    settings.LIMITED = False
    game = new_game("ada", "ben", ruleset="toy")
    form = form_of(Reader("ada", []).client, game) | {COINS: "1", "touched": "1"}
    send_it = sending(game, "carla", form)[what]

    def answer(number: int, coins: int) -> tuple[Answer, int]:
        with undone():
            send(game, 0, {"kind": "bid", "coins": coins})
            with_draft(game, "ada", 7 - coins)
            return without_receipt(*answer_while(send_it, number, partial(hand_over, game)))

    is_same_throughout(answer)


@pytest.mark.parametrize("path", PATHS[2:])
def test_a_browser_at_one_device_is_shown_nothing_of_a_seat_that_another_browser_uncovers_meanwhile(path: str) -> None:
    kim = person("kim")
    game = lobby.create_game(host=kim, name="One", seats=3, pace="daily", ruleset="toy", companions=["Ada"])
    lobby.join_game(game_id=game.pk, user=person("eve"))
    game = fresh(lobby.start_game(game_id=game.pk, user=kim))
    reader, path = Reader("kim", []), path.format(game.pk)
    reader.client.post(f"/games/{game.pk}/device/hold/", {"seat": "0"})

    def read(number: int, coins: int) -> tuple[Answer, int]:
        with undone():
            send(game, 1, {"kind": "bid", "coins": coins})
            return read_while(reader, path, number, partial(devices.lift, game_id=game.pk, user=kim, number=1))

    is_same_throughout(read)


@pytest.mark.parametrize("path", ["/", "/games/"])
def test_the_next_player_s_list_of_games_is_no_error_whenever_they_come_to_a_seat(path: str) -> None:
    game = new_game("ada", "ben", ruleset="toy")
    person("carla")
    reader = Reader("carla", [])
    reader.read([path])
    number = 1
    while number:
        answer, following = read_while(reader, path, number, partial(hand_over, game))
        assert answer.status == 200, number
        number = following
