"""How long the site takes from nothing: to check itself, and to its first page. Beside a bare Django site with Django's
own applications."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

from tests.bench.rows import Row
from tests.bench.sizes import size
from tests.servers import ROOT, end, free_port, wait_until

ROUNDS, WARM = size(5, small=1), size(1, small=0)  # ours and the bare one take turns
MOST_SLOWER = 3
# A checkout is compiled once, at its first start; Django's own files are compiled when they are installed.
COMPILED = {name: word for name, word in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def start_rows() -> Iterator[Row]:
    """Medians of some rounds."""
    ours, bare = _in_turns(lambda: _ends("manage.py"), lambda: _ends("-m", "tests.bench.bare_site"))
    yield _row("manage.py check", ours, bare)
    served = "sectors_site.asgi:application", "tests.bench.bare_site:application"
    ours, bare = _in_turns(*(partial(_answers, application) for application in served))
    yield _row("first page", ours, bare)


def _in_turns(ours: Callable[[], float], bare: Callable[[], float]) -> tuple[float, float]:
    took = [(ours(), bare()) for _ in range(WARM + ROUNDS)][WARM:]
    return median(mine for mine, _ in took), median(theirs for _, theirs in took)


def _ends(*manager: str) -> float:
    """Seconds until everything is checked."""
    began = time.perf_counter()
    subprocess.run([sys.executable, *manager, "check"], cwd=ROOT, env=COMPILED, check=True, capture_output=True)
    return time.perf_counter() - began


def _answers(application: str) -> float:
    """Seconds until a new process has answered its first request."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", application, "--port", str(port), "--lifespan", "off"]
    began = time.perf_counter()
    server = subprocess.Popen([*command, "--log-level", "error"], cwd=ROOT, env=COMPILED)
    try:
        wait_until(lambda: _is_answered(port), server)
        return time.perf_counter() - began
    finally:
        end(server)


def _is_answered(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port)
    try:
        connection.request("GET", "/")
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()[:500]
        return True
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()


def _row(what: str, ours: float, bare: float) -> Row:
    ratio = ours / bare
    return Row(f"start: {what}", ours, "s", "bare Django, s", bare, ratio, f"≤ {MOST_SLOWER} ×", ratio <= MOST_SLOWER)
