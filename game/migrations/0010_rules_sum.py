"""The ruleset and the clock of a game get a checksum. Games that had begun before have none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("game", "0009_one_word_a_model")]

    operations = [
        migrations.AddField(
            "game",
            "rules_sum",
            models.BinaryField(
                db_default=b"",
                default=bytes,
                editable=False,
                help_text="Of the ruleset and the clock that it was started with.",
            ),
        ),
    ]
