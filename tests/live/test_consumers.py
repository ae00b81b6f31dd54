"""The socket: numbers only, one's own seat's too, nothing accepted, no strange origins."""

import asyncio
import json
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import limits
from accounts.models import User
from game.live import listeners
from game.lobby import lobby
from game.moderation import sanctions, seat_acts
from game.seats import stand_ins
from game.store.game import Game
from game.store.moderation_models import Intervention
from tests.crowd import sessions_of_a_crowd
from tests.scenes import by_two, moderator, seen
from tests.servers import PATIENCE
from tests.tables import new_game, person

pytestmark = pytest.mark.django_db(transaction=True)


class Socket(ApplicationCommunicator):
    """A browser's end of a socket."""

    async def connect(self) -> bool:
        await self.send_input({"type": "websocket.connect"})
        return bool((await self.told())["type"] == "websocket.accept")

    async def told(self) -> Any:
        return await self.receive_output(PATIENCE)

    async def hear(self) -> Any:
        return json.loads((await self.told())["text"])

    async def leave(self) -> None:
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(PATIENCE)


def socket_for(game: Game, name: str = "", origin: str = "http://testserver", address: str = "", **more: Any) -> Socket:
    from sectors_site.asgi import application  # here: the consumers need a set-up Django

    headers = [(b"origin", origin.encode()), (b"host", b"testserver")]
    if name:
        client = more.pop("client", None) or Client()
        client.force_login(person(name))
        headers.append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
    address = address or f"/ws/games/{game.pk}/"
    scope = {"type": "websocket", "path": address, "query_string": b"", "headers": headers, "subprotocols": [], **more}
    return Socket(application, scope)


@pytest.fixture
def looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a socket is closed by the next look at all of them, which is seconds away on the site."""
    monkeypatch.setattr(listeners, "CHECK_SECONDS", 0.1)


async def hint(group: str, version: int) -> None:
    layer: Any = get_channel_layer()
    await layer.group_send(group, {"type": "seat.changed" if ".seat." in group else "game.changed", "version": version})


async def heard_until(socket: Socket, version: int) -> list[Any]:
    """Everything heard up to a version: the game's own start may still be told when the socket opens."""
    heard = [await socket.hear()]
    while heard[-1] != {"version": version}:
        heard.append(await socket.hear())
    return heard


async def test_a_stranger_hears_the_public_version_and_no_seat() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game)
    assert await socket.connect()
    await hint(f"game.{game.pk}.seat.0", 8000)
    await hint(f"game.{game.pk}", 7000)
    assert {"version": 8000} not in await heard_until(socket, 7000)
    await socket.leave()


async def test_a_player_hears_of_the_own_seat_and_of_no_other() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    await socket.connect()
    await hint(f"game.{game.pk}.seat.0", 8000)
    await hint(f"game.{game.pk}.seat.1", 9000)
    assert {"version": 8000} not in await heard_until(socket, 9000)
    await socket.leave()


@pytest.mark.parametrize("loss", ["seat", "session", "expiry", "password", "account"])
async def test_who_lost_the_seat_or_signed_out_hears_nothing_more_of_it(loss: str) -> None:
    """When a sealed order is revised is for whoever sits there now."""
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    await socket.connect()
    await hint(f"game.{game.pk}.seat.1", 9000)
    await heard_until(socket, 9000)
    await sync_to_async(lose)(loss, game)
    await hint(f"game.{game.pk}.seat.1", 9001)
    assert (await socket.receive_output())["code"] == 4403


async def test_who_is_taken_from_a_seat_is_shown_out_then_and_not_at_its_next_revision() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    await socket.connect()
    await sync_to_async(take_the_seat)(game, 1)
    while (result := await socket.told())["type"] == "websocket.send":
        continue
    assert result["code"] == 4403


