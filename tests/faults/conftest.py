"""What several tests of faults hurt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import RedisServer


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own, to be stopped and started."""
    server = RedisServer()
    yield server
    server.stop()
