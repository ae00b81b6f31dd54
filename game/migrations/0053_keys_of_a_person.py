from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0052_rewinds_by_the_players'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='loggedaction',
            name='one_submission_per_token',
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(condition=models.Q(('token', ''), _negated=True), fields=('game', 'seat', 'serial', 'user', 'token'), name='one_submission_per_token'),
        ),
    ]