async def test_the_socket_of_a_seat_goes_with_whoever_plays_it_for_a_time() -> None:
    """The player's is closed when somebody stands in, and that person's when they are back: no hint more."""
    game = await sync_to_async(new_game)("ada", "bob")
    for name, change in {"bob": let_cara_play, "cara": take_back}.items():
        socket = await sync_to_async(socket_for)(game, name)
        await socket.connect()
        await hint(f"game.{game.pk}.seat.1", 9000)
        await heard_until(socket, 9000)
        await sync_to_async(change)(game)
        while (result := await socket.told())["type"] == "websocket.send":
            continue
        assert result["code"] == 4403


async def test_the_player_of_a_lent_seat_hears_of_their_game_by_invitation_and_not_of_the_seat() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    await Game.objects.filter(pk=game.pk).aupdate(is_open=False)
    await sync_to_async(let_cara_play)(game)
    socket = await sync_to_async(socket_for)(game, "bob")
    assert await socket.connect()
    await hint(f"game.{game.pk}.seat.1", 9000)
    await hint(f"game.{game.pk}", 9001)
    assert {"version": 9000} not in await heard_until(socket, 9001)
    assert not await (await sync_to_async(socket_for)(game, "eve")).connect()
    caras = await sync_to_async(socket_for)(game, "cara")
    assert await caras.connect()
    await sync_to_async(take_back)(game)
    while (result := await caras.told())["type"] == "websocket.send":
        continue
    assert result["code"] == 4403
    assert not await (await sync_to_async(socket_for)(game, "cara")).connect()
    await socket.leave()


@pytest.mark.parametrize("who", ["", "eve", "bob"])
async def test_who_listened_to_an_open_room_hears_nothing_once_it_is_by_invitation(who: str) -> None:
    """A visitor, a stranger, and a player whom the host had removed."""
    game = await sync_to_async(room_of_ada_and_bob)()
    socket, players = [await sync_to_async(socket_for)(game, name) for name in (who, "ada")]
    assert await socket.connect()
    assert await players.connect()
    await sync_to_async(lobby.remove_seat)(game_id=game.pk, user=game.host, number=1)
    await sync_to_async(lobby.change_game)(game_id=game.pk, user=game.host, is_open=False)
    heard = [await socket.told()]
    while heard[-1]["type"] == "websocket.send":
        heard.append(await socket.told())
    assert heard.pop()["code"] == 4403
    await sync_to_async(game.refresh_from_db)()
    assert {"version": game.version} not in [json.loads(each["text"]) for each in heard]
    await heard_until(players, game.version)
    await players.leave()


def room_of_ada_and_bob() -> Game:
    game = lobby.create_game(host=person("ada"), name="Room", seats=3)
    lobby.join_game(game_id=game.pk, user=person("bob"))
    return game


def let_cara_play(game: Game) -> None:
    person("cara")
    who: Any = {"game_id": game.pk, "moderator": moderator("lena"), "seen": seen(game), "reason": "Ill."}
    by_two(Intervention.SET_PROXY, **who, seat_number=1, username="cara", days=7)


def take_back(game: Game) -> None:
    stand_ins.reclaim_seat(game_id=game.pk, user=person("bob"))


def take_the_seat(game: Game, number: int) -> None:
    lena = moderator("lena")
    seat_acts.hand_seat_to_bot(
        game_id=game.pk, moderator=lena, seen=seen(game), reason="Away for long.", seat_number=number
    )


def lose(what: str, game: Game) -> None:
    bob = person("bob")
    if what == "seat":
        game.seats.filter(user=bob).update(user=None, bot="house")
    elif what == "session":
        Session.objects.all().delete()
    elif what == "expiry":
        Session.objects.update(expire_date=timezone.now())
    elif what == "password":
        bob.set_password("another sesame 42")
        bob.save()
    elif what == "ban":
        sanctions.impose(person=bob, moderator=moderator("Lena"), kind="ban", reason="threats", days=7)
    else:
        User.objects.filter(pk=bob.pk).update(is_active=False)


