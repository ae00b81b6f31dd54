"""Instants as text: absolute times in the reader's zone, and the time left."""

import json
from datetime import date, datetime, tzinfo

from django import template
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.safestring import SafeString

from game.engine.language import kept, mark, say
from game.i18n import CLOSE_DATE, FULL_DATE, SHORT_DAY, city_of, date_words, full_words
from game.i18n import DAY as DAY_NAMED

register = template.Library()

MINUTE, HOUR, DAY = 60, 3600, 86400


LEFT = {
    "over": mark("closing now"),
    "seconds": mark("in {seconds} s"),
    "near": mark("in {minutes} min {seconds} s"),
    "minutes": mark("in {minutes} min"),
    "hours": mark("in {hours} h {minutes} min"),
    "days": mark("in {days} d {hours} h"),
}
"""Texts for the time left, also used by countdown.js."""


def in_words(seconds: int) -> str:
    """The time left as text."""
    if seconds <= 0:
        return say(LEFT["over"])
    if seconds < MINUTE:
        return say(LEFT["seconds"], seconds=seconds)
    if seconds < 10 * MINUTE:
        return say(LEFT["near"], minutes=seconds // MINUTE, seconds=seconds % MINUTE)
    if seconds < HOUR:
        return say(LEFT["minutes"], minutes=seconds // MINUTE)
    if seconds < DAY:
        return say(LEFT["hours"], hours=seconds // HOUR, minutes=seconds % HOUR // MINUTE)
    return say(LEFT["days"], days=seconds // DAY, hours=seconds % DAY // HOUR)


@register.simple_tag
@kept()
def left_patterns() -> str:
    """`LEFT` in the reader's language, as JSON for countdown.js."""
    return json.dumps({name: say(text) for name, text in LEFT.items()}, ensure_ascii=False)


def local_words(here: datetime, now: datetime, day: str) -> str:
    return words_on(here, now.date(), day, is_near=is_near(here, now))


def is_near(at: datetime, now: datetime) -> bool:
    return abs((at - now).total_seconds()) < 10 * MINUTE


def words_on(here: datetime, today: date, day: str, *, is_near: bool) -> str:
    """Names the day unless it is today, the year unless it is this year, and the seconds if the instant is near."""
    clock = f"{here:%H:%M:%S}" if is_near else f"{here:%H:%M}"
    if here.date() == today:
        return say("today {clock}", clock=clock)
    date = date_words(here, DAY_NAMED if day == "l" else SHORT_DAY, has_year=here.year != today.year)
    return say("{date}, {clock}", date=date, clock=clock)


@register.simple_tag
def moment(at: datetime | None, day: str = "l") -> SafeString:
    """`Friday 20 Nov, 20:00` as a <time>; `day="D"` for the short form."""
    return time_mark(at, day, is_inside=False)


@register.simple_tag
def moment_inside(at: datetime | None) -> SafeString:
    """A moment within a sentence: `today 20:00`."""
    return time_mark(at, "l", is_inside=True)


def time_mark(at: datetime | None, day: str, *, is_inside: bool) -> SafeString:
    if at is None:
        return SafeString("")
    zone = timezone.get_current_timezone()
    now = datetime.now(zone)
    return drawn_mark(at, zone, now.date(), day, is_inside, is_near(at, now))


@kept(4096)
def drawn_mark(at: datetime, zone: tzinfo, today: date, day: str, is_inside: bool, is_near: bool) -> SafeString:
    here = at.astimezone(zone)
    words = words_on(here, today, day, is_near=is_near)
    text = words if is_inside else words[:1].upper() + words[1:]
    return _marked(here, text)


@register.simple_tag
def span(began: datetime, ended: datetime) -> SafeString:
    """`today from 04:03 to 04:41`, within a sentence: a common day is named once."""
    zone = timezone.get_current_timezone()
    return span_on(began.astimezone(zone), ended.astimezone(zone), datetime.now(zone).date())


def span_on(first: datetime, last: datetime, today: date) -> SafeString:
    if first.date() != last.date():
        began, ended = (_marked(at, words_on(at, today, "l", is_near=False)) for at in (first, last))
        return SafeString(say("from {began}, to {ended}", began=began, ended=ended))
    began, ended = (_marked(at, f"{at:%H:%M}") for at in (first, last))
    if first.date() == today:
        return SafeString(say("today from {began} to {ended}", began=began, ended=ended))
    day = date_words(first, DAY_NAMED, has_year=first.year != today.year)
    return SafeString(say("on {day} from {began} to {ended}", day=day, began=began, ended=ended))


@register.simple_tag
def left(at: datetime | None, css: str = "left") -> SafeString:
    """The time left; countdown.js updates it."""
    if at is None:
        return SafeString("")
    seconds = round((at - timezone.now()).total_seconds())
    return SafeString(f'<span class="{css}" data-left="{at.isoformat(timespec="seconds")}">{in_words(seconds)}</span>')


@register.filter
def full_date(at: date | None) -> str:
    """`20 November 2026`, in the reader's zone."""
    return "" if at is None else date_words(timezone.localtime(at) if isinstance(at, datetime) else at, FULL_DATE)


@register.filter
def full_moment(at: datetime | None) -> str:
    """`20 November 2026, 18:00`, in the reader's zone."""
    return "" if at is None else full_words(timezone.localtime(at))


@register.filter
def second(at: datetime | None) -> str:
    """`20 Nov, 18:00:09`, in the reader's zone, for recent events."""
    if at is None:
        return ""
    here = timezone.localtime(at)
    return say("{date}, {clock}", date=date_words(here, CLOSE_DATE), clock=f"{here:%H:%M:%S}")


def _marked(here: datetime, words: str) -> SafeString:
    return SafeString(f'<time datetime="{here.isoformat(timespec="seconds")}">{words}</time>')


@register.simple_tag
def month_words(at: datetime) -> str:
    """`November 2026`."""
    return date_format(at, "F Y")


@register.simple_tag
def zone() -> str:
    """The common name of the reader's zone: Berlin, New York, UTC."""
    return city_of(timezone.get_current_timezone())


@register.simple_tag
def server_now() -> str:
    return timezone.now().isoformat(timespec="milliseconds")
