from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0018_seat_visits'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='ending',
            field=models.JSONField(default=dict, help_text='The proposal to end the game, and who has agreed to it.'),
        ),
        migrations.AddField(
            model_name='game',
            name='endings',
            field=models.PositiveSmallIntegerField(default=0, help_text='Proposals to end the game so far.'),
        ),
        migrations.AlterField(
            model_name='loggedaction',
            name='kind',
            field=models.CharField(choices=[('start', 'Start'), ('submit', 'Submit'), ('draft', 'draft of an absent player'), ('close', 'deadline'), ('clock', 'deadline moved'), ('moderation', 'Moderation'), ('rewind', 'Rewind'), ('handover', 'seat changed hands'), ('resign', 'seat given up'), ('keeper', 'caretaker comes or goes'), ('ending', 'end by agreement')], max_length=12),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'a decision'), ('reminder', 'Reminder'), ('started', 'Started'), ('finished', 'Finished'), ('void', 'submissions no longer count'), ('away', 'the caretaker plays for you'), ('replaced', 'somebody took your seat'), ('mention', 'mentioned in the chat'), ('ending', 'somebody proposes to end the game')], max_length=10),
        ),
    ]
