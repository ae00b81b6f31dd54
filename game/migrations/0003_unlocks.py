"""Games whose hosts open them to people who have not unlocked their options."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0002_rating_ladders'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='waives_unlocks',
            field=models.BooleanField(db_default=False, default=False, verbose_name='open to those it is locked to'),
        ),
    ]
