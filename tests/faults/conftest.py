"""What several tests of faults hurt."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults import oracle, witness
from tests.servers import RedisServer


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    """A Redis of the test's own, to be stopped and started."""
    server = RedisServer()
    yield server
    server.stop()


@pytest.fixture
def judged(transactional_db: None, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """For a test within this process: its games and what was logged end in the oracle."""
    witness.watch()
    yield
    said = "\n".join(caplog.handler.format(record) for record in caplog.get_records("call"))
    found = list(oracle.verdict(said))
    witness.forget()
    assert found == []
