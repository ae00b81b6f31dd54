"""The tempers of the bots: one table of weights for all their judgements, a line for each way of playing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Temper:
    """What a bot is like. Percents are of a share's price or of its cash; `likes` are dollars a share in favour of an
    action."""

    name: str
    least_gain: int  # percent that a purchase must promise
    crowding: int  # percent of its promise that a purchase loses for every share held already
    lot: int  # shares of a floated company bought at once
    short_gain: int  # percent that a short must promise
    short_stake: int  # percent of its cash it would lock under shorts
    option_gain: int  # percent of the premium that an option must promise
    option_stake: int  # percent of its cash it would pay for an option
    stop_mood: int  # in how many rounds of ten it thinks of a stop
    bargain_mood: int  # in how many rounds of ten it thinks of a bargain
    likes: Mapping[str, float] = field(default_factory=dict)
    bid: tuple[int, int] = (30, 70)  # percent of its influence, from and to
    pledges_one_in: int = 6  # turns in which it pays for a headline; 0: never
    opening_lot: int = 0  # shares of a company not yet floated bought at once; 0: as many as float it
    reserve: int = 25  # dollars kept back for an insolvency
    doubt: float = 0.75  # for every share that others must still buy before a company floats


# fmt: off
#                least  crowd-  lot   short  short  option  option  stop  bargain
#                 gain  ing           gain   stake  gain    stake   mood  mood
TEMPERS = (
    Temper("steady",  8,  5,   4,     12,    30,     60,     25,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
    Temper("builder", 8,  4,   5,     15,    30,     60,     25,    1,    2,
           {"share_buyback": 0.3, "expansion": 2.0, "rapid_expansion": 6.0, "visionary": 4.0, "outsource": 1.0,
            "research": 0.5}),
    Temper("trader",  6,  5,   5,      8,    40,     30,     40,    2,    4,
           {"share_buyback": 0.3, "surge_pricing": 5.0, "price_freeze": 4.0, "lobby": 1.0}),
    Temper("bear",   10,  6,   4,      4,    60,     50,     25,    2,    3,
           {"share_buyback": 0.3, "fast_track_approval": 4.0, "share_issue": 0.5, "downsize": 0.5}),
)
# fmt: on


def eager(temper: Temper) -> Temper:
    """The same in a hurry: it wants to be served first, puts all its cash to work at once, and pays for no headline."""
    return replace(temper, bid=(60, 100), pledges_one_in=0, opening_lot=8, reserve=0, doubt=1.0)


# fmt: off
#                       least  crowd-  lot   short  short  option  option  stop  bargain
#                        gain  ing           gain   stake  gain    stake   mood  mood
SHARP_TEMPERS = tuple(map(eager, (
    Temper("raider",      4,  2,   8,     12,    30,     60,     25,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
    Temper("prowler",     4,  2,   8,      4,    50,     30,     50,    1,    2,
           {"share_buyback": 2.0, "strategic_reserve": 4.0, "loan": 0.5}),
)))
# fmt: on
