"""Environment variables, read strictly: one that is missing or wrong ends the start in a sentence that names it, and
never shows what may hold a password."""

from __future__ import annotations

import base64
import logging
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from sectors_site.home import make_private

T = TypeVar("T")
TRUE, FALSE = ("1", "true", "yes", "on", "y", "t"), ("0", "false", "no", "off", "n", "f")
DATABASES = ("sqlite3", "postgresql")
_env = environ.Env()


def refuse(sentence: str) -> NoReturn:
    """End the start; the sentence names the variable."""
    raise SystemExit(sentence)


def text(name: str, default: str = "") -> str:
    """As it stands there."""
    return str(_env.str(name, default=default))


def texts(name: str, default: list[str]) -> list[str]:
    """Separated by commas."""
    return list(_env.list(name, default=default))


def whole(name: str, default: int) -> int:
    """A whole number from 0."""
    return int(_number(name, default, int, "a whole number from 0"))


def length(name: str, default: float) -> float:
    """A number of seconds, more than none."""
    return _number(name, default, _above_zero, "a number above 0")


def numbers(name: str, default: list[float]) -> list[float]:
    """Numbers from 0, separated by commas."""
    given = text(name)
    if not given:
        return default
    return [_converted(name, each, float, "numbers from 0, separated by commas") for each in given.split(",")]


def truth(name: str, *, default: bool) -> bool:
    """On or off, in the usual words."""
    given = text(name).strip().lower()
    if given not in (*TRUE, *FALSE, ""):
        refuse(f"{name} is “{given}”; it must be on or off.")
    return given in TRUE if given else default


def level(name: str, default: str) -> int:
    """A level of logging."""
    known, given = logging.getLevelNamesMapping(), text(name, default)
    if given.upper() not in known:
        refuse(f"{name} is “{given}”; it must be DEBUG, INFO, WARNING, ERROR or CRITICAL.")
    return known[given.upper()]


def folder(name: str, default: Path) -> Path:
    """A folder for what is stored, made where it is not there yet."""
    home = Path(text(name, str(default))).resolve()
    try:
        make_private(home, is_ours=home == default)
    except OSError as error:
        refuse(f"{name} is “{home}”; it must be a folder that can be written ({error.strerror}).")
    return home


def address(name: str, default: str) -> str:
    """The address of a site, without a slash at its end."""
    given = text(name, default).rstrip("/")
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        refuse(f"{name} is “{given}”; it must be http:// or https:// and a host, with a port where it needs one.")
    return given


def contacts(name: str) -> list[str]:
    """Where people can be reached: addresses for mail or of pages, separated by commas, as URIs."""
    found = [each.strip() for each in texts(name, []) if each.strip()]
    for each in found:
        if not re.fullmatch(r"(?:mailto:)?[^@\s:/]+@[^@\s:/]+|https://\S+", each):
            refuse(f"{name} is “{each}”; it must be addresses for mail or of https:// pages, separated by commas.")
    return [each if ":" in each else f"mailto:{each}" for each in found]


def database(name: str) -> dict[str, Any] | None:
    """Where the database is; nothing where the variable is not set."""
    if not text(name):
        return None
    found = _whole_of(name, lambda: _env.db_url(name), "postgres://user:password@host/name or sqlite:///path")
    if not found.get("ENGINE", "").endswith(DATABASES) or not found["NAME"]:
        refuse(f"{name} must be an address such as postgres://user:password@host/name or sqlite:///path.")
    return found


def redis(name: str) -> str:
    """Where Redis is; empty where the variable is not set."""
    given = text(name)
    if given:
        try:
            parts = urlsplit(given)
            is_whole = parts.scheme in {"redis", "rediss"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_whole = False
        if not is_whole:
            refuse(f"{name} must be an address such as redis://:password@host:6379/0.")
    return given


def sender(name: str, default: str) -> str:
    """Whom mail comes from: an address, with or without a name before it."""
    given = text(name, default)
    if not re.fullmatch(r"[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s,]+@[^<>@\s,]+", given):
        refuse(f"{name} is “{given}”; it must be an address, such as Sectors <sectors@example.org>.")
    return given


def found(name: str, place: str, is_one: Callable[[Any], bool], example: str) -> Any:
    """What a place in Python code holds, where it is one of those that are wanted."""
    try:
        thing = resolve_name(place)
    except (ValueError, ImportError, AttributeError) as error:
        refuse(f"{name} names “{place}”, which cannot be loaded ({error}); it must be a place such as {example}.")
    if not is_one(thing):
        refuse(f"{name} names “{place}”, which is something else; it must be a place such as {example}.")
    return thing


def mail(name: str, default: str) -> dict[str, Any]:
    """Where mail goes."""
    return _whole_of(name, lambda: _env.email_url(name, default=default), "smtp+tls://user:password@host:587")


def json(name: str) -> dict[str, Any]:
    """A JSON object, an empty one where the variable is not set."""
    try:
        found = _env.json(name, default={})
    except (ValueError, ImproperlyConfigured):
        found = None
    if not isinstance(found, dict):
        refuse(f"{name} must be a JSON object.")
    return found


def anymail(name: str) -> dict[str, Any]:
    """What django-anymail is told. A secret without a colon would let no service report anything."""
    found = json(name)
    secrets = found.get("WEBHOOK_SECRET") or []
    for each in [secrets] if isinstance(secrets, str) else secrets:
        if not re.fullmatch(r"[^:]+:.+", str(each)):
            refuse(f"{name} must be a JSON object whose WEBHOOK_SECRET is user:password.")
    return found


def key(name: str) -> str:
    """32 bytes in the letters of URLs; nothing where the variable is not set."""
    given = text(name)
    try:
        is_whole = len(base64.urlsafe_b64decode(given + "=" * (-len(given) % 4))) == 32
    except ValueError:
        is_whole = False
    if given and not is_whole:
        refuse(f"{name} is no key: make one with ./dev manage push_key.")
    return given


def required(name: str, why: str) -> str:
    """What a service cannot guess."""
    return text(name) or refuse(f"{name} is not set. {why}")


def _number(name: str, default: float, kind: Callable[[str], float], meaning: str) -> float:
    given = text(name)
    return _converted(name, given, kind, meaning) if given else default


def _converted(name: str, given: str, kind: Callable[[str], float], meaning: str) -> float:
    try:
        found = kind(given)
    except ValueError:
        found = -1
    if not 0 <= found < float("inf"):
        refuse(f"{name} is “{given.strip()}”; it must be {meaning}.")
    return found


def _above_zero(given: str) -> float:
    found = float(given)
    if found <= 0:
        raise ValueError(given)
    return found


def _whole_of(name: str, read: Callable[[], Any], example: str) -> dict[str, Any]:
    try:
        with warnings.catch_warnings(action="ignore"):  # they would show what is wrong with it, password and all
            return dict(read())
    except (ValueError, KeyError, ImproperlyConfigured):
        refuse(f"{name} must be an address such as {example}.")
