"""The ruleset, the options and the clock of a game. None of them changes after the start."""

from __future__ import annotations

import json
from contextlib import suppress
from hashlib import sha256
from typing import Any

import msgspec
from django.db import models

from game.deadlines.paces import PLAIN, Timing
from game.engine.codec import Damaged
from game.engine.ruleset import Ruleset
from game.rulesets.registry import RULESETS
from game.store.device import AtOneDevice

SUM_BYTES = 16


class CreatedGame(AtOneDevice):
    """The ruleset, options and clock of a game, and checks whether they can be read."""

    ruleset = models.CharField(max_length=32, default="sectors")
    options = models.JSONField(default=dict)
    timing = models.JSONField(default=dict, help_text="How its clocks differ from those of its pace.")
    rules_sum = models.BinaryField(
        default=bytes,
        db_default=b"",
        editable=False,
        help_text="Of the ruleset and the clock that it was started with.",
    )

    class Meta:
        abstract = True

    @property
    def rules(self) -> Ruleset:
        """The game's ruleset. Raises `Damaged` if the site has none with its key."""
        rules = RULESETS.get(self.ruleset)
        if rules is None:
            raise Damaged(f"The site has no rules with the key {self.ruleset!r}.")
        return rules

    def read_options(self) -> Any:
        """The options, typed. Raises `Damaged`."""
        return self.rules.stored_options(self.options)

    @property
    def ladder(self) -> str:
        """The ladder of the ruleset that rates the game."""
        return self.rules.ladder(self.read_options())

    def read_timing(self) -> Timing:
        """The typed `timing`, which holds the clocks that differ from the pace's. Raises `Damaged`."""
        try:
            return msgspec.convert(self.timing, Timing) if self.timing else PLAIN
        except msgspec.ValidationError as error:
            raise Damaged("The clock of the game cannot be read.") from error

    def check_described(self) -> None:
        """Check that its rules, options and clock can be read, without unpacking the position. Raises `Damaged`."""
        self.read_options()
        self.read_timing()

    @property
    def is_described(self) -> bool:
        """True if its rules, options and clock can be read."""
        with suppress(Damaged):
            self.check_described()
            return True
        return False

    def compute_rules_sum(self) -> bytes:
        """The checksum of the ruleset and the clock, which nothing changes after the start."""
        return sum_of(self.ruleset, self.timing)


def sum_of(*fixed: Any) -> bytes:
    """A checksum of columns, to detect damage, though not tampering by somebody with write access to the database."""
    return sha256(json.dumps(fixed, sort_keys=True).encode()).digest()[:SUM_BYTES]
