"""Rows that know which of their columns have changed since they were loaded or last written."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, Self

from django.db import models

from game.infra.statements import update

LOCKED = {"is_locked": models.Value(True)}
"""What a query for rows adds that locks them."""


class RemembersColumns(models.Model):
    """A row that writes back the columns that have changed, so that no caller lists them. A JSON value must be
    replaced, not changed in place, to be noticed."""

    _stored: dict[str, Any] = {}

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        super().save(*args, **kwargs)
        self._remember(kwargs.get("update_fields") or [field.attname for field in self._meta.concrete_fields])

    @classmethod
    def from_db(cls, db: str | None, field_names: Collection[str], values: Collection[Any], **more: Any) -> Self:
        row = super().from_db(db, field_names, values, **more)
        row._stored = dict(zip(field_names, values, strict=True))
        return row

    def write_changes(self, *also: str) -> dict[str, Any]:
        """Write the columns that differ from the row as it was loaded or last written, and these; a new row as a whole.
        Returns the former values of what differs. Within `write_batch` it is written with the batch."""
        if not self._stored:
            self.save()
        former = {name: value for name, value in self._stored.items() if _differs(getattr(self, name), value)}
        columns = (*also, *(name for name in former if name not in also))
        if columns:
            update(type(self), self.pk, columns, [getattr(self, name) for name in columns])
            self._remember(columns)
        return former

    def _remember(self, columns: Iterable[str]) -> None:
        """Remember the values of these columns as written."""
        self._stored = {**self._stored, **{name: getattr(self, name) for name in columns}}


class WrittenUnderLock(RemembersColumns):
    """A row that only code with its lock may write back: values read without the lock may be out of date."""

    is_locked = False  # whether it was loaded with its lock, or is new

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        is_new = self._state.adding
        super().save(*args, **kwargs)
        self.is_locked = self.is_locked or is_new

    def write_changes(self, *also: str) -> dict[str, Any]:
        """Write the columns that differ. Raises `RuntimeError`."""
        self.check_lock()
        return super().write_changes(*also)

    def check_lock(self) -> None:
        """Check that the row was loaded with its lock. Raises `RuntimeError`."""
        if not (self.is_locked or self._state.adding):
            raise RuntimeError(f"A {self._meta.verbose_name} is changed only by who has locked its row.")


def _differs(value: Any, stored: Any) -> bool:
    return value is not stored and value != stored
