"""When a person last saw a game: those who sit at one that runs have seen it as it is."""

from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def all_have_seen_everything(apps, schema_editor):
    game, seat = apps.get_model("game", "Game"), apps.get_model("game", "Seat")
    own = game.objects.filter(pk=OuterRef("game_id"))
    seat.objects.update(seen_version=Subquery(own.values("version")[:1]), seen_at=Subquery(own.values("moved_at")[:1]))


class Migration(migrations.Migration):
    dependencies = [("game", "0017_chat")]

    operations = [
        migrations.AddField(
            "seat",
            "seen_version",
            models.PositiveIntegerField(default=0, help_text="The game's version its person saw last."),
        ),
        migrations.AddField(
            "seat", "seen_at", models.DateTimeField(null=True, help_text="When that was new to them.")
        ),
        migrations.AddField(
            "seat",
            "away_version",
            models.PositiveIntegerField(
                null=True,
                help_text="The version from which the briefing begins that is on their page; none once put away.",
            ),
        ),
        migrations.AddField(
            "seat", "away_at", models.DateTimeField(null=True, help_text="When they were shown that version.")
        ),
        migrations.RunPython(all_have_seen_everything, migrations.RunPython.noop),
    ]
