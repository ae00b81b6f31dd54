"""Models are called as the rest of the program calls what they store. Their tables keep their names, by which the release
before knows them."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

RENAMED = [
    ("Bundle", "PackedSnapshots"),
    ("Volume", "PackedLog"),
    ("KeptAnswer", "StoredResponse"),
    ("Rehearsal", "DryRun"),
    ("SecondOpinion", "ApprovalRequest"),
    ("Sitting", "Tenure"),
    ("Trace", "Fingerprint"),
    ("Wish", "NotificationPreference"),
]


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0008_one_device"),
    ]

    operations = [
        *(
            operation
            for former, name in RENAMED
            for operation in (
                migrations.AlterModelTable(former, f"game_{former.lower()}"),
                migrations.RenameModel(former, name),
            )
        ),
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
        migrations.AlterField(
            "DryRun",
            "game",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="dry_run", to="game.game"
            ),
        ),
        migrations.AlterField(
            "Fingerprint",
            "user",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="fingerprints", to=settings.AUTH_USER_MODEL
            ),
        ),
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
