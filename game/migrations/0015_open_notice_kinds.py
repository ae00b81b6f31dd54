"""A new kind of notice needs no migration. No table changes."""

from django.db import migrations, models

import game.store.log


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0001_squashed_0014_stand_ins"),
    ]

    operations = [
        migrations.AlterField(
            model_name="notice",
            name="kind",
            field=models.CharField(choices=game.store.log.kinds_of_notices, max_length=10),
        ),
        migrations.AlterField(
            model_name="notice",
            name="serial",
            field=models.PositiveIntegerField(help_text="Of the phase or of its subject, by its kind."),
        ),
    ]