@pytest.mark.parametrize("game_id", [10**6, 10**30])
async def test_a_game_that_is_not_there_has_no_socket(game_id: int) -> None:
    socket = await sync_to_async(socket_for)(Game(pk=game_id), "bob")
    assert not await socket.connect()


async def test_whoever_talks_is_shown_out() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    await socket.connect()
    await socket.send_input({"type": "websocket.receive", "text": '{"kind": "ready"}'})
    while (result := await socket.told())["type"] == "websocket.send":
        continue
    assert result["code"] == 4400


STRANGE_ORIGINS = [
    "http://elsewhere.example",
    "https://testserver",
    "http://testserver:9999",
    "http://testserver.example",
    "http://sub.testserver",
]
STRANGE_ORIGINS += ["null", "", "testserver", "http://[", "http://testserver:99999999", "http://\xff"]


@pytest.mark.parametrize("origin", STRANGE_ORIGINS)
async def test_a3_a_page_of_another_origin_is_not_let_in(origin: str) -> None:
    """Of one’s own host too: another port or scheme is another site."""
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob", origin=origin)
    assert not await socket.connect()


@pytest.mark.parametrize(
    ("origin", "is_own"),
    [("http://localhost:8123", True), ("http://127.0.0.1:8123", True), ("http://localhost:8000", False)],
)
async def test_a_private_copy_is_opened_by_the_names_of_this_machine_too(origin: str, is_own: bool) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob", origin=origin, server=("127.0.0.1", 8123))
    assert await socket.connect() is is_own


async def test_a_service_is_opened_by_its_own_address_alone(settings: Any) -> None:
    settings.EMBEDDED, settings.SITE_URL = False, "https://play.example.org"
    game = await sync_to_async(new_game)("ada", "bob")
    for origin, is_own in (
        ("https://play.example.org", True),
        ("http://play.example.org", False),
        ("http://localhost:8123", False),
    ):
        socket = await sync_to_async(socket_for)(game, origin=origin, server=("127.0.0.1", 8123))
        assert await socket.connect() is is_own


@pytest.mark.parametrize("address", ["/ws/", "/ws/games/x/", "/ws/games/1", "/", "/admin/", "/ws/games/1/\u0663/"])
async def test_an_address_without_a_socket_is_not_found(address: str) -> None:
    socket = await sync_to_async(socket_for)(Game(pk=1), address=address)
    await socket.send_input({"type": "websocket.connect"})
    assert await socket.told() == {"type": "websocket.close", "code": 4404}
    served = await sync_to_async(socket_for)(Game(pk=1), address=address, extensions={"websocket.http.response": {}})
    await served.send_input({"type": "websocket.connect"})
    assert (await served.told())["status"] == 404


async def code_of(socket: Socket) -> int:
    """Why it was closed."""
    while (result := await socket.told())["type"] == "websocket.send":
        continue
    return int(result["code"])


@pytest.mark.usefixtures("looks_often")
@pytest.mark.parametrize("loss", ["sign-out", "session", "expiry", "password", "account", "ban"])
async def test_the_socket_of_a_person_who_signed_out_is_closed_within_seconds_and_without_a_hint(loss: str) -> None:
    game, browser = await sync_to_async(new_game)("ada", "bob"), Client()
    socket, other = (
        await sync_to_async(socket_for)(game, "bob", client=browser),
        await sync_to_async(socket_for)(game, "ada"),
    )
    assert await socket.connect()
    assert await other.connect()
    if loss == "sign-out":
        await sync_to_async(browser.post)("/accounts/logout/")
    elif loss in {"session", "expiry"}:
        own = Session.objects.filter(session_key=browser.cookies["sessionid"].value)
        await (own.adelete() if loss == "session" else own.aupdate(expire_date=timezone.now()))
    else:
        await sync_to_async(lose)(loss, game)
    assert await code_of(socket) == 4401
    await hint(f"game.{game.pk}", 7000)
    await heard_until(other, 7000)  # it is open still


