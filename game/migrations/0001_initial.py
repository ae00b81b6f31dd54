"""All tables, as Django writes them for an empty database. A database of the release before has them already."""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
import game.store.seat_models
import game.store.game
import uuid
from django.conf import settings
from django.db import migrations, models


REPLACED = """
    0001_first 0002_notice_trouble 0003_bundles 0004_tokens_of_a_phase 0005_interventions 0006_handover
    0007_doors 0008_late_drafts 0009_steps_of_a_turn 0010_restore_from_log 0011_details_of_a_game
    0012_archived_games 0013_plain_labels 0014_kept_clock 0015_money_of_a_step 0016_keepers 0017_chat
    0018_seat_visits 0019_endings 0020_rematch 0021_lessons 0022_own_clock 0023_past_secrets 0024_kept_answers
    0025_paces 0026_wishes 0027_notices_by_channel 0028_pauses 0029_rehearsals 0030_times 0031_traces
    0032_the_desk 0033_volumes 0034_webhooks 0035_cases 0036_site_state 0037_ratings 0038_browsers
    0039_bot_accounts 0040_pause_notices 0041_corrections 0042_features 0043_detectors 0044_reliability_fades
    0045_households 0046_hearts_upkeep 0047_proxies 0048_closed_accounts 0049_kept_answers_whole
    0050_mail_that_games_stand_still 0051_acts_on_accounts 0052_rewinds_by_the_players 0053_keys_of_a_person
    0054_requests_for_a_proxy 0055_invited_by_name 0056_names_of_lists 0057_mail_that_came_back
    0058_webhook_states 0059_told_of_invitations 0060_told_again_at_one_version 0061_rules_of_a_game
    0062_idle_rooms 0063_rehearsed_again 0064_who_confirmed_a_sanction 0065_people_take_turns
    0066_told_of_the_caretaker 0067_kept_sanctions 0068_draws_on_record 0069_push_places
    0070_read_only_stops_deadlines 0071_webhooks_by_game 0072_push_failures_by_day 0073_plain_words
    0074_bots_by_person 0075_answers_of_visitors 0076_sessions_of_browsers 0077_cases_of_broken_requests
    0078_restored_and_fixed_sum 0079_many_proposals
"""


