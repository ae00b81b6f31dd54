"""Reads environment variables strictly: a missing or wrong one ends the start with a sentence that names it, and never
shows what may hold a password. Creates the private folder of generated files, with its secret key."""

from __future__ import annotations

import base64
import contextlib
import logging
import os
import re
import secrets
import warnings
from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, NoReturn, TypeVar
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

T = TypeVar("T")
TRUE, FALSE = ("1", "true", "yes", "on", "y", "t"), ("0", "false", "no", "off", "n", "f")
DATABASES = ("sqlite3", "postgresql")
_env = environ.Env()


def make_private(home: Path, *, is_ours: bool) -> None:
    """Create the folder for its owner alone; our own folder, if it is more open, is closed. A folder that the operator
    named keeps its mode."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    if is_ours and home.stat().st_uid == os.getuid() and home.stat().st_mode & 0o077:
        home.chmod(0o700)


def reserve(file: Path) -> None:
    """Create an empty file for its owner alone: SQLite gives the same mode to the files next to it."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def secret_key(home: Path) -> str:
    """The secret key of this checkout, created on first use and readable by its owner alone."""
    file = home / "secret_key"
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(64))
    return file.read_text(encoding="ascii")


def _write_once(file: Path, text: str) -> None:
    """Write a new file atomically; if two processes start together, the first one's text wins."""
    draft = file.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as target:
        target.write(text)
    try:
        os.link(draft, file)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


def refuse(sentence: str) -> NoReturn:
    """End the start; the sentence names the variable."""
    raise SystemExit(sentence)


def text(name: str, default: str = "") -> str:
    return str(_env.str(name, default=default))


def text_list(name: str, default: list[str]) -> list[str]:
    """A list of texts, separated by commas."""
    return list(_env.list(name, default=default))


def whole_number(name: str, default: int) -> int:
    """A whole number from 0."""
    return int(_number(name, default, int, "a whole number from 0"))


def seconds(name: str, default: float) -> float:
    """A number of seconds above 0."""
    return _number(name, default, _above_zero, "a number above 0")


def numbers(name: str, default: list[float]) -> list[float]:
    """Numbers from 0, separated by commas."""
    value = text(name)
    if not value:
        return default
    return [_parse_number(name, each, float, "numbers from 0, separated by commas") for each in value.split(",")]


def boolean(name: str, *, default: bool) -> bool:
    """On or off, in the usual spellings."""
    value = text(name).strip().lower()
    if value not in (*TRUE, *FALSE, ""):
        refuse(f"{name} is “{value}”; it must be on or off.")
    return value in TRUE if value else default


def level(name: str, default: str) -> int:
    """A logging level."""
    levels, value = logging.getLevelNamesMapping(), text(name, default)
    if value.upper() not in levels:
        refuse(f"{name} is “{value}”; it must be DEBUG, INFO, WARNING, ERROR or CRITICAL.")
    return levels[value.upper()]


def folder(name: str, default: Path) -> Path:
    """A folder for stored files, created if it does not exist."""
    home = Path(text(name, str(default))).resolve()
    try:
        make_private(home, is_ours=home == default)
    except OSError as error:
        refuse(f"{name} is “{home}”; it must be a folder that can be written ({error.strerror}).")
    return home


def address(name: str, default: str) -> str:
    """The URL of a site, without a trailing slash."""
    value = text(name, default).rstrip("/")
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path or parts.query:
        refuse(f"{name} is “{value}”; it must be http:// or https:// and a host, with a port where it needs one.")
    return value


def contacts(name: str) -> list[str]:
    """Contact addresses as URIs: email addresses or https pages, separated by commas."""
    addresses = [each.strip() for each in text_list(name, []) if each.strip()]
    for each in addresses:
        if not re.fullmatch(r"(?:mailto:)?[^@\s:/]+@[^@\s:/]+|https://\S+", each):
            refuse(f"{name} is “{each}”; it must be addresses for mail or of https:// pages, separated by commas.")
    return [each if ":" in each else f"mailto:{each}" for each in addresses]


