"""Who plays for somebody is a stand-in, as everywhere else. The table keeps its name, by which the release before
knows it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("game", "0013_seated_since")]

    operations = [
        migrations.AlterModelTable("Proxy", "game_proxy"),
        migrations.RenameModel("Proxy", "StandIn"),
        migrations.AlterModelOptions(
            name='standin',
            options={'ordering': ['game', 'number', 'began_at'], 'verbose_name_plural': 'stand-ins'},
        ),
        migrations.AlterField(
            model_name='notice',
            name='kind',
            field=models.CharField(choices=[('turn', 'a decision'), ('reminder', 'Reminder'), ('started', 'Started'), ('finished', 'Finished'), ('void', 'submissions no longer count'), ('away', 'the caretaker plays for you'), ('kept', 'the caretaker plays for your stand-in'), ('replaced', 'somebody took your seat'), ('mention', 'mentioned in the chat'), ('ending', 'somebody proposes to end the game or to vote somebody out'), ('missed', 'a decision was missed'), ('vote', 'somebody proposes to pause, or to go on'), ('paused', 'the game is paused'), ('resumed', 'the game goes on'), ('proxied', 'somebody plays your seat for you'), ('stands in', 'you play for somebody'), ('returned', 'your seat is yours again'), ('stood in', 'you play for somebody no more'), ('held', 'the game is on hold'), ('rewind', 'a moderator asks whether to rewind the game'), ('moved', 'a deadline moved after its reminder'), ('bounced', 'mail came back'), ('invited', 'invited to a game by name'), ('closing', 'a game that has not begun will be closed'), ('closed', 'a game was closed before it began')], max_length=10),
        ),
        migrations.AlterField(
            model_name='notice',
            name='serial',
            field=models.PositiveIntegerField(help_text='Of the phase; of a mention, the number of the message; of a stand-in or mail that came back, its row; of an invitation, whose it is; of a game that will be closed, how many were before.'),
        ),
    ]