async def opened(number: int, game: Game, name: str = "", **more: Any) -> list[Socket]:
    found = [await sync_to_async(socket_for)(game, name, **more) for _ in range(number)]
    for socket in found:
        assert await socket.connect()
    return found


async def are_open(sockets: list[Socket], game: Game, version: int = 7000) -> list[bool]:
    """The sockets that hear the next hint, and those that were closed beyond the limit."""
    await hint(f"game.{game.pk}", version)
    found = []
    for socket in sockets:
        while (result := await socket.told())["type"] == "websocket.send" and json.loads(result["text"])[
            "version"
        ] != version:
            continue
        found.append(result["type"] == "websocket.send")
        assert found[-1] or result["code"] == 4429
    return found


async def test_a_person_s_seventh_socket_closes_the_oldest() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    sockets, other = await opened(6, game, "bob"), await opened(1, game, "ada")
    sockets += await opened(1, game, "bob")
    assert await are_open(sockets + other, game) == [False] + [True] * 7


async def test_a_socket_that_was_left_makes_room() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    sockets = await opened(6, game, "bob")
    await sockets.pop().leave()
    assert await are_open(sockets + await opened(1, game, "bob"), game) == [True] * 6


async def test_of_many_sockets_opened_at_once_six_stay() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    sockets = [await sync_to_async(socket_for)(game, "bob") for _ in range(40)]
    await asyncio.gather(*(socket.connect() for socket in sockets))
    latest, version = time.monotonic() + PATIENCE, 7000
    while len(sockets) > 6:  # on a busy machine some hear a hint before they are closed
        assert time.monotonic() < latest
        version += 1
        hear = await are_open(sockets, game, version)
        sockets = [socket for socket, hears in zip(sockets, hear, strict=True) if hears]
    assert await are_open(sockets, game, 8000) == [True] * 6


@pytest.mark.parametrize(
    ("here", "there"),
    [("192.0.2.7", "192.0.2.8"), ("2001:db8::1", "2001:db8:0:1::1")],
)
async def test_visitors_of_one_address_have_thirty_sockets_together(here: str, there: str) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    sockets, other = await opened(30, game, client=(here, 1)), await opened(1, game, client=(there, 1))
    sockets += await opened(1, game, client=(here, 2))
    assert await are_open(sockets + other, game) == [False] + [True] * 31


async def test_a_cookie_that_the_database_refuses_keeps_nobody_out() -> None:
    """Sockets that open together are looked up together."""
    game = await sync_to_async(new_game)("ada", "bob")
    sockets = [await sync_to_async(socket_for)(game, name) for name in ("", "", "bob")]
    for socket in sockets[:2]:
        socket.scope["headers"].append((b"cookie", rb'sessionid="aaaaaaaaaaaa\000"'))
    assert await asyncio.gather(*(socket.connect() for socket in sockets)) == [True] * 3


ANSWERS: Any = {"extensions": {"websocket.http.response": {}}}


@pytest.fixture
def limited(settings: Any) -> Iterator[None]:
    """Few sockets may be opened in a minute."""
    settings.LIMITED, settings.LIMITS = True, {"opens_sockets": 8, "visitor_opens_sockets": 9}
    cache.clear()
    yield
    cache.clear()


async def answered(socket: Socket) -> tuple[int, dict[bytes, bytes], str]:
    """The answer to a handshake that opened nothing."""
    await socket.send_input({"type": "websocket.connect"})
    start, body = await socket.told(), await socket.told()
    assert start["type"] == "websocket.http.response.start"
    await socket.wait(PATIENCE)
    return start["status"], dict(start["headers"]), body["body"].decode()


