"""What a socket's reader has not read yet is kept in its order, and nothing of it is lost."""

from __future__ import annotations

import asyncio

import pytest

from sectors_site.socket_buffer import MessageBuffer


async def test_what_comes_is_read_in_its_order() -> None:
    box: MessageBuffer[int] = MessageBuffer()
    assert box.empty()
    for number in range(3):
        box.put_nowait(number)
    assert not box.empty()
    assert [await box.get() for _ in range(3)] == [0, 1, 2]
    assert box.empty()


async def test_a_reader_waits_until_something_comes() -> None:
    box: MessageBuffer[str] = MessageBuffer()
    reading = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    assert not reading.done()
    box.put_nowait("first")
    box.put_nowait("second")
    assert await reading == "first"
    assert await box.get() == "second"


async def test_what_comes_as_the_reader_is_cancelled_is_kept_for_the_next() -> None:
    box: MessageBuffer[str] = MessageBuffer()
    reading = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    box.put_nowait("kept")
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await box.get() == "kept"


async def test_a_second_reader_is_refused_and_the_first_goes_on() -> None:
    box: MessageBuffer[str] = MessageBuffer()
    reading = asyncio.create_task(box.get())
    await asyncio.sleep(0)
    with pytest.raises(RuntimeError, match="one reader"):
        await box.get()
    box.put_nowait("for the first")
    assert await reading == "for the first"
