"""Lessons of City of the Big Shoulders, and the notes next to a newcomer's first decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from game.boards.lessons import LEARNER, Goal, Lesson, Note, Slip
from game.engine.language import mark

Check = Callable[[Any], bool]


def company(view: Any, key: str) -> Any:
    return next(each for each in view.companies if each.key == key)


def holds_no(key: str) -> Check:
    return lambda view: not view.players[LEARNER].shares.get(key)


def has_appeal(key: str, appeal: int) -> Check:
    return lambda view: company(view, key).appeal >= appeal


def has_workers(key: str, workers: int) -> Check:
    return lambda view: sum(factory.workers for factory in company(view, key).factories) >= workers


def is_done_with(key: str) -> Check:
    """True if the company's revenue is decided or its operation over."""
    return lambda view: view.operation is None or view.operation.company != key or view.operation.is_paid


def is_worth(key: str, value: int) -> Check:
    return lambda view: company(view, key).price >= value


def is_not_asked(view: Any) -> bool:
    return view.acting_seat != LEARNER


def without(check: Check) -> Check:
    """True if the learner's turn is over and nothing came of it."""
    return lambda view: is_not_asked(view) and not check(view)


OTHER = {"held": {"other": "D"}}
EARNED = {"company": "libby", "runs": 1, "revenue": 180, "stopped": True, "sold": True}
LESSONS = (
    Lesson(
        "sale",
        mark("A sale that hurts"),
        mark("Sell shares and see what the sale does to their value."),
        {
            "phase": "stock",
            "players": {"you": {"cash": 50}, "other": {"cash": 100}},
            "companies": {
                "libby": {"value": 100, "held": {"other": "D", "you": "2C"}},
                "swift": {"value": 50, "held": {"you": "D"}},
            },
        },
        (
            Goal(
                mark("Sell both of your certificates of Libby."),
                mark(
                    "Every share of a sale is paid at the value before the sale, now 100. But each share "
                    "that you sell lowers the value of Libby by a step."
                ),
                holds_no("libby"),
            ),
        ),
        (
            Slip(
                mark(
                    "You did not sell both certificates of Libby. In a turn you may sell first, then buy or "
                    "start a company."
                ),
                without(holds_no("libby")),
            ),
        ),
        mark(
            "You were paid 200, and the value of Libby fell two steps, to 60. That hurts its director, and "
            "would have hurt you too if you had kept shares. You cannot buy shares of Libby again in this "
            "decade."
        ),
        "BS 5.2",
    ),
    Lesson(
        "place",
        mark("A placement with a bonus"),
        mark("Place a partner, move on the appeal track, and take what its space brings."),
        {
            "phase": "action",
            "acting": "you",
            "players": {"you": {}, "other": {}},
            "companies": {"libby": {"appeal": 2, "cash": 60, "held": {"you": "D"}}, "swift": OTHER},
        },
        (
            Goal(
                mark("Place a partner on “Advertise” for Libby."),
                mark(
                    "It costs Libby 20 and moves it one space along the appeal track, from 2 to 3. A company "
                    "that reaches a space with a bonus gets it at once."
                ),
                has_appeal("libby", 3),
            ),
            Goal(
                mark("Take the bonus: a worker for a factory of Libby."),
                mark("The bonus of space 3 is a worker, who needs a free place in a factory and costs nothing."),
                has_workers("libby", 1),
            ),
        ),
        (
            Slip(
                mark("Your partner went elsewhere, so Libby did not move."),
                lambda view: (view.has_placed or is_not_asked(view)) and not has_appeal("libby", 3)(view),
            ),
            Slip(
                mark("You went without the bonus. Hiring a worker normally costs money."),
                lambda view: has_appeal("libby", 3)(view) and not view.owed and not has_workers("libby", 1)(view),
            ),
        ),
        mark("A turn is one placement, with free acts before and after it. Companies with more appeal operate first."),
        "BS 1.5",
    ),
    Lesson(
        "operation",
        mark("An operation"),
        mark("Let a factory make goods and sell them."),
        {
            "phase": "operation",
            "players": {"you": {}, "other": {}},
            "companies": {
                "libby": {"cash": 60, "factories": ["ww"], "cubes": "SL", "held": {"you": "D"}},
                "swift": OTHER,
            },
            "operation": {"company": "libby"},
            "operating": ["swift"],
        },
        (
            Goal(
                mark("Run factory 1, sell the three goods, and pay the revenue."),
                mark(
                    "A factory runs once if its staff is complete and its cubes are there: here two workers, a steel "
                    "and a livestock. Three goods at 20 bring 60, which is more than the value of 50: the value rises."
                ),
                is_worth("libby", 60),
            ),
        ),
        (
            Slip(
                mark("The value did not rise: the goods were not made, not sold to a shop, or the revenue not paid."),
                is_done_with("libby"),
            ),
        ),
        mark(
            "Sixty dollars were paid out, six for each share, and the value rose a step, to 60. The bank "
            "would have paid only half the price for the goods."
        ),
        "BS 7.4",
    ),
    Lesson(
        "dividend",
        mark("A dividend of three steps"),
        mark("Pay out enough to make the value jump."),
        {
            "phase": "operation",
            "players": {"you": {"cash": 50}, "other": {}},
            "companies": {
                "libby": {"value": 60, "cash": 20, "held": {"you": "D 2C", "other": "C"}},
                "swift": OTHER,
            },
            "operation": EARNED,
            "operating": ["swift"],
        },
        (
            Goal(
                mark("Pay out the revenue of Libby."),
                mark(
                    "Libby has earned 180, three times its value of 60. Each share gets a tenth, and from a value of "
                    "60 on, three times the value moves it three steps up."
                ),
                is_worth("libby", 70),
            ),
        ),
        (
            Slip(
                mark("You withheld the revenue: it is the company’s now, and the value fell a step."),
                lambda view: not is_worth("libby", 60)(view),
            ),
        ),
        mark(
            "You were paid 18 for each of your shares, and Libby for those in its treasury. The value rose "
            "three steps, to 120. With less than twice the value paid out, it would have risen one step."
        ),
        "BS 7.5",
    ),
)


NOTES = (
    Note(
        "company",
        "first_company",
        mark(
            "Give it money to work with. The company itself pays for workers and cubes. A high first value brings it "
            "more money and costs you more."
        ),
    ),
    Note(
        "value",
        "stock",
        mark(
            "In the stock phase you may sell, and then buy one certificate or start a company. Buying does "
            "not move the value; each share sold lowers it one step. The company receives what you pay for "
            "shares of its treasury."
        ),
    ),
    Note(
        "building",
        "building",
        mark(
            "Everybody builds one tile at the same time, unseen by the others. It becomes a space for all. "
            "Each time it is used, the company there or the bank pays its owner."
        ),
    ),
    Note(
        "action",
        "action",
        mark(
            "Place one partner each turn. A factory runs only with all of its staff, so hire for the "
            "cheapest factory first. Trades and assets cost no placement."
        ),
    ),
    Note(
        "operation",
        "operation",
        mark(
            "Your company buys cubes once, runs its factories from left to right, and sells. Revenue that is paid out "
            "raises the value if all ten shares together get at least the value."
        ),
    ),
)
