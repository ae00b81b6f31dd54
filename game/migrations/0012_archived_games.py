from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("game", "0011_details_of_a_game")]

    operations = [
        migrations.RemoveIndex(model_name="game", name="games_to_thin"),
        migrations.RenameField(model_name="game", old_name="is_thinned", new_name="is_archived"),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("is_archived", False), ("status", "finished")), fields=["finished_at"], name="games_to_archive"
            ),
        ),
    ]
