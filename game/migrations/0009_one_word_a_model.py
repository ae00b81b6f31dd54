"""Models are called as the rest of the program calls what they store."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0008_one_device"),
    ]

    operations = [
        migrations.RenameModel("Bundle", "PackedSnapshots"),
        migrations.RenameModel("Volume", "PackedLog"),
        *(
            migrations.AlterField(
                model,
                "game",
                models.ForeignKey(
                    db_index=False,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name=related_name,
                    to="game.game",
                ),
            )
            for model, related_name in [("PackedSnapshots", "packed_snapshots"), ("PackedLog", "packed_logs")]
        ),
        migrations.RenameModel("KeptAnswer", "StoredResponse"),
        migrations.RenameModel("Rehearsal", "DryRun"),
        migrations.AlterField(
            "DryRun",
            "game",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="dry_run", to="game.game"
            ),
        ),
        migrations.RenameModel("SecondOpinion", "ApprovalRequest"),
        migrations.RenameModel("Sitting", "Tenure"),
        migrations.RenameModel("Trace", "Fingerprint"),
        migrations.AlterField(
            "Fingerprint",
            "user",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="fingerprints", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.RenameModel("Wish", "NotificationPreference"),
        *(
            migrations.AlterField(
                "NotificationPreference",
                name,
                models.ForeignKey(
                    null=is_for_all,
                    on_delete=django.db.models.deletion.CASCADE,
                    related_name="notification_preferences",
                    to=to,
                ),
            )
            for name, is_for_all, to in [("game", True, "game.game"), ("user", False, settings.AUTH_USER_MODEL)]
        ),
        migrations.AlterField(
            "Tenure",
            "game",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="tenures", to="game.game"),
        ),
        migrations.AlterField(
            "Tenure",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="tenures",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
    ]
