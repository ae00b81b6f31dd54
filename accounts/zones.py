"""Time zones a person may choose."""

import functools
import zoneinfo
from collections import defaultdict

from django.core.exceptions import ValidationError
from django.dispatch import Signal
from django.utils.translation import gettext, gettext_noop

zone_changed = Signal()
"""`user` has chosen another zone, which is saved."""

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
    """The names of all that may be chosen."""
    return frozenset({"UTC"}.union(*(zones for _, zones in _by_region())))


def zone_choices() -> Choices:
    """The choices of the preferences page, grouped by region, in the reader's language. Cities are called as the zone
    is."""
    regions = [
        (gettext(REGIONS.get(region, region)), [(name, _city(name)) for name in zones])
        for region, zones in _by_region()
    ]
    return [(gettext(REGIONS["Universal"]), [("UTC", "UTC")]), *sorted(regions)]


@functools.cache
def _by_region() -> list[tuple[str, list[str]]]:
    """Every zone with a city; read from disk once."""
    regions: dict[str, list[str]] = defaultdict(list)
    for name in sorted(zoneinfo.available_timezones()):
        region, _, city = name.partition("/")
        if city and region not in {"Etc", "posix", "right", "SystemV"}:
            regions[region].append(name)
    return list(regions.items())


def _city(name: str) -> str:
    return name.partition("/")[2].replace("_", " ").replace("/", ", ")
