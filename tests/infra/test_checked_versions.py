"""The versions of Django and psycopg against which what is not part of their interface was checked. With another one:
read the names below in its source, run `tests/infra` and `tests/store`, then change the version here."""

import re
from importlib.metadata import version

import pytest

from tests.servers import ROOT

CHECKED = {"django": "5.2", "psycopg": "3.3"}
NAMES = {
    "game/infra/compiled.py": (
        "get_related_populators", "klass_info", "default_cols", "get_converters", "add_update_values", "UpdateQuery",
        "make_debug_cursor", "compose_sql",
    ),
    "game/infra/bound_cursors.py": ("_convert_query", "_query"),
}  # fmt: skip
"""By file: the names that its package does not promise."""


@pytest.mark.parametrize("package", CHECKED)
def test_the_installed_version_is_the_one_that_was_checked(package: str) -> None:
    assert re.match(r"\d+\.\d+", version(package))[0] == CHECKED[package]  # type: ignore[index]


def test_each_of_these_names_is_still_used() -> None:
    for file, names in NAMES.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert [name for name in names if not re.search(rf"\b{name}\b", text)] == [], file
