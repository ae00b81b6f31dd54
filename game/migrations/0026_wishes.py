import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

SWITCHES = {
    "mail_turns": ("turn", "missed", "started", "finished", "seat"),
    "mail_reminders": ("reminder",),
    "mail_mentions": ("mention",),
}


def switches_become_wishes(apps, schema_editor):
    User, Wish = apps.get_model("accounts", "User"), apps.get_model("game", "Wish")
    for switch, topics in SWITCHES.items():
        off = User.objects.filter(is_bot=False, is_guest=False, **{switch: False}).values_list("pk", flat=True)
        Wish.objects.bulk_create(
            Wish(user_id=user, topic=topic, channel="mail", how="off")
            for user in off.iterator()
            for topic in topics
        )


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0009_language'),
        ('game', '0025_paces'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Wish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('turn', 'A decision is yours'), ('reminder', 'A deadline is near'), ('missed', 'You missed a decision'), ('mention', 'A player mentions you'), ('started', 'A game starts'), ('finished', 'A game ends'), ('seat', 'Your seat or the game changes')], max_length=10)),
                ('channel', models.CharField(choices=[('mail', 'Email')], max_length=10)),
                ('how', models.CharField(choices=[('now', 'At once'), ('digest', 'Daily digest'), ('off', 'Off')], max_length=6)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddConstraint(
            model_name='wish',
            constraint=models.UniqueConstraint(fields=('user', 'game', 'topic', 'channel'), name='one_wish_per_game'),
        ),
        migrations.AddConstraint(
            model_name='wish',
            constraint=models.UniqueConstraint(condition=models.Q(('game', None)), fields=('user', 'topic', 'channel'), name='one_wish_for_all_games'),
        ),
        migrations.AddConstraint(
            model_name='wish',
            constraint=models.CheckConstraint(condition=models.Q(('how__in', ['now', 'digest', 'off'])), name='how_is_known'),
        ),
        migrations.RunPython(switches_become_wishes, migrations.RunPython.noop),
    ]
