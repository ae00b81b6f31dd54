"""What two processes say to each other about what they have open; here they are two rolls on one layer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from accounts.limits import most_of
from game.api.long_poll import OpenSlot
from game.live import connections
from game.live.connections import ConnectionRegister
from tests.servers import PATIENCE


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "REPEAT_SECONDS", 0.1)
    monkeypatch.setattr(connections, "EXPIRY_SECONDS", 1)


async def until(so: Callable[[], object]) -> None:
    latest = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < latest
        await asyncio.sleep(0.05)


def taken(listed: ConnectionRegister, reader: str) -> OpenSlot:
    place = OpenSlot(reader)
    listed.enter(place)
    listed.make_room(reader)
    return place


def is_free(listed: ConnectionRegister, reader: str) -> bool:
    """Whether one more would be let in; it leaves again."""
    place = taken(listed, reader)
    has = listed.has(place)
    listed.leave(place)
    return has


async def two() -> tuple[ConnectionRegister, ConnectionRegister]:
    here, there = ConnectionRegister(), ConnectionRegister()
    for each in (here, there):
        await each.listen()
    return here, there


@pytest.mark.parametrize("kind", ["waits", "streams"])
async def test_the_youngest_give_way_where_two_processes_let_in_too_many(kind: str) -> None:
    reader, (here, there) = f"{kind}.one", await two()
    most = most_of(kind)
    first = [taken(here, reader) for _ in range(most)]
    second = [taken(there, reader) for _ in range(most)]
    await until(lambda: all(place.lost.is_set() for place in second))
    assert [here.has(place) for place in first] == [True] * most
    assert is_free(there, f"{kind}.other")
    here.leave(first[0])
    await until(lambda: is_free(there, reader))


async def test_of_a_person_s_sockets_the_oldest_give_way() -> None:
    reader, (here, there) = "reader.7", await two()
    first = [taken(here, reader) for _ in range(most_of("sockets"))]
    second = [taken(there, reader) for _ in range(2)]
    await until(lambda: sum(place.lost.is_set() for place in first) == len(second))
    assert [place.lost.is_set() for place in first[:2]] == [True, True]
    assert [there.has(place) for place in second] == [True, True]


async def test_who_was_there_before_a_process_began_to_listen_is_heard_of_and_what_is_not_repeated_is_forgotten() -> (
    None
):
    here, reader = ConnectionRegister(), "streams.one"
    await here.listen()
    for _ in range(most_of("streams")):
        taken(here, reader)
    there = ConnectionRegister()
    await there.listen()
    await until(lambda: not is_free(there, reader))
    assert here._attending is not None
    here._attending.cancel()  # nothing of a killed process is said any more
    await until(lambda: is_free(there, reader))
