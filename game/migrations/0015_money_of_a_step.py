from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("game", "0014_kept_clock"),
    ]

    operations = [
        migrations.AddField(
            model_name="loggedaction",
            name="transfers",
            field=models.BinaryField(null=True),
        ),
    ]