class Migration(migrations.Migration):
    replaces = [("game", name) for name in REPLACED.split()]

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='BotShare',
            fields=[
                ('person', models.BigIntegerField(primary_key=True, serialize=False)),
                ('dealt_at', models.DateTimeField()),
                ('until', models.DateTimeField(help_text='Empty: none of their jobs is under way.', null=True)),
            ],
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('ruleset', models.CharField(default='sectors', max_length=32)),
                ('ruleset_version', models.PositiveIntegerField(default=1)),
                ('schema', models.PositiveIntegerField(default=1)),
                ('options', models.JSONField(default=dict)),
                ('pace', models.CharField(choices=[('live', 'Live'), ('demo', 'Quick'), ('evening', 'Evening'), ('daily', 'Daily'), ('relaxed', 'Relaxed'), ('custom', 'Custom'), ('none', 'No clock')], default='daily', max_length=8)),
                ('timing', models.JSONField(default=dict, help_text='How its clocks differ from those of its pace.')),
                ('status', models.CharField(choices=[('waiting', 'waiting for players'), ('running', 'running'), ('finished', 'finished'), ('held', 'on hold'), ('paused', 'paused'), ('abandoned', 'cancelled')], default='waiting', max_length=12)),
                ('is_open', models.BooleanField(default=True, verbose_name='anyone may join')),
                ('is_rated', models.BooleanField(default=False, verbose_name='counts for ratings')),
                ('least_reliability', models.PositiveSmallIntegerField(default=0, help_text='Percent of decisions that who joins must have made in time; 0 asks for nothing.')),
                ('welcomes_newcomers', models.BooleanField(default=True, help_text='Whether people of whom too little is known may join all the same.')),
                ('lesson', models.CharField(blank=True, help_text='Its key, if it is a lesson and no game of people.', max_length=32)),
                ('is_learnt', models.BooleanField(default=False, verbose_name='lesson taken to its goal')),
                ('takes_bots', models.BooleanField(default=False, verbose_name='bots of other people may join')),
                ('keeps_clock', models.BooleanField(default=False, verbose_name='deadlines even alone against bots')),
                ('seats_wanted', models.PositiveSmallIntegerField()),
                ('bots', models.JSONField(default=dict, help_text='Seat number to bot: a copy, so that a move reads this row alone.')),
                ('keepers', models.JSONField(default=dict, help_text='Seat number to why the caretaker decides for it: a copy, as with bots.')),
                ('proxies', models.JSONField(default=dict, help_text='Seat number to who plays it for whom until when: a copy, as with bots.')),
                ('availability', models.JSONField(default=dict, help_text="Seat number to its person's vacations and hours: a copy, as with bots.")),
                ('ending', models.JSONField(default=dict, help_text='The proposal to end the game, and who has agreed to it.')),
                ('endings', models.PositiveIntegerField(default=0, help_text='Proposals to end the game so far.')),
                ('rewinding', models.JSONField(default=dict, help_text='The rewind that a moderator has put to the players, and who has agreed.')),
                ('pause', models.JSONField(default=dict, help_text='The proposal to pause or to go on, and how long players have paused it altogether.')),
                ('pause_ends_at', models.DateTimeField(help_text='When the pause ends by itself that players voted for.', null=True)),
                ('deserted_at', models.DateTimeField(help_text='Since when the game is paused because nobody is there.', null=True)),
                ('secret', models.CharField(default=game.store.game.new_secret, editable=False, max_length=64)),
                ('fixed_sum', models.BinaryField(db_default=b'', default=bytes, help_text='Of what stays as it is while the game is played.')),
                ('past_secrets', models.JSONField(default=list, editable=False, help_text='Secrets shown when the game had ended: up to which log entry, which.')),
                ('version', models.PositiveIntegerField(default=0, help_text='Grows when a stranger sees something new.')),
                ('entries', models.PositiveIntegerField(default=0, help_text='Length of the log.')),
                ('state', models.BinaryField(default=bytes)),
                ('inputs', models.BinaryField(default=bytes)),
                ('phase_row', models.PositiveSmallIntegerField(null=True)),
                ('phase_name', models.CharField(blank=True, max_length=40)),
                ('phase_serial', models.PositiveIntegerField(default=0)),
                ('branch', models.PositiveIntegerField(default=0)),
                ('turn', models.PositiveSmallIntegerField(default=0)),
                ('trail', models.JSONField(default=list)),
                ('phase_step', models.PositiveIntegerField(default=0, help_text='Actions carried out in the open phase, those taken back included.')),
                ('earlier', models.BinaryField(default=bytes, help_text='The states before the actions that can be taken back.')),
                ('ready', models.JSONField(default=list)),
                ('reviews', models.BooleanField(default=False)),
                ('seat_states', models.JSONField(default=list, help_text='What everybody may know of each seat: none, untouched, submitted, ready.')),
                ('bots_due', models.BooleanField(default=False)),
                ('is_archived', models.BooleanField(default=False, help_text='Whether its log has been made small after its end.')),
                ('course', models.JSONField(default=list, help_text='Prices and scores at the end of each turn, the current turn last.')),
                ('deadline_at', models.DateTimeField(null=True)),
                ('clock_since', models.DateTimeField(help_text='Since when the clock of the open phase has run.', null=True)),
                ('clock', models.JSONField(default=dict, help_text='What moved the deadline of the open phase: see `PhaseClock`.')),
                ('paused_left', models.DurationField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('not_before', models.DateTimeField(help_text='Until then no sweep takes it up: somebody is at it, or it has just failed.', null=True)),
                ('held_reason', models.CharField(blank=True, max_length=200)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('stirred_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), help_text='Before the start: when somebody last did something there, or a player opened it.')),
                ('closes_at', models.DateTimeField(help_text='When it is closed because nobody came before the start; its host was told.', null=True)),
                ('started_at', models.DateTimeField(null=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='hosted_games', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Heartbeat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(choices=[('clock', 'the clock process'), ('deadlines', 'Deadlines'), ('bots', 'Bots'), ('mail', 'Mail'), ('hooks', 'webhooks'), ('push', 'notifications of browsers'), ('upkeep', 'archiving and cleaning up')], max_length=12, unique=True)),
                ('beat_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='RatingBook',
            fields=[
                ('ruleset', models.CharField(max_length=32, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name='Silence',
            fields=[
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='silence', serialize=False, to=settings.AUTH_USER_MODEL)),
                ('until', models.DateTimeField()),
                ('reason', models.CharField(max_length=200)),
            ],
        ),
        migrations.CreateModel(
            name='SiteState',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('banner_en', models.CharField(blank=True, max_length=200, verbose_name='banner, in English')),
                ('banner_de', models.CharField(blank=True, max_length=200, verbose_name='banner, in German')),
                ('banner_until', models.DateTimeField(null=True)),
                ('is_read_only', models.BooleanField(default=False, help_text='Whether players can read only.')),
                ('is_stopped', models.BooleanField(db_default=False, default=False, help_text='Whether an admin stopped deadlines.')),
                ('stopped_since', models.DateTimeField(help_text='Since when no deadline closes a phase: because of either of these.', null=True)),
                ('restored', models.CharField(blank=True, db_default='', default='', help_text='A word that each restore from a backup changes.', max_length=16)),
                ('features_off', models.JSONField(default=list, help_text='What is switched off: keys of `game.site.features`.')),
            ],
            options={
                'verbose_name': 'site',
                'verbose_name_plural': 'the site',
            },
        ),
        migrations.CreateModel(
            name='Case',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(choices=[('player', "a player's report"), ('chat', 'a reported message'), ('detector', 'a detector'), ('bounce', 'mail that came back'), ('held', 'a game on hold'), ('broken', 'rules that failed on a request'), ('appeal', 'an appeal')], max_length=8)),
                ('kind', models.CharField(choices=[('pause', 'Pause the game'), ('replace', 'Replace an absent player'), ('proxy', 'Let somebody play my seat while I am away'), ('collusion', 'Players who help each other unfairly'), ('chat', 'Insults or spam'), ('rules', 'A rule is carried out wrongly'), ('name', 'Offensive name'), ('other', 'Something else')], default='other', max_length=9)),
                ('severity', models.PositiveSmallIntegerField(choices=[(1, 'urgent'), (2, 'high'), (3, 'normal'), (4, 'low')], default=3)),
                ('words', models.TextField(max_length=1000)),
                ('key', models.CharField(max_length=60, null=True, unique=True)),
                ('evidence', models.JSONField(default=dict)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField()),
                ('closed_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, choices=[('helped', 'helped: what was asked for is done'), ('nothing', 'nothing against the rules was found'), ('acted', 'against the rules: a moderator acted'), ('upheld', 'appeal: the decision stands'), ('lifted', 'appeal: the decision is taken back')], max_length=8)),
                ('exculpatory', models.TextField(blank=True, help_text='What speaks for those a case of collusion is about.')),
                ('reopened', models.PositiveSmallIntegerField(default=0)),
                ('assignee', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('people', models.ManyToManyField(related_name='cases', to=settings.AUTH_USER_MODEL)),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases_filed', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='cases', to='game.game')),
                ('games', models.ManyToManyField(help_text='Others that belong to it.', related_name='+', to='game.game')),
            ],
            options={
                'ordering': ['closed_at', 'due_at'],
            },
        ),
        migrations.CreateModel(
            name='CaseNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(max_length=1000)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='game.case')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Chat',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='chat', serialize=False, to='game.game')),
                ('is_off', models.BooleanField(default=False, help_text='Whether the host has switched it off.')),
                ('messages', models.PositiveIntegerField(default=0, help_text='How many have been written.')),
                ('version', models.PositiveIntegerField(default=0, help_text='Grows when its readers see something new.')),
            ],
        ),
        migrations.CreateModel(
            name='Comparison',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, serialize=False, to='game.game')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
            ],
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='invitation', serialize=False, to='game.game')),
                ('token', models.CharField(default=game.store.seat_models.new_token, editable=False, max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name='Bundle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('first', models.PositiveIntegerField(help_text='The log entry that opened the first of these phases.')),
                ('packed', models.BinaryField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='bundles', to='game.game')),
            ],
        ),
        migrations.CreateModel(
            name='SharedTable',
            fields=[
            ],
            options={
                'verbose_name': 'game with shared addresses',
                'verbose_name_plural': 'games with shared addresses',
                'permissions': [('can_see_hints', 'Can see which players share an address or a browser')],
                'proxy': True,
                'default_permissions': (),
                'indexes': [],
                'constraints': [],
            },
            bases=('game.game',),
        ),
        migrations.CreateModel(
            name='Company',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=24)),
                ('name', models.CharField(max_length=60)),
                ('group', models.CharField(blank=True, max_length=40)),
                ('status', models.CharField(max_length=30)),
                ('price', models.PositiveIntegerField()),
                ('treasury', models.PositiveIntegerField(null=True)),
                ('details', models.JSONField(default=dict)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='companies', to='game.game')),
            ],
            options={
                'verbose_name_plural': 'companies',
            },
        ),
        migrations.CreateModel(
            name='Contract',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('company', models.CharField(max_length=24)),
                ('shares', models.PositiveIntegerField()),
                ('owner', models.PositiveSmallIntegerField(null=True)),
                ('details', models.JSONField(default=dict)),
                ('is_gone', models.BooleanField(default=False)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='contracts', to='game.game')),
            ],
        ),
        migrations.CreateModel(
            name='Holding',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('company', models.CharField(max_length=24)),
                ('seat', models.PositiveSmallIntegerField()),
                ('shares', models.PositiveIntegerField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='holdings', to='game.game')),
            ],
        ),
        migrations.CreateModel(
            name='HouseholdLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('since', models.DateTimeField(null=True)),
                ('kept_until', models.DateTimeField(null=True)),
                ('by_moderator', models.BooleanField(default=False)),
                ('asked_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('two', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='InvitationStop',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitation_stops', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Invitee',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('invited_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('declined_at', models.DateTimeField(null=True)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitees', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='KeptAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=64)),
                ('fingerprint', models.CharField(max_length=64)),
                ('status', models.PositiveSmallIntegerField(default=0)),
                ('headers', models.JSONField(default=dict)),
                ('body', models.BinaryField(default=b'')),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(help_text='Empty: a visitor.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='KeptSanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(db_index=True, max_length=64)),
                ('kind', models.CharField(choices=[('warning', 'Warning'), ('mute', 'No writing in chats'), ('no_join', 'No joining of games'), ('ban', 'Ban'), ('closed', 'Account closed')], max_length=8)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField()),
                ('until', models.DateTimeField(db_index=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LearntLesson',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=32)),
                ('lesson', models.CharField(max_length=32)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='learnt_lessons', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='LoggedAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('start', 'Start'), ('submit', 'Submit'), ('draft', 'draft of an absent player'), ('close', 'deadline'), ('clock', 'deadline moved'), ('moderation', 'Moderation'), ('rewind', 'Rewind'), ('rerun', 'corrected resolution'), ('handover', 'seat changed hands'), ('resign', 'seat given up'), ('keeper', 'caretaker comes or goes'), ('ending', 'end by agreement'), ('pause', 'pause or more time'), ('rules', 'newer rules')], max_length=12)),
                ('branch', models.PositiveIntegerField()),
                ('serial', models.PositiveIntegerField()),
                ('turn', models.PositiveSmallIntegerField()),
                ('phase_name', models.CharField(blank=True, max_length=40)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('step', models.PositiveIntegerField(help_text='Which action of its phase it was, where seats act one after another.', null=True)),
                ('is_undone', models.BooleanField(default=False, help_text='Whether its seat took it back.')),
                ('action', models.BinaryField(null=True)),
                ('events', models.TextField(blank=True)),
                ('transfers', models.BinaryField(null=True)),
                ('draws', models.BinaryField(help_text='Empty where nothing was drawn; none where nobody wrote it down.', null=True)),
                ('note', models.CharField(blank=True, max_length=300)),
                ('snapshot', models.BinaryField(null=True)),
                ('opened_serial', models.PositiveIntegerField(null=True)),
                ('asks', models.JSONField(help_text='Seats whose decision it opened: the outbox entry, written with the move.', null=True)),
                ('is_told', models.BooleanField(default=True, help_text='Whether `asks` has become notices.')),
                ('back_to', models.PositiveIntegerField(help_text='The entry whose snapshot a rewind went back to.', null=True)),
                ('token', models.CharField(blank=True, max_length=64)),
                ('fingerprint', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='log', to='game.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'log entry',
                'verbose_name_plural': 'log entries',
                'ordering': ['game', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Message',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(choices=[('said', 'Said'), ('off', 'chat switched off'), ('on', 'chat switched on')], default='said', max_length=4)),
                ('text', models.TextField(blank=True)),
                ('turn', models.PositiveSmallIntegerField(default=0)),
                ('phase', models.CharField(blank=True, max_length=80)),
                ('is_after', models.BooleanField(default=False)),
                ('token', models.CharField(blank=True, max_length=64)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('removed_at', models.DateTimeField(null=True)),
                ('removed_why', models.CharField(blank=True, max_length=200)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='messages', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='messages', to='game.game')),
            ],
            options={
                'ordering': ['game', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Mention',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='mentions', to='game.message')),
            ],
        ),
        migrations.CreateModel(
            name='ModeratorAction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verb', models.CharField(max_length=32)),
                ('reason', models.CharField(max_length=300)),
                ('details', models.JSONField(default=dict)),
                ('before', models.JSONField(default=dict)),
                ('after', models.JSONField(default=dict)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='moderation', to='game.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-at'],
                'permissions': (('can_pause', 'Can pause a game'), ('can_resume', 'Can resume a paused game'), ('can_extend_deadline', 'Can extend a deadline'), ('can_resolve_now', 'Can close a phase before its deadline'), ('can_hold', 'Can put a game on hold'), ('can_retry', 'Can restart a game on hold'), ('can_hand_seat_to_bot', 'Can hand a seat to a bot'), ('can_hand_seat_to_user', 'Can hand a seat to another person'), ('can_set_proxy', 'Can let somebody play a seat for its player for a time'), ('can_end_proxy', 'Can give a seat back to the player whom somebody plays it for'), ('can_rewind_to', 'Can rewind a game'), ('can_restore_from_log', 'Can restore a damaged game from its log'), ('can_apply_rerun', 'Can put a corrected resolution in place of one'), ('can_correct_money', 'Can put the money of a player or a company right'), ('can_remove_table', 'Can remove a game that has not started'), ('can_close_account', 'Can close an account'), ('can_change_identity', 'Can change the name or the address of an account'), ('can_take_second_factor', 'Can take the second factors of an account away'), ('can_lift_bounce', 'Can send mail again to an address that refused it'), ('can_change_powers', 'Can make somebody staff or a superuser, or change their groups'), ('can_remove_message', 'Can remove a reported message'), ('can_silence', 'Can silence a player in all chats for a time'), ('can_close_report', 'Can close a report without more'), ('can_handle_cases', 'Can work on cases'), ('can_warn', 'Can warn a player'), ('can_bar_from_joining', 'Can keep a player from joining games for a time'), ('can_ban', 'Can ban a player'), ('can_lift_sanction', 'Can end a sanction early'), ('can_excuse_miss', 'Can excuse a missed decision'), ('can_read_secrets', 'Can read sealed orders and hands of a running game'), ('can_export_bundle', 'Can export a game for engineers'), ('can_compare_players', 'Can compare what two players did'), ('can_link_players', 'Can record or end that two players share a home or a connection'), ('can_set_banner', 'Can put a banner on every page'), ('can_stop_resolving', 'Can stop all deadlines of the site, and let them run again'), ('can_switch_features', 'Can switch parts of the site off and on'), ('can_shift_deadlines', 'Can move the deadlines of all running games')),
            },
        ),
        migrations.CreateModel(
            name='Mute',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('muted', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Notebook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField(blank=True)),
                ('revision', models.PositiveIntegerField(default=0, help_text='Grows with each save.')),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notebooks', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Order',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('company', models.CharField(max_length=24)),
                ('turn', models.PositiveSmallIntegerField()),
                ('status', models.CharField(max_length=30)),
                ('kind', models.CharField(max_length=24, null=True)),
                ('side', models.CharField(max_length=8, null=True)),
                ('quantity', models.PositiveIntegerField(null=True)),
                ('price', models.PositiveIntegerField(null=True)),
                ('reason', models.CharField(blank=True, max_length=300)),
                ('details', models.JSONField(default=dict)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='orders', to='game.game')),
            ],
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
        migrations.CreateModel(
            name='PlayTimes',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('week', models.CharField(help_text='Hexadecimal.', max_length=42, verbose_name='hours')),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='play_times', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Proxy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 0.', verbose_name='seat')),
                ('began_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('until', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('end', models.CharField(blank=True, choices=[('expired', 'its time was over'), ('owner', 'the owner came back'), ('given back', 'Given Back'), ('moderator', 'a moderator ended it'), ('game over', 'Game Over'), ('closed', 'an account was closed')], max_length=12)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='stand_ins', to='game.game')),
                ('owner', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name_plural': 'proxies',
                'ordering': ['game', 'number', 'began_at'],
            },
        ),
        migrations.CreateModel(
            name='PushSubscription',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('endpoint', models.CharField(max_length=500, unique=True)),
                ('p256dh', models.CharField(max_length=90)),
                ('auth', models.CharField(max_length=30)),
                ('session', models.CharField(blank=True, db_default='', default='', help_text='Digest of the session that allowed it last.', max_length=32)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('has_taken', models.BooleanField(db_default=False, default=False)),
                ('refusals', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('failing_since', models.DateTimeField(help_text='The first failure since its last success.', null=True)),
                ('failed_on', models.DateField(help_text='The last day with a failure since then.', null=True)),
                ('failed_days', models.PositiveSmallIntegerField(db_default=0, default=0, help_text='How many such days there were.')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='push_subscriptions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Rating',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('ruleset', models.CharField(max_length=32)),
                ('mu', models.FloatField(default=25.0)),
                ('sigma', models.FloatField(default=8.333333333333334)),
                ('sure', models.FloatField(default=0.0, help_text='What they are at least, almost surely.')),
                ('games', models.PositiveIntegerField(default=0)),
                ('last_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='ratings', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='RatedResult',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 0.', verbose_name='seat')),
                ('rank', models.PositiveSmallIntegerField()),
                ('has_left', models.BooleanField(default=False, verbose_name='gave the seat up')),
                ('at', models.DateTimeField(help_text='When the game finished.')),
                ('mu', models.FloatField(default=25.0)),
                ('sigma', models.FloatField(default=8.333333333333334)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rated_results', to='game.game')),
                ('rating', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='game.rating')),
            ],
            options={
                'ordering': ['at', 'game', 'number'],
            },
        ),
        migrations.CreateModel(
            name='ReadMark',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(default=0)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Rehearsal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('serial', models.PositiveIntegerField(help_text='Of the phase.')),
                ('deadline_at', models.DateTimeField(help_text='Of that phase. Empty: it is to be tried again.', null=True)),
                ('at', models.DateTimeField()),
                ('has_failed', models.BooleanField(default=False)),
                ('told_serial', models.PositiveIntegerField(help_text='The last phase that the staff have an email about.', null=True)),
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='rehearsal', to='game.game')),
            ],
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='removals', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('reason', models.CharField(max_length=200)),
                ('text', models.TextField()),
                ('context', models.JSONField(default=list)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('closed_at', models.DateTimeField(null=True)),
                ('outcome', models.CharField(blank=True, max_length=40)),
                ('author', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('message', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reports', to='game.message')),
                ('reporter', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'reported message',
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Sanction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('warning', 'Warning'), ('mute', 'No writing in chats'), ('no_join', 'No joining of games'), ('ban', 'Ban'), ('closed', 'Account closed')], max_length=8)),
                ('reason', models.CharField(max_length=200)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
                ('until', models.DateTimeField(help_text='None for a warning.', null=True)),
                ('lifted_at', models.DateTimeField(null=True)),
                ('by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('case', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sanctions', to='game.case')),
                ('confirmed_by', models.ForeignKey(help_text='Where it took two.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('lifted_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sanctions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.AddField(
            model_name='case',
            name='appealed',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='appeal', to='game.sanction'),
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('bot', models.CharField(blank=True, max_length=32)),
                ('name', models.CharField(blank=True, help_text='A bot’s; of a bot account with its owner.', max_length=48)),
                ('keeper', models.CharField(blank=True, choices=[('away', 'away'), ('resigned', 'resigned')], max_length=8, verbose_name='caretaker, because')),
                ('left_at', models.DateTimeField(null=True, verbose_name='away or resigned since')),
                ('version', models.PositiveIntegerField(default=0, help_text='Grows when only this seat sees something new.')),
                ('seen_version', models.PositiveIntegerField(default=0, help_text="The game's version its person saw last.")),
                ('seen_at', models.DateTimeField(help_text='When that was new to them.', null=True)),
                ('away_version', models.PositiveIntegerField(help_text='The version from which the briefing begins that is on their page; none once put away.', null=True)),
                ('away_at', models.DateTimeField(help_text='When they were shown that version.', null=True)),
                ('place', models.PositiveSmallIntegerField(null=True)),
                ('score', models.IntegerField(null=True)),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='game.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='seats', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='Notice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('turn', 'a decision'), ('reminder', 'Reminder'), ('started', 'Started'), ('finished', 'Finished'), ('void', 'submissions no longer count'), ('away', 'the caretaker plays for you'), ('kept', 'the caretaker plays for your proxy'), ('replaced', 'somebody took your seat'), ('mention', 'mentioned in the chat'), ('ending', 'somebody proposes to end the game'), ('missed', 'a decision was missed'), ('vote', 'somebody proposes to pause, or to go on'), ('paused', 'the game is paused'), ('resumed', 'the game goes on'), ('proxied', 'somebody plays your seat for you'), ('stands in', 'you play for somebody'), ('returned', 'your seat is yours again'), ('stood in', 'you play for somebody no more'), ('held', 'the game is on hold'), ('rewind', 'a moderator asks whether to rewind the game'), ('moved', 'a deadline moved after its reminder'), ('bounced', 'mail came back'), ('invited', 'invited to a game by name'), ('closing', 'a game that has not begun will be closed'), ('closed', 'a game was closed before it began')], max_length=10)),
                ('serial', models.PositiveIntegerField(help_text='Of the phase; of a mention, the number of the message; of a proxy or mail that came back, its row; of an invitation, whose it is; of a game that will be closed, how many were before.')),
                ('channel', models.CharField(choices=[('mail', 'Email'), ('push', 'Browser'), ('hook', 'Webhooks')], default='mail', max_length=10)),
                ('due_at', models.DateTimeField()),
                ('in_digest', models.BooleanField(default=False, help_text="Whether it waits for its reader's hour.")),
                ('handed_at', models.DateTimeField(help_text='When it was given to the channel; without an answer it is never given again.', null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('cancelled_at', models.DateTimeField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('trouble', models.CharField(blank=True, help_text='The last answer of the mail server.', max_length=200)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to=settings.AUTH_USER_MODEL)),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='game.seat')),
            ],
            options={
                'ordering': ['-id'],
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('serial', models.PositiveIntegerField()),
                ('content', models.JSONField(default=list)),
                ('saved_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('is_sent', models.BooleanField(default=False, help_text='Whether it was submitted, after the deadline.')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='game.seat')),
            ],
        ),
        migrations.CreateModel(
            name='SecondOpinion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('what', models.CharField(choices=[('pause', 'pause a game'), ('resume', 'resume a paused game'), ('extend_deadline', 'extend a deadline'), ('resolve_now', 'close a phase before its deadline'), ('hold', 'put a game on hold'), ('retry', 'restart a game on hold'), ('hand_seat_to_bot', 'hand a seat to a bot'), ('hand_seat_to_user', 'hand a seat to another person'), ('set_proxy', 'let somebody play a seat for its player for a time'), ('end_proxy', 'give a seat back to the player whom somebody plays it for'), ('rewind_to', 'rewind a game'), ('restore_from_log', 'restore a damaged game from its log'), ('apply_rerun', 'put a corrected resolution in place of one'), ('correct_money', 'put the money of a player or a company right'), ('remove_table', 'remove a game that has not started'), ('close_account', 'close an account'), ('change_identity', 'change the name or the address of an account'), ('take_second_factor', 'take the second factors of an account away'), ('lift_bounce', 'send mail again to an address that refused it'), ('change_powers', 'make somebody staff or a superuser, or change their groups'), ('remove_message', 'remove a reported message'), ('silence', 'silence a player in all chats for a time'), ('close_report', 'close a report without more'), ('handle_cases', 'work on cases'), ('warn', 'warn a player'), ('bar_from_joining', 'keep a player from joining games for a time'), ('ban', 'ban a player'), ('lift_sanction', 'end a sanction early'), ('excuse_miss', 'excuse a missed decision'), ('read_secrets', 'read sealed orders and hands of a running game'), ('export_bundle', 'export a game for engineers'), ('compare_players', 'compare what two players did'), ('link_players', 'record or end that two players share a home or a connection'), ('set_banner', 'put a banner on every page'), ('stop_resolving', 'stop all deadlines of the site, and let them run again'), ('switch_features', 'switch parts of the site off and on'), ('shift_deadlines', 'move the deadlines of all running games')], max_length=32)),
                ('reason', models.CharField(max_length=200)),
                ('asked', models.JSONField(default=dict)),
                ('at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('answer', models.CharField(blank=True, choices=[('', 'waiting for a second person'), ('confirmed', 'Confirmed'), ('refused', 'Refused'), ('withdrawn', 'Withdrawn')], default='', max_length=10)),
                ('answered_at', models.DateTimeField(null=True)),
                ('ends_at', models.DateTimeField(null=True)),
                ('told_at', models.DateTimeField(null=True)),
                ('answered_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('asker', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('person', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'request for a second person',
                'verbose_name_plural': 'requests for a second person',
                'ordering': ['-id'],
            },
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
                ('made_weight', models.FloatField(db_default=0.0)),
                ('missed_weight', models.FloatField(db_default=0.0)),
                ('missed_on', models.DateField(null=True, verbose_name='last missed')),
                ('in_a_row', models.PositiveSmallIntegerField(default=0, verbose_name='missed in a row')),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sittings', to='game.game')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sittings', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['game', 'number', 'began_at'],
            },
        ),
        migrations.CreateModel(
            name='Trace',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('address', 'Address'), ('network', 'neighbouring addresses'), ('device', 'the same browser')], max_length=8)),
                ('digest', models.CharField(max_length=32)),
                ('day', models.DateField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='traces', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Vacation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('begins_at', models.DateTimeField()),
                ('ends_at', models.DateTimeField()),
                ('declared_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='vacations', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['begins_at'],
            },
        ),
        migrations.CreateModel(
            name='Volume',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField(help_text='From 0; a game that was damaged may have several.')),
                ('packed', models.BinaryField()),
                ('game', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='volumes', to='game.game')),
            ],
        ),
        migrations.CreateModel(
            name='Webhook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('url', models.CharField(max_length=500)),
                ('types', models.JSONField(default=list, help_text='What it is told of; everything where it names nothing.')),
                ('secret', models.CharField(max_length=64)),
                ('earlier_secret', models.CharField(blank=True, help_text='Signs as well, for a day after a change.', max_length=64)),
                ('rotated_at', models.DateTimeField(null=True)),
                ('state', models.CharField(choices=[('waiting', 'not confirmed yet'), ('active', 'active'), ('disabled', 'disabled')], default='waiting', max_length=8)),
                ('why', models.CharField(blank=True, help_text='Why it is disabled.', max_length=200)),
                ('challenge', models.CharField(max_length=43)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('failing_since', models.DateTimeField(help_text='The first failure since its last success.', null=True)),
                ('busy_until', models.DateTimeField(help_text='Until then its owner is sent no other message.', null=True)),
                ('served_at', models.DateTimeField(help_text='When a message for it was last taken up.', null=True)),
                ('slow_at', models.DateTimeField(help_text='When it last took more than two seconds to answer.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Delivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('type', models.CharField(max_length=24)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('serial', models.PositiveIntegerField(help_text='Of the phase that was open.', null=True)),
                ('version', models.PositiveIntegerField(null=True)),
                ('number', models.PositiveIntegerField(db_default=0, default=0, help_text='Of what may come again at one version: a message, a proposal.')),
                ('body', models.TextField(blank=True, help_text='Written before the first attempt, the same for all.')),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('due_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('tried_at', models.DateTimeField(null=True)),
                ('sent_at', models.DateTimeField(null=True)),
                ('cancelled_at', models.DateTimeField(help_text='It was no longer true, or its owner had turned it off.', null=True)),
                ('failed_at', models.DateTimeField(help_text='All attempts have failed.', null=True)),
                ('status', models.PositiveSmallIntegerField(help_text='The HTTP status of the last answer.', null=True)),
                ('trouble', models.CharField(blank=True, max_length=200)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
                ('webhook', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='game.webhook')),
            ],
            options={
                'verbose_name_plural': 'deliveries',
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Wish',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('topic', models.CharField(choices=[('turn', 'You must decide'), ('reminder', 'A deadline is near'), ('missed', 'You missed a decision'), ('mention', 'A player mentions you'), ('started', 'A game starts'), ('finished', 'A game ends'), ('seat', 'Your seat or the game changes'), ('invited', 'A player invites you to a game'), ('step', 'A phase closes')], max_length=10)),
                ('channel', models.CharField(choices=[('mail', 'Email'), ('push', 'Browser'), ('hook', 'Webhooks')], max_length=10)),
                ('how', models.CharField(choices=[('now', 'At once'), ('digest', 'Daily digest'), ('off', 'Off')], max_length=6)),
                ('game', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to='game.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='wishes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='BotAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('rulesets', models.JSONField(default=list)),
                ('paces', models.JSONField(default=list)),
                ('least_seats', models.PositiveSmallIntegerField(default=2)),
                ('most_seats', models.PositiveSmallIntegerField(default=8)),
                ('most_games', models.PositiveSmallIntegerField(default=1, help_text='At the same time.')),
                ('owner', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='bots', to=settings.AUTH_USER_MODEL)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='bot_account', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(('most_seats__gte', models.F('least_seats'))), name='bots_play_at_tables_that_exist')],
            },
        ),
        migrations.CreateModel(
            name='Rematch',
            fields=[
                ('game', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='rematch', serialize=False, to='game.game')),
                ('after', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='game.game')),
            ],
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['status', 'deadline_at'], name='due_games'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('bots_due', True), ('status', 'running')), fields=['moved_at'], name='games_with_idle_bots'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('pause_ends_at__isnull', False)), fields=['pause_ends_at'], name='pauses_to_end'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(condition=models.Q(('is_archived', False), ('status', 'finished')), fields=['finished_at'], name='games_to_archive'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['waiting', 'running', 'finished', 'held', 'paused', 'abandoned'])), name='game_status_is_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('pace__in', ['live', 'demo', 'evening', 'daily', 'relaxed', 'custom', 'none'])), name='game_pace_is_known'),
        ),
        migrations.AddConstraint(
            model_name='game',
            constraint=models.CheckConstraint(condition=models.Q(('deadline_at', None), ('status', 'running'), _connector='OR'), name='only_running_games_tick'),
        ),
        migrations.AddConstraint(
            model_name='bundle',
            constraint=models.UniqueConstraint(fields=('game', 'first'), name='one_bundle_per_stretch'),
        ),
        migrations.AddConstraint(
            model_name='company',
            constraint=models.UniqueConstraint(fields=('game', 'key'), name='one_company_per_key'),
        ),
        migrations.AddConstraint(
            model_name='contract',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_contract_per_number'),
        ),
        migrations.AddConstraint(
            model_name='holding',
            constraint=models.UniqueConstraint(fields=('game', 'company', 'seat'), name='one_holding_per_hand'),
        ),
        migrations.AddIndex(
            model_name='householdlink',
            index=models.Index(condition=models.Q(('kept_until__isnull', False)), fields=['kept_until'], name='links_to_forget'),
        ),
        migrations.AddConstraint(
            model_name='householdlink',
            constraint=models.CheckConstraint(condition=models.Q(('one__lt', models.F('two'))), name='two_people_in_one_order'),
        ),
        migrations.AddConstraint(
            model_name='householdlink',
            constraint=models.UniqueConstraint(condition=models.Q(('kept_until', None)), fields=('one', 'two'), name='one_open_link_a_pair'),
        ),
        migrations.AddConstraint(
            model_name='invitationstop',
            constraint=models.UniqueConstraint(fields=('user', 'host'), name='one_stop_per_host'),
        ),
        migrations.AddConstraint(
            model_name='invitationstop',
            constraint=models.UniqueConstraint(condition=models.Q(('host', None)), fields=('user',), name='one_stop_of_all'),
        ),
        migrations.AddConstraint(
            model_name='invitee',
            constraint=models.UniqueConstraint(fields=('game', 'user'), name='one_invitation_per_person'),
        ),
        migrations.AddConstraint(
            model_name='keptanswer',
            constraint=models.UniqueConstraint(fields=('user', 'key'), name='one_answer_per_key'),
        ),
        migrations.AddConstraint(
            model_name='keptanswer',
            constraint=models.UniqueConstraint(condition=models.Q(('user', None)), fields=('key',), name='one_answer_per_visitors_key'),
        ),
        migrations.AddConstraint(
            model_name='learntlesson',
            constraint=models.UniqueConstraint(fields=('user', 'ruleset', 'lesson'), name='one_mark_per_lesson'),
        ),
        migrations.AddIndex(
            model_name='loggedaction',
            index=models.Index(condition=models.Q(('is_told', False)), fields=['id'], name='entries_to_tell'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_entry_per_number'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(condition=models.Q(('token', ''), _negated=True), fields=('game', 'seat', 'serial', 'user', 'token'), name='one_submission_per_token'),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(fields=['author', 'at'], name='messages_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_message_per_number'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.UniqueConstraint(condition=models.Q(('token', ''), _negated=True), fields=('game', 'author', 'token'), name='one_message_per_token'),
        ),
        migrations.AddConstraint(
            model_name='mention',
            constraint=models.UniqueConstraint(fields=('message', 'user'), name='one_mention_per_message'),
        ),
        migrations.AddConstraint(
            model_name='mute',
            constraint=models.UniqueConstraint(fields=('game', 'user', 'muted'), name='one_mute_per_pair'),
        ),
        migrations.AddConstraint(
            model_name='notebook',
            constraint=models.UniqueConstraint(fields=('game', 'user'), name='one_notebook_per_player'),
        ),
        migrations.AddConstraint(
            model_name='order',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_order_per_number'),
        ),
        migrations.AddIndex(
            model_name='proxy',
            index=models.Index(condition=models.Q(('ended_at', None)), fields=['until'], name='proxies_to_end'),
        ),
        migrations.AddConstraint(
            model_name='proxy',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'number'), name='one_proxy_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='rating',
            index=models.Index(models.F('ruleset'), models.OrderBy(models.F('sure'), descending=True), models.F('id'), name='ratings_in_order'),
        ),
        migrations.AddConstraint(
            model_name='rating',
            constraint=models.UniqueConstraint(fields=('user', 'ruleset'), name='one_rating_per_ruleset'),
        ),
        migrations.AddIndex(
            model_name='ratedresult',
            index=models.Index(fields=['rating', 'at'], name='results_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='ratedresult',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_result_per_seat'),
        ),
        migrations.AddConstraint(
            model_name='ratedresult',
            constraint=models.UniqueConstraint(fields=('game', 'rating'), name='one_result_per_person'),
        ),
        migrations.AddConstraint(
            model_name='readmark',
            constraint=models.UniqueConstraint(fields=('game', 'user'), name='one_mark_per_reader'),
        ),
        migrations.AddConstraint(
            model_name='removal',
            constraint=models.UniqueConstraint(fields=('game', 'user'), name='one_removal_per_guest'),
        ),
        migrations.AddIndex(
            model_name='report',
            index=models.Index(fields=['reporter', 'at'], name='reports_of_a_person'),
        ),
        migrations.AddConstraint(
            model_name='report',
            constraint=models.UniqueConstraint(fields=('message', 'reporter'), name='one_report_per_reader'),
        ),
        migrations.AddIndex(
            model_name='sanction',
            index=models.Index(fields=['user', 'kind', 'until'], name='sanctions_of_a_person'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(condition=models.Q(('closed_at', None)), fields=['due_at'], name='open_cases'),
        ),
        migrations.AddIndex(
            model_name='case',
            index=models.Index(fields=['reporter', 'at'], name='cases_of_a_reporter'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_seat_per_number'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('game', 'user'), name='one_seat_per_person'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(condition=models.Q(('cancelled_at', None), ('handed_at', None), ('sent_at', None)), fields=['due_at'], name='notices_to_send'),
        ),
        migrations.AddIndex(
            model_name='notice',
            index=models.Index(fields=['user', 'handed_at'], name='notices_by_reader'),
        ),
        migrations.AddConstraint(
            model_name='notice',
            constraint=models.UniqueConstraint(fields=('seat', 'kind', 'serial', 'channel'), name='one_notice_per_occasion'),
        ),
        migrations.AddIndex(
            model_name='draft',
            index=models.Index(fields=['seat', 'serial'], name='drafts_of_a_phase'),
        ),
        migrations.AddIndex(
            model_name='secondopinion',
            index=models.Index(condition=models.Q(('answer', 'confirmed'), ('told_at', None), ('what', 'read_secrets')), fields=['game'], name='secret_views_to_tell'),
        ),
        migrations.AddConstraint(
            model_name='secondopinion',
            constraint=models.CheckConstraint(condition=models.Q(('answer', ''), ('answered_by', None), ('answer', 'withdrawn'), models.Q(('answered_by', models.F('asker')), _negated=True), _connector='OR'), name='nobody_confirms_their_own_request'),
        ),
        migrations.AddConstraint(
            model_name='sitting',
            constraint=models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('game', 'number'), name='one_sitting_at_a_time'),
        ),
        migrations.AddIndex(
            model_name='trace',
            index=models.Index(fields=['day'], name='traces_to_forget'),
        ),
        migrations.AddConstraint(
            model_name='trace',
            constraint=models.UniqueConstraint(fields=('user', 'kind', 'digest', 'day'), name='one_trace_a_day'),
        ),
        migrations.AddConstraint(
            model_name='vacation',
            constraint=models.CheckConstraint(condition=models.Q(('ends_at__gt', models.F('begins_at'))), name='vacations_end_after_they_begin'),
        ),
        migrations.AddConstraint(
            model_name='volume',
            constraint=models.UniqueConstraint(fields=('game', 'number'), name='one_volume_per_number'),
        ),
        migrations.AddIndex(
            model_name='delivery',
            index=models.Index(condition=models.Q(('cancelled_at', None), ('failed_at', None), ('sent_at', None)), fields=['due_at'], name='deliveries_to_send'),
        ),
        migrations.AddConstraint(
            model_name='delivery',
            constraint=models.UniqueConstraint(fields=('webhook', 'type', 'game', 'seat', 'serial', 'version', 'number'), name='one_delivery_per_occasion'),
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
    ]
