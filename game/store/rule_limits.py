"""Time and memory limits for rule code, so that a loop in the rules stops one step and not the site. A thread watches
the running rules and raises an exception in those that use too much. That ends every loop in Python; a call of a C
function that never returns is left to the time limits of the server and the worker."""

from __future__ import annotations

import ctypes
import os
import resource
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import ParamSpec, TypeVar

from django.conf import settings

P = ParamSpec("P")
T = TypeVar("T")
MEGABYTE = 2**20
CHECK_SECONDS = 0.05  # seconds
MOST_IDLE_CHECKS = 20  # checks without running rules, after which the watch sleeps until it is needed
STOP_AGAIN_SECONDS = 0.5  # rules that caught the exception and continued are stopped again after this time
STATM = Path("/proc/self/statm")
PAGE = resource.getpagesize()


class OverBudget(Exception):
    """The rules took too much time or memory, which is a bug in them. The step is discarded."""


class _Stop(BaseException):
    """Raised in running rules; never leaves `Budget.run`."""


class _Nothing(BaseException):
    """Raised and caught in `_forget_stops`."""


class Budget:
    """The limits for all calls of rules in one step of a game; a bot has a share of them. It belongs to the thread that
    created it. Work too short for the watch to see costs nothing."""

    def __init__(self, *, share: float = 1) -> None:
        self.seconds: float = settings.RULES_SECONDS * share
        self.bytes: int = settings.RULES_MEGABYTES * MEGABYTE
        self.held = _watch.resident()
        self.thread = threading.get_ident()
        self.broken = ""
        self.is_on = False
        self._clock = _own_clock()
        self._seen_at: float | None = None  # by `_clock`, when the watch first saw the current work
        self._before = 0.0  # seconds of work before that
        self._stop_at = 0.0

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run rule code within the rest of the budget. Raises `OverBudget`. Do not use the database or locks inside:
        execution may stop at any line."""
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
                # A stop may arrive as late as here; none arrives once the work is no longer watched.
                while self.is_on:
                    try:  # noqa: SIM105 - the lines of `suppress` could be stopped themselves
                        watch.end(self)
                    except _Stop:
                        pass
                if self.broken:
                    _forget_stops()
        except _Stop as stop:
            raise OverBudget(self.broken) from stop
        self._check()  # rules may have caught the exception
        return result

    def worked(self) -> float:
        """Seconds of work so far. Only the watch calls it; counting starts when it first sees the work."""
        now = self._clock()
        if self._seen_at is None:
            self._seen_at = now
        return self._before + now - self._seen_at

    def stop(self, why: str) -> None:
        """Raise the exception in the rules, and again if they caught it and continued."""
        if (worked := self.worked()) >= self._stop_at:
            self._stop_at, self.broken = worked + STOP_AGAIN_SECONDS, why
            _throw(self.thread, ctypes.py_object(_Stop))

    def end(self) -> None:
        """Count the finished work, and cancel an exception that has not been raised yet."""
        self.is_on = False
        if self._seen_at is not None:
            self._before, self._seen_at = self.worked(), None
        if self.broken:
            _throw(self.thread, None)

    def _check(self) -> None:
        if self.broken:
            raise OverBudget(self.broken)


class _Watch:
    """The watching thread; it starts with the first work, and each forked process has its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.budgets: dict[int, Budget] = {}  # by the thread that works within it
        self._needed = threading.Event()
        self._is_needed = False
        self._thread: threading.Thread | None = None
        self._statm = os.open(STATM, os.O_RDONLY) if STATM.exists() else None

    def resident(self) -> int:
        """Bytes of resident memory of this process; its maximum so far on systems without `/proc`."""
        if self._statm is None:
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return int(os.pread(self._statm, 100, 0).split()[1]) * PAGE

    def begin(self, budget: Budget) -> None:
        """Start watching."""
        with self._lock:
            self.budgets[budget.thread] = budget
            if not self._is_needed:
                self._wake()

    def end(self, budget: Budget) -> None:
        """Stop watching. Afterwards no exception is raised, and none is pending."""
        with self._lock:
            self.budgets.pop(budget.thread, None)
            budget.end()

    def _wake(self) -> None:
        self._is_needed = True
        self._needed.set()
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch_loop, name="budgets", daemon=True)
            self._thread.start()

    def _watch_loop(self) -> None:
        idle_checks = 0
        while True:
            self._needed.wait()
            time.sleep(CHECK_SECONDS)
            idle_checks = 0 if self._check_budgets() else idle_checks + 1
            if idle_checks > MOST_IDLE_CHECKS:
                self._sleep_if_idle()
                idle_checks = 0  # if it slept after every check, every page would have to wake it

    def _check_budgets(self) -> bool:
        """Stop rules that run too long and, if memory has grown too much, those that have run longest. False if no
        rules are running."""
        with self._lock:
            budgets = self.budgets.values()
            for budget in budgets:
                if budget.worked() > budget.seconds:
                    budget.stop(f"The rules were at work for more than {budget.seconds:g} seconds.")
            resident_bytes = self.resident() if budgets else 0
            large = [budget for budget in budgets if resident_bytes - budget.held > budget.bytes]
            if large:
                longest = max(large, key=Budget.worked)
                longest.stop(f"The rules took more than {longest.bytes // MEGABYTE} MB of memory.")
            return bool(budgets)

    def _sleep_if_idle(self) -> None:
        with self._lock:
            if not self.budgets:
                self._is_needed = False
                self._needed.clear()


def _own_clock() -> Callable[[], float]:
    """A clock of this thread's CPU time that other threads can read, so that a busy machine does not reduce a
    budget."""
    if hasattr(time, "pthread_getcpuclockid"):
        return partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))
    return time.process_time


def _forget_stops() -> None:
    """Python looks for an exception that was cancelled at every line of this thread until it finds another one. That
    costs time, and in 3.11 a profiled function is never left. So one is raised and caught."""
    with suppress(_Nothing):
        _throw(threading.get_ident(), ctypes.py_object(_Nothing))
        for _ in range(1000):  # it is raised at one of these lines
            continue


def _throw(thread: int, what: ctypes.py_object[type[_Stop | _Nothing]] | None) -> None:
    """Raise an exception in another thread at its next line; None cancels one that has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


_watch = _Watch()


def _replace_watch() -> None:
    """Replace the watch after a fork: it copies no thread, an arbitrary lock state, and a file about the parent."""
    global _watch  # noqa: PLW0603 - there is one watch in a process
    _watch = _Watch()


os.register_at_fork(after_in_child=_replace_watch)
