"""Processes that count in one folder: what the dead have counted stays, and their files do not."""

import os
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sectors_site import metric_files
from tests.servers import ROOT

COUNTS = """
import os, sys
from pathlib import Path
from sectors_site import metric_files as counting
counting.count_in_files(Path(sys.argv[1]))
from prometheus_client import Counter, Histogram
DONE, TOOK = Counter("done", "Done.", ["what"]), Histogram("took", "Took.", buckets=(1, 5))
def count():
    DONE.labels("games").inc(2)
    TOOK.observe(3)
    print("counted", flush=True)
count()
if "forks" in sys.argv and not os.fork():
    count()
for line in sys.stdin:
    count()
"""


def begin(home: Path, *more: str) -> "subprocess.Popen[str]":
    """A process that counts twice 2, one of them in a child where it forks, and once more for each line it is sent."""
    line = [sys.executable, "-c", COUNTS, str(home), *more]
    process = subprocess.Popen(line, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for _ in (1, *more):
        hear(process)
    return process


def hear(process: "subprocess.Popen[str]") -> None:
    assert process.stdout
    assert process.stdout.readline() == "counted\n"


def kill(process: "subprocess.Popen[Any]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


def told(home: Path) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in metric_files.sum_counters(home).decode().splitlines() if line[0] != "#"]
    return {name: float(value) for name, value in lines}


def files(home: Path) -> int:
    return len(list(home.glob("*.db")))


def test_however_many_come_and_go_every_count_stays_and_the_folder_is_small(tmp_path: Path) -> None:
    lives = begin(tmp_path)
    for _ in range(5):
        kill(begin(tmp_path))
        assert files(tmp_path) <= 6, "of who lives, of who has just died, and the sum"
    print("again", file=lives.stdin, flush=True)
    hear(lives)
    assert told(tmp_path)['done_total{what="games"}'] == (5 + 2) * 2
    assert told(tmp_path)["took_count"] == 5 + 2
    assert told(tmp_path)['took_bucket{le="1.0"}'] == 0
    assert told(tmp_path)['took_bucket{le="5.0"}'] == 5 + 2
    kill(lives)


def test_a_child_counts_by_itself_and_may_outlive_its_parent(tmp_path: Path) -> None:
    parent = begin(tmp_path, "forks")
    os.kill(parent.pid, signal.SIGKILL)
    kill(begin(tmp_path))
    print("again", file=parent.stdin, flush=True)  # who is left of the two hears it
    hear(parent)
    parent.communicate()
    kill(begin(tmp_path))
    assert told(tmp_path)['done_total{what="games"}'] == 5 * 2
    assert files(tmp_path) <= 6


def test_what_an_earlier_release_left_is_added_up_too(tmp_path: Path) -> None:
    process = begin(tmp_path)
    kill(process)
    for path in list(tmp_path.glob("*.db")):
        path.rename(path.with_name(f"{path.stem.partition('_')[0]}_{process.pid}.db"))
    for mark in tmp_path.glob("*.alive"):
        mark.unlink()
    (tmp_path / "counter_1.db").touch()  # it was killed before it wrote anything
    kill(begin(tmp_path))
    assert told(tmp_path)['done_total{what="games"}'] == 4
    assert not list(tmp_path.glob(f"*_{process.pid}.db"))


LABELS = """
import sys
from pathlib import Path
from sectors_site import metric_files as counting
counting.count_in_files(Path(sys.argv[1]))
from prometheus_client import Counter
DONE = Counter("done", "Done.", ["what"])
for number in range(int(sys.argv[2])):
    DONE.labels(f"{number:099}").inc()
print("counted", flush=True)
input()
DONE.labels("more").inc()
print("counted", flush=True)
"""


def counts_many(home: Path, kinds: int, *, longest: int = -1) -> "subprocess.Popen[str]":
    """A process that counts so many kinds of things once, and one more when it is sent a line; its files may be no
    longer than this, as on a full disk."""
    line = [sys.executable, "-c", LABELS, str(home), str(kinds)]

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (longest, longest))

    process = subprocess.Popen(
        line,
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=limit,  # noqa: PLW1509
    )
    hear(process)
    return process


def goes_on(process: "subprocess.Popen[str]") -> bool:
    out, _ = process.communicate("\n")
    return (process.returncode, out) == (0, "counted\n")


def test_every_file_has_its_room_on_the_disk(tmp_path: Path) -> None:
    """A hole in it would end the process that writes there once the disk is full."""
    process = counts_many(tmp_path / "metrics", 2000)
    (file,) = (tmp_path / "metrics").glob("counter_*.db")
    found = file.stat()
    assert found.st_size > metric_files.INITIAL_BYTES
    assert found.st_blocks * 512 >= found.st_size
    assert metric_files.sum_counters(tmp_path / "metrics").count(b"done_total{") == 2000
    assert goes_on(process)


@pytest.mark.parametrize("longest", [0, 1000, metric_files.INITIAL_BYTES])
def test_where_the_disk_is_full_nobody_notices_but_monitoring(tmp_path: Path, longest: int) -> None:
    assert goes_on(counts_many(tmp_path / "metrics", 2000, longest=longest))
    assert goes_on(counts_many(tmp_path / "metrics", 1)), "with room again it counts"
    assert b"done_total{" in metric_files.sum_counters(tmp_path / "metrics")


def test_where_the_folder_is_gone_the_process_goes_on(tmp_path: Path) -> None:
    process = counts_many(tmp_path / "metrics", 0)
    shutil.rmtree(tmp_path / "metrics")
    assert goes_on(process)