def database(name: str) -> dict[str, Any] | None:
    """Django's database settings; None if the variable is not set."""
    if not text(name):
        return None
    settings = _read_url(name, lambda: _env.db_url(name), "postgres://user:password@host/name or sqlite:///path")
    if not settings.get("ENGINE", "").endswith(DATABASES) or not settings["NAME"]:
        refuse(f"{name} must be an address such as postgres://user:password@host/name or sqlite:///path.")
    return settings


def redis(name: str) -> str:
    """The URL of Redis; empty if the variable is not set."""
    value = text(name)
    if value:
        try:
            parts = urlsplit(value)
            is_whole = parts.scheme in {"redis", "rediss"} and bool(parts.hostname) and parts.port != 0
        except ValueError:
            is_whole = False
        if not is_whole:
            refuse(f"{name} must be an address such as redis://:password@host:6379/0.")
    return value


def sender(name: str, default: str) -> str:
    """The sender of emails: an address, with or without a name."""
    value = text(name, default)
    if not re.fullmatch(r"[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s,]+@[^<>@\s,]+", value):
        refuse(f"{name} is “{value}”; it must be an address, such as Sectors <sectors@example.org>.")
    return value


def load_object(name: str, place: str, is_one: Callable[[Any], bool], example: str) -> Any:
    """Load an object by its Python path, and check that it is of the wanted kind."""
    try:
        value = resolve_name(place)
    except (ValueError, ImportError, AttributeError) as error:
        refuse(f"{name} names “{place}”, which cannot be loaded ({error}); it must be a place such as {example}.")
    if not is_one(value):
        refuse(f"{name} names “{place}”, which is something else; it must be a place such as {example}.")
    return value


def mail(name: str, default: str) -> dict[str, Any]:
    """Django's email settings."""
    return _read_url(name, lambda: _env.email_url(name, default=default), "smtp+tls://user:password@host:587")


def json(name: str) -> dict[str, Any]:
    """A JSON object, empty if the variable is not set."""
    try:
        value = _env.json(name, default={})
    except (ValueError, ImproperlyConfigured):
        value = None
    if not isinstance(value, dict):
        refuse(f"{name} must be a JSON object.")
    return value


def anymail(name: str) -> dict[str, Any]:
    """The settings of django-anymail. A secret without a colon would block every report."""
    settings = json(name)
    secrets = settings.get("WEBHOOK_SECRET") or []
    for each in [secrets] if isinstance(secrets, str) else secrets:
        if not re.fullmatch(r"[^:]+:.+", str(each)):
            refuse(f"{name} must be a JSON object whose WEBHOOK_SECRET is user:password.")
    return settings


def key(name: str) -> str:
    """32 bytes in URL-safe base64; empty if the variable is not set."""
    value = text(name)
    try:
        is_whole = len(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))) == 32
    except ValueError:
        is_whole = False
    if value and not is_whole:
        refuse(f"{name} is no key: make one with ./dev manage push_key.")
    return value


def required(name: str, why: str) -> str:
    """A variable that a service cannot do without."""
    return text(name) or refuse(f"{name} is not set. {why}")


def _number(name: str, default: float, kind: Callable[[str], float], meaning: str) -> float:
    value = text(name)
    return _parse_number(name, value, kind, meaning) if value else default


def _parse_number(name: str, value: str, kind: Callable[[str], float], meaning: str) -> float:
    try:
        number = kind(value)
    except ValueError:
        number = -1
    if not 0 <= number < float("inf"):
        refuse(f"{name} is “{value.strip()}”; it must be {meaning}.")
    return number


def _above_zero(value: str) -> float:
    number = float(value)
    if number <= 0:
        raise ValueError(value)
    return number


def _read_url(name: str, read: Callable[[], Any], example: str) -> dict[str, Any]:
    try:
        with warnings.catch_warnings(action="ignore"):  # the warnings would show the value with its password
            return dict(read())
    except (ValueError, KeyError, ImproperlyConfigured):
        refuse(f"{name} must be an address such as {example}.")
