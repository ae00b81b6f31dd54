"""What a figure is made of: parts that add up to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec


class Part(msgspec.Struct, frozen=True):
    """One part of a figure, in words and with its sign."""

    label: str
    amount: int


Breakdown = Callable[[Any, str], tuple[Part, ...]]
"""From a state and what the figure is about, a company's key or a seat's number, to the parts of a public figure; none
where there is no such thing."""
Breakdowns = Mapping[str, Breakdown]
