"""Questions that come at once share a look-up; who is alone waits for nobody."""

import asyncio
from collections.abc import Sequence

import pytest

from game.infra.calls import Coalescer


class Oracle:
    """Doubles numbers, and writes down what it was asked at once."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []

    async def answer(self, numbers: Sequence[int]) -> list[int]:
        self.asked.append(list(numbers))
        await asyncio.sleep(0)
        if 0 in numbers:
            raise ValueError("nothing")
        return [2 * number for number in numbers]


@pytest.fixture
def oracle() -> Oracle:
    return Oracle()


async def test_who_comes_meanwhile_shares_the_next_look_up(oracle: Oracle) -> None:
    together = Coalescer(oracle.answer, most=3)
    asking = [asyncio.create_task(together.ask(number)) for number in (1, 2)]
    await asyncio.sleep(0)
    asking += [asyncio.create_task(together.ask(number)) for number in (3, 4, 5, 6)]
    assert await asyncio.gather(*asking) == [2, 4, 6, 8, 10, 12]
    assert all(len(numbers) <= 3 for numbers in oracle.asked)
    assert len(oracle.asked) < 6


async def test_who_is_alone_is_answered_at_once(oracle: Oracle) -> None:
    together = Coalescer(oracle.answer, most=3)
    assert [await together.ask(1), await together.ask(2)] == [2, 4]
    assert oracle.asked == [[1], [2]]


async def test_what_fails_is_said_to_all_who_shared_it_and_to_nobody_after_them(oracle: Oracle) -> None:
    together = Coalescer(oracle.answer, most=3)
    failed = await asyncio.gather(together.ask(0), together.ask(1), return_exceptions=True)
    assert [type(each) for each in failed] == [ValueError, ValueError]
    assert await together.ask(2) == 4


async def test_who_goes_away_holds_nobody_up(oracle: Oracle) -> None:
    together = Coalescer(oracle.answer, most=3)
    impatient, other = asyncio.create_task(together.ask(1)), asyncio.create_task(together.ask(2))
    await asyncio.sleep(0)
    impatient.cancel()
    assert await other == 4


async def test_what_is_only_mentioned_is_looked_up_too(oracle: Oracle) -> None:
    together = Coalescer(oracle.answer, most=3)
    together.mention(0)
    await asyncio.sleep(0)
    together.mention(7)
    assert await together.ask(8) == 16
    assert oracle.asked == [[0], [7, 8]]
