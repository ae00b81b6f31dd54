"""A column that the release before does not know of; where `NEXT_RELEASE_BREAKS` is set, the second half fails."""

import os
from typing import Any

from django.db import migrations


def break_off(*_: Any) -> None:
    if "NEXT_RELEASE_BREAKS" in os.environ:
        raise RuntimeError("The second half of this migration fails.")


class Migration(migrations.Migration):
    dependencies = [("game", "0014_stand_ins")]
    operations = [
        migrations.RunSQL("ALTER TABLE game_game ADD COLUMN of_next_release integer NOT NULL DEFAULT 0"),
        migrations.RunPython(break_off),
    ]
