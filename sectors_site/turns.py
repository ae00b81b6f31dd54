"""A thread pool that is shared round robin among clients: many requests of one client do not delay those of others."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from threading import Lock
from typing import Any, NamedTuple


class Job(NamedTuple):
    """Work for a thread, and the client it is for."""

    whose: str
    work: Callable[[], Any]
    done: Future[Any]

    def run(self) -> None:
        """Run it, unless it was cancelled."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            result = self.work()
        except BaseException as error:
            self.done.set_exception(error)
        else:
            self.done.set_result(result)


class Turns(Executor):
    """A thread pool in which one client occupies at most `most` threads; `whose` names the client from the work's
    arguments. A job that must wait holds no thread."""

    def __init__(self, threads: int, *, most: int, whose: Callable[..., str]) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self._most, self._whose = most, whose
        self._waiting: dict[str, deque[Job]] = {}  # the next client comes first
        self._under_way = Counter[str]()
        self._lock = Lock()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        job = Job(self._whose(*args, **kwargs), partial(work, *args, **kwargs), Future())
        with self._lock:
            self._waiting.setdefault(job.whose, deque()).append(job)
        self._threads.submit(self._work)
        return job.done

    def _work(self) -> None:
        """Continue until nothing waits: no thread is started again for a job that its client's limit held back."""
        while (job := self._take()) is not None:
            job.run()
            self._finish(job)

    def _take(self) -> Job | None:
        with self._lock:
            whose = next((each for each in self._waiting if self._under_way[each] < self._most), None)
            if whose is None:
                return None
            jobs = self._waiting.pop(whose)
            job = jobs.popleft()
            if jobs:
                self._waiting[whose] = jobs  # behind all others
            self._under_way[whose] += 1
            return job

    def _finish(self, job: Job) -> None:
        with self._lock:
            self._under_way[job.whose] -= 1
            if not self._under_way[job.whose]:
                del self._under_way[job.whose]
