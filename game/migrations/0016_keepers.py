import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models

BEGUN = ("running", "paused", "held")


def seat_people(apps, schema_editor):
    """Whoever plays has been sitting there since the game began, as far as anybody knows."""
    seats = apps.get_model("game", "Seat").objects.filter(user__isnull=False, bot="", game__status__in=BEGUN)
    sittings = apps.get_model("game", "Sitting").objects
    sittings.bulk_create(
        [sittings.model(game_id=seat.game_id, number=seat.number, user_id=seat.user_id) for seat in seats.iterator()],
        batch_size=500,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0015_money_of_a_step'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='deserted_at',
            field=models.DateTimeField(help_text='Since when the game is paused because nobody is there.', null=True),
        ),
        migrations.AddField(
            model_name='game',
            name='keepers',
            field=models.JSONField(default=dict, help_text='Seat number to why the caretaker decides for it: a copy, as with bots.'),
        ),
        migrations.AddField(
            model_name='seat',
            name='keeper',
            field=models.CharField(blank=True, choices=[('away', 'away'), ('resigned', 'resigned')], max_length=8, verbose_name='caretaker, because'),
        ),
        migrations.AddField(
            model_name='seat',
            name='left_at',
            field=models.DateTimeField(null=True, verbose_name='away or resigned since'),
        ),
        migrations.AlterField(
            model_name='loggedaction',
            name='kind',
            field=models.CharField(choices=[('start', 'Start'), ('submit', 'Submit'), ('draft', 'draft of an absent player'), ('close', 'deadline'), ('clock', 'deadline moved'), ('moderation', 'Moderation'), ('rewind', 'Rewind'), ('handover', 'seat changed hands'), ('resign', 'seat given up'), ('keeper', 'caretaker comes or goes')], max_length=12),
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'a decision'), ('reminder', 'Reminder'), ('started', 'Started'), ('finished', 'Finished'), ('void', 'submissions no longer count'), ('away', 'the caretaker plays for you'), ('replaced', 'somebody took your seat')], max_length=10),
        ),
        migrations.CreateModel(
            name='Sitting',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 0.', verbose_name='seat')),
                ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('resigned', 'Resigned'), ('replaced', 'somebody else took the seat'), ('handed over', 'a moderator gave the seat away'), ('closed', 'the account was closed')], max_length=12)),
                ('decisions', models.PositiveIntegerField(default=0)),
                ('missed', models.PositiveIntegerField(default=0)),
                ('excused', models.PositiveIntegerField(default=0)),
                ('in_a_row', models.PositiveSmallIntegerField(default=0, verbose_name='missed in a row')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to='game.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sittings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['game', 'number', 'began_at'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'number'), name='one_sitting_at_a_time')],
            },
        ),
        migrations.RunPython(seat_people, migrations.RunPython.noop),
    ]
