"""The web processes are copies of one that has loaded the site: each can go and come, and all leave when asked to."""

import os
import signal
import socket
from pathlib import Path

from tests.bench.processes import all_processes, share_of_megabytes
from tests.servers import accepts, wait_until
from tests.service import Service, Visitor, new_service

SIGN_IN = "/accounts/login/"
OF_ONE_OF_TWO = 90  # megabytes of one that shares what was loaded; by itself it has more than 110


def workers_of(service: Service) -> set[int]:
    parent = service.processes["web"].pid
    return {process.number for process in all_processes() if process.parent == parent}


def test_a_worker_that_was_killed_is_replaced_by_another_copy(
    tmp_path: Path, postgres_url: str, redis_url: str
) -> None:
    environment = new_service(tmp_path, database=postgres_url, redis=redis_url)
    service = Service(environment | {"WEB_PROCESSES": "3"})
    service.start("web")
    parent, visitor = service.processes["web"], Visitor(service.port)
    try:
        wait_until(lambda: len(workers_of(service)) == 3, parent)
        assert visitor.get(SIGN_IN)[0] == 200
        first = workers_of(service)
        for number in first:
            os.kill(number, signal.SIGKILL)
        wait_until(lambda: len(workers_of(service) - first) == 3, parent)
        for _ in range(8):
            assert visitor.get(SIGN_IN)[0] == 200
        assert max(map(share_of_megabytes, workers_of(service))) <= OF_ONE_OF_TWO
        second = workers_of(service)
        assert_the_door_is_closed_first(service)
    finally:
        service.stop()
    assert parent.returncode == 0
    assert not [number for number in second if Path(f"/proc/{number}").exists()]


def assert_the_door_is_closed_first(service: Service) -> None:
    """While what was begun is finished, nobody else is let in: whoever comes goes to another process."""
    parent = service.processes["web"]
    with socket.create_connection(("127.0.0.1", service.port)) as begun:
        begun.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert b" 100 " in begun.recv(64)
        parent.send_signal(signal.SIGTERM)
        wait_until(lambda: not accepts(service.port), parent)
        assert parent.poll() is None
