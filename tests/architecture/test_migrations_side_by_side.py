"""A migration is applied while the release before it still serves, so it leaves standing what that release uses."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState

from tests.servers import ROOT

LAST_BEFORE = {"game": 1, "accounts": 1}
"""Nothing served before these."""
TAKES_AWAY = (
    migrations.RemoveField, migrations.RenameField, migrations.DeleteModel, migrations.RenameModel,
    migrations.AlterModelTable,
)  # fmt: skip
MARKER = re.compile(r"Unused since ([\w.]*\w)")
RELEASES = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))


def troubles(operations: Sequence[Any], state: ProjectState, app: str, told: str, releases: list[str]) -> Iterator[str]:
    """What in these operations the release before would stumble over. `told` is the migration's docstring: “Unused
    since 0.2.” names the release that stopped using what is taken away."""
    found = MARKER.search(told)
    is_marked = found is not None and found[1] in releases and found[1] != "Unreleased"
    for operation in operations:
        inner = getattr(operation, "database_operations", None)
        if inner is not None:
            yield from troubles(inner, state.clone(), app, told, releases)
        elif (why := _trouble(operation, state, app)) and not (is_marked and _is_freed(operation)):
            yield f"{operation.describe()}: {why}"
        operation.state_forwards(app, state)


def _trouble(operation: Any, state: ProjectState, app: str) -> str:
    if isinstance(operation, TAKES_AWAY) and not _keeps_table(operation, state, app):
        return "say in the migration since which release nothing uses it"
    if isinstance(operation, migrations.AddField) and _must_be_given(operation.field):
        return "the release before writes rows without it: give it a db_default, or let it be null"
    if isinstance(operation, migrations.AlterField):
        fields = state.models[app, operation.model_name_lower].fields
        was = fields[operation.name]
        if _must_be_given(operation.field) and not _must_be_given(was):
            return "the release before may still write nothing there: say since which release none does"
    return ""


def _keeps_table(operation: Any, state: ProjectState, app: str) -> bool:
    """Whether it renames a model alone, or gives its table the name that it has."""
    if isinstance(operation, migrations.RenameModel):
        return "db_table" in state.models[app, operation.old_name_lower].options
    if isinstance(operation, migrations.AlterModelTable):
        return bool(operation.table == f"{app}_{operation.name_lower}")
    return False


def _must_be_given(field: Any) -> bool:
    return not (field.null or field.many_to_many or field.primary_key or field.has_db_default())


def _is_freed(operation: Any) -> bool:
    """Whether time makes it harmless: nothing makes up for a value that is missing from rows that are written now."""
    return not isinstance(operation, migrations.AddField)


def test_no_later_migration_takes_anything_from_the_release_before() -> None:
    loader = MigrationLoader(None, replace_migrations=False)
    found = {}
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if int(name[:4]) > LAST_BEFORE.get(app, sys.maxsize):
            text = f"{sys.modules[type(migration).__module__].__doc__} {type(migration).__doc__}"
            state = loader.project_state(migration.dependencies)
            if result := list(troubles(migration.operations, state, app, text, RELEASES)):
                found[f"{app}.{name}"] = result
    assert not found


def before() -> ProjectState:
    """A table with a column that may be empty and one that may not."""
    fields = [("id", models.AutoField(primary_key=True)), ("size", models.IntegerField(null=True))]
    return ProjectState({("game", "thing"): ModelState("game", "Thing", [*fields, ("name", models.TextField())])})


OF_NOTHING = migrations.RunSQL("SELECT 1")
HARMLESS = (
    migrations.AddField("thing", "colour", models.TextField(null=True)),
    migrations.AddField("thing", "weight", models.IntegerField(db_default=0)),
    migrations.AlterField("thing", "name", models.CharField(max_length=9)),
    migrations.CreateModel("Other", [("id", models.AutoField(primary_key=True)), ("name", models.TextField())]),
    migrations.SeparateDatabaseAndState([OF_NOTHING], [migrations.RemoveField("thing", "name")]),
)
NEVER = (
    migrations.AddField("thing", "weight", models.IntegerField(default=0)),
    migrations.SeparateDatabaseAndState([migrations.AddField("thing", "weight", models.IntegerField(default=0))]),
)
ONE_RELEASE_LATER = (
    migrations.RemoveField("thing", "name"),
    migrations.RenameField("thing", "name", "title"),
    migrations.DeleteModel("Thing"),
    migrations.RenameModel("Thing", "Object"),
    migrations.AlterModelTable("thing", "objects"),
    migrations.AlterField("thing", "size", models.IntegerField()),
)


@pytest.mark.parametrize("told", ["", "Unused since 0.1."])
def test_what_the_release_before_does_not_notice_needs_no_words(told: str) -> None:
    for operation in HARMLESS:
        assert not list(troubles([operation], before(), "game", told, ["Unreleased", "0.1"]))


def test_a_model_may_be_renamed_whose_table_keeps_its_name() -> None:
    operations = [migrations.AlterModelTable("thing", "game_thing"), migrations.RenameModel("Thing", "Object")]
    assert not list(troubles(operations, before(), "game", "", []))
    assert list(troubles(operations[1:], before(), "game", "", []))


def test_a_column_that_must_be_given_is_never_added() -> None:
    for operation in NEVER:
        for told in ("", "Unused since 0.1."):
            assert list(troubles([operation], before(), "game", told, ["Unreleased", "0.1"]))


@pytest.mark.parametrize("operation", ONE_RELEASE_LATER, ids=lambda operation: type(operation).__name__)
def test_what_is_taken_away_names_an_earlier_release(operation: Any) -> None:
    for told, is_fine in {"": False, "Unused since Unreleased.": False, "Unused since 0.2.": False}.items():
        assert bool(list(troubles([operation], before(), "game", told, ["Unreleased", "0.1"]))) is not is_fine
    assert not list(troubles([operation], before(), "game", "Unused since 0.1.", ["Unreleased", "0.1"]))
