"""The time zones that users can choose."""

from __future__ import annotations

import functools
import zoneinfo
from collections import defaultdict
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.utils.translation import gettext, gettext_noop

zone_changing, zone_changed = Signal(), Signal()
"""Sent with `user` before and after another zone is saved, in the same transaction."""
UTC = "UTC"
LOCAL_ZONES = {"localtime", "Factory"}  # differ from machine to machine
FIXED_OFFSETS = "Etc"  # region of the zones with a fixed offset from UTC
Choices = list[tuple[str, list[tuple[str, str]]]]
REGIONS = {
    "Universal": gettext_noop("Universal"),
    "Africa": gettext_noop("Africa"),
    "America": gettext_noop("America"),
    "Antarctica": gettext_noop("Antarctica"),
    "Arctic": gettext_noop("Arctic"),
    "Asia": gettext_noop("Asia"),
    "Atlantic": gettext_noop("Atlantic"),
    "Australia": gettext_noop("Australia"),
    "Brazil": gettext_noop("Brazil"),
    "Canada": gettext_noop("Canada"),
    "Europe": gettext_noop("Europe"),
    "Indian": gettext_noop("Indian Ocean"),
    "Mexico": gettext_noop("Mexico"),
    "Pacific": gettext_noop("Pacific"),
    "US": gettext_noop("United States"),
    "": gettext_noop("Without a city"),
}
"""Titles of regions; others, such as Chile, need no translation."""


def validate_timezone(name: str) -> None:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(
            gettext("“%(name)s” is not a time zone we know."), code="unknown_zone", params={"name": name}
        ) from error


@functools.cache
def offered_zones() -> frozenset[str]:
    """Every zone that a browser may report."""
    return frozenset(zoneinfo.available_timezones() - LOCAL_ZONES)


def zone_choices() -> Choices:
    """The choices of the preferences page, grouped by region, in the reader's language. UTC comes first, zones without
    a city last."""
    regions = [
        (gettext(REGIONS.get(region, region)), [(name, _city(name)) for name in zones])
        for region, zones in _by_region().items()
        if region
    ]
    without_city = [(name, _offset(name)) for name in _by_region()[""]]
    return [
        (gettext(REGIONS["Universal"]), [(UTC, UTC)]),
        *sorted(regions),
        (gettext(REGIONS[""]), without_city),
    ]


@functools.cache
def _by_region() -> dict[str, list[str]]:
    """All zones by region, those without a city under ""; read from disk once."""
    regions: dict[str, list[str]] = defaultdict(list)
    for name in sorted(offered_zones() - {UTC}):
        region, _, city = name.partition("/")
        regions[region if city and region != FIXED_OFFSETS else ""].append(name)
    return regions


def _city(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")


def _offset(name: str) -> str:
    """The offset with the usual sign: `Etc/GMT+5` means UTC−5."""
    offset = name.removeprefix(f"{FIXED_OFFSETS}/GMT")
    if offset == name or offset[:1] not in {"+", "-"}:
        return name.removeprefix(f"{FIXED_OFFSETS}/")
    return f"UTC{'−' if offset[0] == '+' else '+'}{offset[1:]}"
