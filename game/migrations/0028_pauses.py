from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0027_notices_by_channel'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='pause',
            field=models.JSONField(default=dict, help_text='The proposal to pause or to go on, and how long players have paused it altogether.'),
        ),
        migrations.AddField(
            model_name='game',
            name='pause_ends_at',
            field=models.DateTimeField(help_text='When the pause ends by itself that players voted for.', null=True),
        ),
        migrations.AlterField(
            model_name='loggedaction',
            name='kind',
            field=models.CharField(choices=[('start', 'Start'), ('submit', 'Submit'), ('draft', 'draft of an absent player'), ('close', 'deadline'), ('clock', 'deadline moved'), ('moderation', 'Moderation'), ('rewind', 'Rewind'), ('handover', 'seat changed hands'), ('resign', 'seat given up'), ('keeper', 'caretaker comes or goes'), ('ending', 'end by agreement'), ('pause', 'pause or more time')], max_length=12),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('pause_ends_at__isnull', False)), fields=['pause_ends_at'], name='pauses_to_end'),
        ),
    ]
