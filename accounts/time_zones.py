"""Time zones a person may choose."""

import functools
import zoneinfo
from collections import defaultdict

from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.utils.translation import gettext, gettext_noop

zone_changed = Signal()
"""`user` has chosen another zone, which is saved."""

UTC = "UTC"
NOWHERE = {"localtime", "Factory"}  # mean another zone on every machine
FIXED = "Etc"  # the region of zones that are so many hours from UTC
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
"""What the first parts of names are called; others, as Chile, are called so everywhere."""


def validate_timezone(name: str) -> None:
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValidationError(
            gettext("“%(name)s” is not a time zone we know."), code="unknown_zone", params={"name": name}
        ) from error


@functools.cache
def offered_zones() -> frozenset[str]:
    """The names of all that may be chosen: every one that a browser may report."""
    return frozenset(zoneinfo.available_timezones() - NOWHERE)


def zone_choices() -> Choices:
    """The choices of the preferences page, grouped by region, in the reader's language. Cities are called as the zone
    is; UTC comes first and zones without a city last."""
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
    """Every zone, those without a city under no region; read from disk once."""
    regions: dict[str, list[str]] = defaultdict(list)
    for name in sorted(offered_zones() - {UTC}):
        region, _, city = name.partition("/")
        regions[region if city and region != FIXED else ""].append(name)
    return regions


def _city(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")


def _offset(name: str) -> str:
    """`Etc/GMT+5` is five hours behind: whoever looks for it reads so."""
    behind = name.removeprefix(f"{FIXED}/GMT")
    if behind == name or behind[:1] not in {"+", "-"}:
        return name.removeprefix(f"{FIXED}/")
    return f"UTC{'−' if behind[0] == '+' else '+'}{behind[1:]}"
