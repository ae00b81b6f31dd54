"""The socket: numbers only, one's own seat's too, nothing accepted, no strange origins."""

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from game.models import Game
from game.services import moderation
from tests.servers import PATIENCE
from tests.site.tables import moderator, seen
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


def socket_for(game: Game, name: str = "", origin: str = "http://testserver") -> Socket:
    from sectors_site.asgi import application  # here: the consumers need a set-up Django

    headers = [(b"origin", origin.encode()), (b"host", b"testserver")]
    if name:
        client = Client()
        client.force_login(person(name))
        headers.append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
    address = f"/ws/games/{game.pk}/"
    scope = {"type": "websocket", "path": address, "query_string": b"", "headers": headers, "subprotocols": []}
    return Socket(application, scope)


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


@pytest.mark.parametrize("loss", ["seat", "session", "password", "account"])
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
    while (told := await socket.told())["type"] == "websocket.send":
        continue
    assert told["code"] == 4403


def take_the_seat(game: Game, number: int) -> None:
    lena = moderator("lena")
    moderation.hand_seat_to_bot(game_id=game.pk, moderator=lena, seen=seen(game), reason="Away for long.", seat_number=number)


def lose(what: str, game: Game) -> None:
    bob = person("bob")
    if what == "seat":
        game.seats.filter(user=bob).update(user=None, bot="house")
    elif what == "session":
        Session.objects.all().delete()
    elif what == "password":
        bob.set_password("another sesame 42")
        bob.save()
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
    while (told := await socket.told())["type"] == "websocket.send":
        continue
    assert told["code"] == 4400


async def test_another_sites_page_is_not_let_in() -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob", origin="http://elsewhere.example")
    assert not await socket.connect()