async def test_a23_who_opens_sockets_without_end_is_told_which_limit_that_is_and_when_to_try_again(
    limited: None,
) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    for _ in range(8):
        for socket in await opened(1, game, "bob"):
            await socket.leave()
    status, headers, words = await answered(await sync_to_async(socket_for)(game, "bob", **ANSWERS))
    assert status == 429
    assert "The limit for connections opened by one person is 8 a minute" in words
    assert re.search(r"Try again in (1 minute|\d+ seconds?)\.", words)
    assert 0 < int(headers[b"retry-after"]) <= 60
    assert headers[b"ratelimit"].startswith(b'"opens_sockets";r=0;')
    old_server = await sync_to_async(socket_for)(game, "bob")
    assert not await old_server.connect(), "a server that can give no such answer closes it"
    await opened(1, game, "ada", **ANSWERS)


async def test_a23_visitors_of_one_network_and_those_who_knock_at_no_game_are_counted_together(limited: None) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    here: Any = {"client": ("2001:db8::1", 1), **ANSWERS}
    for _ in range(5):
        nowhere = await sync_to_async(socket_for)(game, address="/ws/games/999999/", **here)
        assert not await nowhere.connect()
    for socket in await opened(4, game, client=("2001:db8::2", 1)):
        await socket.leave()
    assert (await answered(await sync_to_async(socket_for)(game, **here)))[0] == 429
    await opened(1, game, client=("192.0.2.1", 1))
    await opened(1, game, "bob", **ANSWERS)


async def test_a23_of_forty_sockets_at_once_as_many_are_opened_as_the_limit_says(limited: None) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    sockets = [await sync_to_async(socket_for)(game, "bob") for _ in range(40)]
    assert sum(await asyncio.gather(*(socket.connect() for socket in sockets))) == 8


def test_a_house_of_ten_and_a_restart_are_far_from_the_limit_of_sockets_opened() -> None:
    """A person's six come back after each of several restarts; and so do all visitors that one address may have."""
    each, visitors = limits.LIMITS["opens_sockets"], limits.LIMITS["visitor_opens_sockets"]
    assert (each.by, visitors.by) == (limits.PERSON, limits.ADDRESS)
    assert each.most >= 10 * limits.most_of("sockets")
    assert visitors.most >= 10 * limits.most_of("visitor_sockets")


async def test_visitors_behind_a_proxy_are_told_apart_by_what_it_says(settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    from game.live.listeners import reader_of

    scope = {"client": ("127.0.0.1", 1), "headers": [(b"x-forwarded-for", b"203.0.113.9, 192.0.2.7")]}
    assert reader_of(7, scope) == "reader.7"
    assert reader_of(None, scope) == "visitor.192.0.2.7"
    assert reader_of(None, {**scope, "headers": [(b"x-forwarded-for", b"\xff nonsense")]}) == "visitor.unknown"
    assert reader_of(None, {**scope, "headers": []}) == "visitor.127.0.0.1"


@pytest.mark.parametrize(("signed_in", "most"), [(True, 4), (False, 1)])
async def test_twenty_sockets_that_open_at_once_cost_as_many_statements_as_one(signed_in: bool, most: int) -> None:
    """Sessions, people, games and seats of all of them together."""
    from game.live import access

    game = await sync_to_async(new_game)("ada", "bob")
    keys = await sync_to_async(sessions_of_a_crowd)(20) if signed_in else [""] * 20
    knocks = [access.AccessRequest(key, game.pk) for key in keys]
    for asked in (knocks[:1], knocks):
        found, sent = await sync_to_async(counted)(lambda asked=asked: access.admissions(asked))
        assert None not in found
        assert sum(welcome.claim is not None for welcome in found) == (len(asked) if signed_in else 0)
        assert sent <= most


def counted(act: Callable[[], Any]) -> tuple[Any, int]:
    """What it gives back, and how many statements it took."""
    with CaptureQueriesContext(connection) as captured:
        found = act()
    return found, len(captured.captured_queries)
