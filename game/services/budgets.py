"""What the rules may use for one step of a game, watched from outside them: a loop in the rules stops itself, not the site.

A thread of the process looks at the rules that are at work and throws an exception into those that took too much. That ends every
loop of Python; one single call of a C function that never returns is left to the time limits of the server and of the worker."""

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
STOP_AGAIN = 0.5  # seconds of further work after which rules that went on regardless are stopped once more
STATM = Path("/proc/self/statm")
PAGE = resource.getpagesize()


class OverBudget(Exception):
    """The rules took too much time or memory: a bug in them. Nothing of the step is kept."""


class _Stop(BaseException):
    """Thrown into rules at work; never seen outside `Budget.run`."""


class Budget:
    """What the rules may use for one step of a game, all that they are asked in it taken together; a bot has a share of that."""

    def __init__(self, *, share: float = 1) -> None:
        self.seconds: float = settings.RULES_SECONDS * share
        self.bytes: int = settings.RULES_MEGABYTES * MEGABYTE
        self.worked = 0.0
        self.held = _watch.resident()
        self.broken = ""

    def run(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Let the rules work within what is left. Raises `OverBudget`. Database and locks are not for inside: any line may be the last."""
        if _watch.is_watching():
            return work(*args, **kwargs)
        self._check()
        stint, watch = _Stint(self), _watch
        try:
            try:
                watch.begin(stint)
                result = work(*args, **kwargs)
            finally:
                # A stop may come as late as here; once the stint has ended, none comes any more.
                while stint.is_on:
                    try:  # noqa: SIM105 - the lines of `suppress` could be stopped themselves
                        watch.end(stint)
                    except _Stop:
                        pass
                self.worked = stint.worked()
        except _Stop as stop:
            raise OverBudget(self.broken) from stop
        self._check()  # rules may have caught what stopped them
        return result

    def _check(self) -> None:
        if self.broken:
            raise OverBudget(self.broken)


class _Stint:
    """One piece of work of the rules, in its thread."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.is_on = True
        self.thread = threading.get_ident()
        self.stop_at = 0.0
        self._clock = _own_clock()
        self._began = self._clock() - budget.worked

    def worked(self) -> float:
        """Seconds of work that the budget has paid for by now."""
        return self._clock() - self._began

    def stop(self, why: str) -> None:
        """Throw the exception, and once more where the rules have caught it and gone on."""
        if (worked := self.worked()) >= self.stop_at:
            self.stop_at, self.budget.broken = worked + STOP_AGAIN, why
            _throw(self.thread, ctypes.py_object(_Stop))


class _Watch:
    """The thread that looks; it starts with the first work, and a forked process has its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stints: dict[int, _Stint] = {}
        self._needed = threading.Event()
        self._thread: threading.Thread | None = None
        self._statm = os.open(STATM, os.O_RDONLY) if STATM.exists() else None

    def resident(self) -> int:
        """Bytes of memory that this process holds; where the system does not tell, the most that it ever held."""
        if self._statm is None:
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return int(os.pread(self._statm, 100, 0).split()[1]) * PAGE

    def is_watching(self) -> bool:
        """Whether this thread's work is within a stint already."""
        return threading.get_ident() in self._stints

    def begin(self, stint: _Stint) -> None:
        with self._lock:
            self._stints[stint.thread] = stint
            if not self._needed.is_set():
                self._needed.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._look_on, name="budgets", daemon=True)
                self._thread.start()

    def end(self, stint: _Stint) -> None:
        """Nothing is thrown afterwards, nor is what was thrown still on its way."""
        with self._lock:
            self._stints.pop(stint.thread, None)
            stint.is_on = False
            if stint.stop_at:
                _throw(stint.thread, None)

    def _look_on(self) -> None:
        quiet = 0
        while True:
            self._needed.wait()
            time.sleep(LOOK_EVERY)
            quiet = 0 if self._look() else quiet + 1
            if quiet > QUIET_LOOKS:
                self._rest()

    def _look(self) -> bool:
        """Stop what has taken too long, and of what grew beyond its memory the longest at work. False where nothing is at work."""
        with self._lock:
            stints = self._stints.values()
            for stint in stints:
                if stint.worked() > stint.budget.seconds:
                    stint.stop(f"The rules were at work for more than {stint.budget.seconds:g} seconds.")
            held = self.resident() if stints else 0
            large = [stint for stint in stints if held - stint.budget.held > stint.budget.bytes]
            if large:
                longest = max(large, key=_Stint.worked)
                longest.stop(f"The rules took more than {longest.budget.bytes // MEGABYTE} MB of memory.")
            return bool(stints)

    def _rest(self) -> None:
        with self._lock:
            if not self._stints:
                self._needed.clear()


def _own_clock() -> Callable[[], float]:
    """How long this thread has worked, for others to read: that the machine is busy takes nothing from a budget."""
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
