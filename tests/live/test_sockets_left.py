"""Nothing is kept of a socket that was left, nor of an answer that was held."""

import asyncio
import gc
from contextlib import AsyncExitStack
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer

from game.api.long_poll import listening
from game.live import announce, listeners
from game.live.consumers import GameConsumer
from game.store.game import Game
from tests.live.test_consumers import hint, socket_for
from tests.servers import RedisServer, hints_over
from tests.tables import new_game

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def on_redis(settings: Any, redis_url: str) -> None:
    settings.CHANNEL_LAYERS = hints_over(redis_url)


async def test_a_socket_that_closes_while_it_is_told_something_leaves_nothing_behind(on_redis: None) -> None:
    """A process lives for weeks, and most sockets close because a phone goes to sleep."""
    game = await sync_to_async(new_game)("ada", "bob")
    layer: Any = get_channel_layer()
    for name in ("ada", "bob", ""):
        socket = await sync_to_async(socket_for)(game, name)
        assert await socket.connect()
        (own,) = layer.groups[layer._get_group_channel_name(f"game.{game.pk}")]
        layer.channels[own].put_nowait(layer.serialize({"type": "game.changed", "version": 7000}))
        await socket.leave()
        assert own not in layer.channels
    await layer.flush()


@pytest.mark.parametrize("how", ["stopped", "hung"])
async def test_who_leaves_while_redis_is_away_is_forgotten_in_all_groups(hints_redis: RedisServer, how: str) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    layer: Any = get_channel_layer()
    socket = await sync_to_async(socket_for)(game, "bob")
    assert await socket.connect()
    (own,) = layer.groups[layer._get_group_channel_name(f"game.{game.pk}.seat.1")]
    async with AsyncExitStack() as left:
        await left.enter_async_context(listening(["wait.1", "wait.2"]))
        with hints_redis.away(how):
            await left.aclose()
            await socket.leave()
    assert [members for members in layer.groups.values() if own in members] == []
    assert [group for group in layer.groups if "wait" in group] == []
    await layer.flush()


async def test_whoever_comes_while_redis_is_away_is_to_come_again_and_operators_read_why(
    hints_redis: RedisServer, logged: list[Any]
) -> None:
    game = await sync_to_async(new_game)("ada", "bob")
    socket = await sync_to_async(socket_for)(game, "bob")
    with hints_redis.away("stopped"):
        assert not await socket.connect()
    assert "socket_without_redis" in [line["event"] for line in logged]


async def test_a_hint_that_redis_does_not_take_is_a_line_for_operators(
    hints_redis: RedisServer, logged: list[Any]
) -> None:
    with hints_redis.away("stopped"):
        announce._send("game.1", "game.changed", version=7000)
        while announce._waiting:
            await asyncio.sleep(0.01)
    assert [line["event"] for line in logged] == ["hint_lost"]


async def test_an_answer_that_was_held_until_something_was_new_leaves_nothing_behind(on_redis: None) -> None:
    layer: Any = get_channel_layer()
    async with listening(["game.1"]) as next_hint:
        await hint("game.1", 7000)
        assert (await next_hint())["version"] == 7000
    assert (layer.channels, layer.groups) == ({}, {})


async def test_a_socket_that_was_left_is_not_kept_until_the_next_look_at_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """When thousands come back at once, those that were lost would still be in memory."""
    monkeypatch.setattr(listeners, "CHECK_SECONDS", 0.1)
    looked = asyncio.Event()

    class SignedOut:
        """Whoever is shown out by a look; there is no other look for an hour."""

        claim = listeners.Claim("nobody", 0, "")

        async def close(self, code: int | None = None) -> None:
            monkeypatch.setattr(listeners, "CHECK_SECONDS", 3600)
            looked.set()

    game = await sync_to_async(new_game)("ada", "bob")
    socket, other = [await sync_to_async(socket_for)(game, name) for name in ("ada", "bob")]
    assert await socket.connect()
    assert await other.connect()
    shown_out = SignedOut()
    listeners.watch(shown_out)
    await looked.wait()
    assert consumers_of(game) == 2
    await socket.leave()
    del socket
    async with asyncio.timeout(240):
        while consumers_of(game) == 2:
            await asyncio.sleep(0.05)
    await other.leave()


def consumers_of(game: Game) -> int:
    gc.collect()
    return sum(type(each) is GameConsumer and each.game_id == game.pk for each in gc.get_objects())
