from django.db import migrations, models

PACES = ['live', 'demo', 'evening', 'daily', 'relaxed', 'custom', 'none']


def games_keep_their_clocks(apps, schema_editor):
    """Votes of daily games last a day from now on; in those that are stored they last half a day, as they did."""
    half = 12 * 60 * 60
    games = apps.get_model('game', 'Game').objects.filter(pace='daily', timing={})
    games.update(timing={'lengths': {'votes': half, 'distribution': half}})


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0024_kept_answers'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='timing',
            field=models.JSONField(default=dict, help_text='How its clocks differ from those of its pace.'),
        ),
        migrations.AddField(
            model_name='game',
            name='clock',
            field=models.JSONField(default=dict, help_text='What moved the deadline of the open phase: see `PhaseClock`.'),
        ),
        migrations.AlterField(
            model_name='game',
            name='pace',
            field=models.CharField(choices=[('live', 'Live'), ('demo', 'Quick'), ('evening', 'Evening'), ('daily', 'Daily'), ('relaxed', 'Relaxed'), ('custom', 'Custom'), ('none', 'No clock')], default='daily', max_length=8),
        ),
        migrations.RemoveConstraint(model_name='game', name='game_pace_is_known'),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('pace__in', PACES)), name='game_pace_is_known'),
        ),
        migrations.RunPython(games_keep_their_clocks, migrations.RunPython.noop, elidable=True),
    ]
