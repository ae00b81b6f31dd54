"""`simulate --pace`: how often a game waits for people, what each aid saves and costs, and how many days a table needs
if everybody comes once a day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import mean, stdev
from typing import Any

from game.deadlines.paces import DAILY, LIVE, seconds_of
from game.engine.flow import Mode, Phase
from game.engine.ruleset import Bot, Ruleset
from game.engine.simulation.pace import DAY, Calendar, Windows, count_windows, live_seconds, visits_of
from game.engine.simulation.same_answers import Answers, compare

MINUTE = 60


@dataclass(frozen=True)
class Run:
    """Games with the same seeds among bots of one kind."""

    rules: Ruleset
    options: Any
    bot: Bot
    seats: int
    games: int
    seed: int

    def secrets(self) -> list[str]:
        return [f"simulate/{self.seed}/{number}" for number in range(self.games)]

    def bots(self, *aids: str) -> list[Bot]:
        """The bots of all seats, using these aids."""
        bot = self.bot
        for name in aids:
            bot = self.rules.aids[name].use(bot)
        return [bot] * self.seats

    def seconds(self, pace: str) -> Any:
        return partial(_seconds, self.rules, self.options, pace)


def _seconds(rules: Ruleset, options: Any, pace: str, phase: Phase, is_first: bool = False) -> int:
    return seconds_of(rules, options, phase, pace, is_first=is_first)


def report_lines(run: Run) -> Iterator[str]:
    all_aids = tuple(run.rules.aids)
    windows, scores = _windows(run)
    yield f"{run.games} games of {run.rules.title}, {run.seats} seats, seed {run.seed}"
    yield f"windows a turn: {windows.a_turn:.2f} ({_by_phase(windows)})"
    for name in all_aids:
        yield from _about_aid(run, name, (name,), scores)
    if len(all_aids) > 1:
        yield from _about_aid(run, "all of them", all_aids, scores)
    yield from _about_days(run, "without", ())
    if all_aids:
        yield from _about_days(run, "with all", all_aids)


def _windows(run: Run, *aids: str) -> tuple[Windows, list[list[int]]]:
    windows = Windows()
    scores = [count_windows(run.rules, run.options, run.bots(*aids), secret, windows) for secret in run.secrets()]
    return windows, scores


def _by_phase(windows: Windows) -> str:
    return ", ".join(f"{name} {windows.of(name):.2f}" for name, _ in windows.by_phase.most_common())


def _about_aid(run: Run, title: str, aids: Sequence[str], scores: list[list[int]]) -> Iterator[str]:
    """Lines about an aid: the waits it saves if all use it, its cost if one does, and how often its answer is the
    same."""
    windows, _ = _windows(run, *aids)
    answers = Answers()
    for secret in run.secrets():
        compare(run.rules, run.options, run.bots(), run.bots(*aids), secret, answers)
    costs = [_cost(run, aids, secret, scores[number]) for number, secret in enumerate(run.secrets())]
    error, worth = stdev(costs) / len(costs) ** 0.5 if len(costs) > 1 else 0.0, mean(map(mean, scores))
    yield (
        f"{title}: {windows.a_turn:.2f} windows a turn ({_by_phase(windows)}); the same answer in "
        f"{answers.share:.1%} of {answers.compared}, ended {answers.ended.total()} times; "
        f"net worth of its user {mean(costs):+.1f} ± {error:.1f} of {worth:.0f}, {mean(costs) / worth:+.2%}"
    )


def _cost(run: Run, aids: Sequence[str], secret: str, scores: list[int]) -> float:
    """How much more the only user of the aid has at the end than in the same game without it, on average over the
    seats."""
    return mean(_cost_at(run, aids, secret, seat) - scores[seat] for seat in range(run.seats))


def _cost_at(run: Run, aids: Sequence[str], secret: str, seat: int) -> int:
    bots = run.bots()
    bots[seat] = run.bots(*aids)[seat]
    return count_windows(run.rules, run.options, bots, secret, Windows())[seat]


def _about_days(run: Run, title: str, aids: Sequence[str]) -> Iterator[str]:
    """The length of a game at the daily pace, and live."""
    windows, _ = _windows(run, *aids)
    phases = [row.phase for row in run.rules.flow(run.options).rows if row.phase.mode is not Mode.AUTOMATIC]
    deadline_days = windows.seconds(phases, run.seconds(DAILY)) / DAY
    daily, absentee = _calendar(run, aids, absent=False), _calendar(run, aids, absent=True)
    live_length = mean(
        live_seconds(run.rules, run.options, run.bots(*aids), secret, run.seconds(LIVE)) for secret in run.secrets()
    )
    yield (
        f"{title}: {daily.seconds / DAY / run.games:.1f} days where all come once a day ({_missed_share(daily)}), "
        f"{deadline_days:.1f} at the deadlines only, {absentee.seconds / DAY / run.games:.1f} with one seat that "
        f"never comes ({_missed_share(absentee)}), {live_length / MINUTE:.0f} minutes live at full clocks"
    )


def _calendar(run: Run, aids: Sequence[str], *, absent: bool) -> Calendar:
    calendar = Calendar(run.seconds(DAILY), [])
    for number, secret in enumerate(run.secrets()):
        visits: list[int | None] = [*visits_of(secret, run.seats)]
        if absent:
            visits[number % run.seats] = None
        calendar.visits = visits
        bots = run.bots(*aids)
        if absent:
            bots[number % run.seats] = run.bot
        calendar.play(run.rules, run.options, bots, secret)
    return calendar


def _missed_share(calendar: Calendar) -> str:
    return f"{calendar.missed / max(calendar.decisions, 1):.1%} of answers missed"
