"""Time zones a person may choose."""

import functools
import zoneinfo
from collections import defaultdict

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

Choices = list[tuple[str, list[tuple[str, str]]]]


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
    return frozenset(name for _, zones in zone_choices() for name, _ in zones)


@functools.cache
def zone_choices() -> Choices:
    """The choices of the preferences page, grouped by region; read from disk once."""
    regions: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name in sorted(zoneinfo.available_timezones()):
        region, _, city = name.partition("/")
        if city and region not in {"Etc", "posix", "right", "SystemV"}:
            regions[region].append((name, city.replace("_", " ").replace("/", ", ")))
    return [("Universal", [("UTC", "UTC")]), *regions.items()]
