"""Models are called as the rest of the program calls what they store."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0008_one_device"),
    ]

    operations = [
        migrations.RenameModel("KeptAnswer", "StoredResponse"),
        migrations.RenameModel("SecondOpinion", "ApprovalRequest"),
        migrations.RenameModel("Sitting", "Tenure"),
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
