from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("game", "0078_restored_and_fixed_sum")]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="endings",
            field=models.PositiveIntegerField(default=0, help_text="Proposals to end the game so far."),
        )
    ]
