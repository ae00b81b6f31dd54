"""Seats know when they last changed hands: what the rules told them alone before is not for who has them now. In games
that are over nothing is hidden, and their log is packed."""

from django.db import migrations, models
from django.db.models import Max

OVER = ("finished", "abandoned")


def convert(apps, schema_editor):
    alias = schema_editor.connection.alias
    games = apps.get_model("game", "Game").objects.using(alias)
    handovers = apps.get_model("game", "LoggedAction").objects.using(alias).filter(kind="handover")
    rows = handovers.exclude(game__status__in=OVER).order_by("game", "seat").values_list("game", "seat")
    seats_by_game = {}
    for game, seat, version in rows.annotate(newest=Max("version")):
        seats_by_game.setdefault(game, {})[str(seat)] = version
    for game, seats in seats_by_game.items():
        games.filter(pk=game).update(seated_since=seats)


class Migration(migrations.Migration):
    dependencies = [("game", "0012_proposals")]

    operations = [
        migrations.AddField(
            "game",
            "seated_since",
            models.JSONField(
                db_default={}, default=dict, help_text="Seat number to the version at which it last changed hands."
            ),
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
    ]
