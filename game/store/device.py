"""Games in which several seats play at their host's device, and the seat that each browser holds."""

from __future__ import annotations

from django.db import models

from game.store.changed_columns import RemembersColumns, WrittenUnderLock

HOLDS = "holds"
"""The session's entry: game to the word that proves which seat this browser holds."""


class Device(models.TextChoices):
    """A seat at its host's device, where one browser holds one seat at a time; empty anywhere else."""

    SHARED = "shared", "at the host's device"
    COVERED = "covered", "at the host's device, and nobody has lifted its cover"


class AtOneDevice(WrittenUnderLock):
    """A game's columns about the seats at its host's device. Only `game.play.devices` changes it."""

    device_seats = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Seats at the host's device; 0 where nobody shares one."
    )
    device_hold = models.CharField(
        max_length=32, blank=True, default="", db_default="", editable=False, help_text="Proves who holds a seat there."
    )

    class Meta:
        abstract = True

    @property
    def companions(self) -> int:
        """The seats at the host's device, except the host's own."""
        return max(self.device_seats - 1, 0)


class SharedSeat(RemembersColumns):
    """A seat's columns about the device at which it is played."""

    device = models.CharField(
        max_length=7, choices=Device, blank=True, default="", db_default="", help_text="Empty unless it is at one."
    )

    class Meta:
        abstract = True


def name_at_device(name: str, host: str) -> str:
    """The name of a seat at the host's device, with the host's name in brackets, which no account's name contains."""
    return f"{name} ({host})"


def first_name(name: str) -> str:
    """The name of a seat without the host's name."""
    return name.partition(" (")[0]


def host_in(name: str) -> str:
    """The host in the name of a seat at a device; any other name as it is."""
    return name.partition(" (")[2].removesuffix(")") or name
