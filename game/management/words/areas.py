"""Maps files to catalogues: each catalogue lies beside its code."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

DESK_FILES = {
    "delivery": ("bounces",),
    "history": ("archive",),
    "moderation": (
        *("approvals", "break_glass", "cases", "chat_moderation", "collusion", "interventions", "multi_accounts"),
        *("name_erasure", "permissions", "repairs", "rewind", "roles", "sanctions", "seat_acts", "site_desk"),
    ),
    "people": ("account_closure", "identity", "two_people"),
    "seats": ("handover",),
}
"""Files with texts for staff only, by room."""
ENGLISH_ONLY = (
    *("game/admin", "game/management", "templates/admin", "templates/reports"),
    *(f"game/{room}/{name}.py" for room, names in DESK_FILES.items() for name in names),
)
"""The moderation desk and the commands. Rulebooks and scenarios are English too, but mark no text."""
SOURCES = ("accounts", "game", "sectors_site", "templates")
SUFFIXES = {".py", ".html", ".txt"}


def sources(root: Path) -> Iterator[Path]:
    """Every file that may contain texts for players, relative to the root."""
    for folder in SOURCES:
        for path in sorted((root / folder).rglob("*")):
            place = path.relative_to(root)
            if path.suffix in SUFFIXES and "migrations" not in place.parts and not is_english_only(place):
                yield place


def is_english_only(place: Path) -> bool:
    return place.as_posix().startswith(ENGLISH_ONLY)


def area_of(place: Path) -> Path:
    """The folder whose `locale/` holds the texts of a file."""
    top, *inner = place.parts
    if top == "accounts" or (top == "templates" and inner[0].startswith("account")):
        return Path("accounts")
    if top == "templates" and "boards" in inner[:-1]:
        return _board(inner[inner.index("boards") + 1])
    if top == "game" and inner[0] == "boards":
        return _board(inner[1] if len(inner) > 2 else "")
    if top == "game" and inner[0] == "rulesets" and len(inner) > 2:
        return Path("game/rulesets", inner[1])
    return Path("game/engine") if place.as_posix().startswith("game/engine") else Path()


def _board(key: str) -> Path:
    """The area of a game's board; shared parts belong to `game/boards`."""
    return Path("game/boards") if key in {"", "auto", "rulebook"} else Path("game/boards", key)
