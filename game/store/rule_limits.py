"""What the rules may use for one step of a game, watched from outside them, so that a loop in the rules stops the step
and not the site. A thread of the process watches the running rules and raises an exception in those that took too much.
That ends every loop in Python; a single call of a C function that never returns is left to the time limits of the
server and of the worker."""

from __future__ import annotations

import ctypes
import os
import resource
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.conf import settings

P = ParamSpec("P")
T = TypeVar("T")
MEGABYTE = 2**20
LOOK_EVERY = 0.05  # seconds
QUIET_LOOKS = 20  # without rules at work, then the watch sleeps until it is needed
STOP_AGAIN = 0.5  # seconds after which rules that caught the exception and went on are stopped once more
STATM = Path("/proc/self/statm")
PAGE = resource.getpagesize()


class OverBudget(Exception):
    """The rules took too much time or memory: a bug in them. Nothing of the step is kept."""


class _Stop(BaseException):
    """Thrown into rules at work; never seen outside `Budget.run`."""


class Budget:
    """What the rules may use for all calls in one step of a game together; a bot has a share of that. It belongs to the
    thread that made it. Work too short for the watch to see costs nothing."""

    def __init__(self, *, share: float = 1) -> None:
        self.seconds: float = settings.RULES_SECONDS * share
        self.bytes: int = settings.RULES_MEGABYTES * MEGABYTE
        self.held = _watch.resident()
        self.thread = threading.get_ident()
        self.broken = ""
        self.is_on = False
        self._clock = _own_clock()
        self._seen_at: float | None = None  # on the clock, when the watch first saw the work that is going on
        self._before = 0.0  # seconds of work that went before that
        self._stop_at = 0.0

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the rules work within the rest of the budget. Raises `OverBudget`. Do not use the database or locks
        inside: execution may stop at any line."""
        watch = _watch
        if self.thread in watch.budgets:
            return work(*args, **kwargs)
        self._check()
        try:
            try:
                self.is_on = True
                watch.begin(self)
                result = work(*args, **kwargs)
            finally:
                # A stop may come as late as here; once the work is no longer watched, none comes any more.
                while self.is_on:
                    try:  # noqa: SIM105 - the lines of `suppress` could be stopped themselves
                        watch.end(self)
                    except _Stop:
                        pass
        except _Stop as stop:
            raise OverBudget(self.broken) from stop
        self._check()  # rules may have caught what stopped them
        return result

    def worked(self) -> float:
        """Seconds of work so far; the watch asks, and begins to count where it sees new work."""
        now = self._clock()
        if self._seen_at is None:
            self._seen_at = now
        return self._before + now - self._seen_at

    def stop(self, why: str) -> None:
        """Throw the exception, and once more where the rules have caught it and gone on."""
        if (worked := self.worked()) >= self._stop_at:
            self._stop_at, self.broken = worked + STOP_AGAIN, why
            _throw(self.thread, ctypes.py_object(_Stop))

    def end(self) -> None:
        """Count the work that has ended; what was thrown and has not arrived yet is taken back."""
        self.is_on = False
        if self._seen_at is not None:
            self._before, self._seen_at = self.worked(), None
        if self.broken:
            _throw(self.thread, None)

    def _check(self) -> None:
        if self.broken:
            raise OverBudget(self.broken)


class _Watch:
    """The thread that looks; it starts with the first work, and a forked process has its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.budgets: dict[int, Budget] = {}  # by the thread that works within it
        self._needed = threading.Event()
        self._is_needed = False
        self._thread: threading.Thread | None = None
        self._statm = os.open(STATM, os.O_RDONLY) if STATM.exists() else None

    def resident(self) -> int:
        """Bytes of memory that this process holds; where the system does not tell, the most that it ever held."""
        if self._statm is None:
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return int(os.pread(self._statm, 100, 0).split()[1]) * PAGE

    def begin(self, budget: Budget) -> None:
        """Watch the work that begins."""
        with self._lock:
            self.budgets[budget.thread] = budget
            if not self._is_needed:
                self._wake()

    def end(self, budget: Budget) -> None:
        """Nothing is thrown afterwards, nor is what was thrown still on its way."""
        with self._lock:
            self.budgets.pop(budget.thread, None)
            budget.end()

    def _wake(self) -> None:
        self._is_needed = True
        self._needed.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._look_on, name="budgets", daemon=True)
            self._thread.start()

    def _look_on(self) -> None:
        quiet = 0
        while True:
            self._needed.wait()
            time.sleep(LOOK_EVERY)
            quiet = 0 if self._look() else quiet + 1
            if quiet > QUIET_LOOKS:
                self._rest()
                quiet = 0  # a watch that rested after every look would have to be woken by every page

    def _look(self) -> bool:
        """Stop rules that have taken too long, and if memory has grown too much, those that have run longest. False if
        no rules are running."""
        with self._lock:
            budgets = self.budgets.values()
            for budget in budgets:
                if budget.worked() > budget.seconds:
                    budget.stop(f"The rules were at work for more than {budget.seconds:g} seconds.")
            held = self.resident() if budgets else 0
            large = [budget for budget in budgets if held - budget.held > budget.bytes]
            if large:
                longest = max(large, key=Budget.worked)
                longest.stop(f"The rules took more than {longest.bytes // MEGABYTE} MB of memory.")
            return bool(budgets)

    def _rest(self) -> None:
        with self._lock:
            if not self.budgets:
                self._is_needed = False
                self._needed.clear()


def _own_clock() -> Callable[[], float]:
    """How much processor time this thread has used, readable by others: a busy machine does not reduce a budget."""
    if hasattr(time, "pthread_getcpuclockid"):
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.process_time


def _throw(thread: int, what: ctypes.py_object[type[_Stop]] | None) -> None:
    """Raise an exception in another thread at its next line; None takes back one that has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


_watch = _Watch()


def _watch_anew() -> None:
    """A fork copies no threads, a lock as it happened to be, and a file that tells of the process before."""
    global _watch  # noqa: PLW0603 - there is one watch in a process
    _watch = _Watch()


os.register_at_fork(after_in_child=_watch_anew)
