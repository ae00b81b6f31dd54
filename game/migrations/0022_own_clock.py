from django.db import migrations, models
from django.db.models import F
from django.db.models.functions import Coalesce, Now


def clocks_have_run_since_the_last_move(apps, schema_editor):
    running = apps.get_model("game", "Game").objects.exclude(deadline_at=None)
    running.update(clock_since=Coalesce(F("moved_at"), F("started_at"), Now()))


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0021_lessons'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='clock_since',
            field=models.DateTimeField(help_text='Since when the clock of the open phase has run.', null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='not_before',
            field=models.DateTimeField(help_text='Until then no sweep takes it up: somebody is at it, or it has just failed.', null=True),
        ),
        migrations.RunPython(clocks_have_run_since_the_last_move, migrations.RunPython.noop, elidable=True),
        migrations.AddField(
            model_name='heartbeat',
            name='name',
            field=models.CharField(choices=[('clock', 'the clock process'), ('deadlines', 'Deadlines'), ('bots', 'Bots'), ('mail', 'Mail')], default='clock', max_length=12, unique=True),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('began_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField()),
                ('moved_up_to', models.BigIntegerField(default=0, help_text='The games up to this number have been moved.')),
                ('settled_at', models.DateTimeField(null=True)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('settled_at', None)), fields=['id'], name='outages_to_settle')],
            },
        ),
    ]
