import accounts.names
import accounts.time_zones
import django.contrib.auth.models
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='Bounce',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('address', models.EmailField(help_text='In lower case.', max_length=254, unique=True)),
                ('why', models.CharField(choices=[('unknown', 'the address does not exist or refuses mail'), ('spam', 'a mail was marked as spam there')], max_length=8)),
                ('words', models.CharField(blank=True, help_text='What was answered.', max_length=200)),
                ('at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.CreateModel(
            name='KeptName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('until', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name='WaitingMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token', models.UUIDField(default=uuid.uuid4, editable=False)),
                ('recipient', models.EmailField(max_length=254)),
                ('subject', models.TextField()),
                ('text', models.TextField()),
                ('page', models.TextField(blank=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField(db_index=True, default=django.utils.timezone.now)),
                ('handed_at', models.DateTimeField(help_text='When it was given to the mail server; without an answer it is never given again.', null=True)),
                ('expires_at', models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('username', models.CharField(max_length=24, unique=True, validators=[django.core.validators.RegexValidator("^(?!.*  )[^\\W_](?:[\\w .'-]*[^\\W_])?\\Z", 'Use letters, digits and single spaces; begin and end with a letter or a digit.'), accounts.names.validate_letters, accounts.names.validate_script], verbose_name='name')),
                ('skeleton', models.CharField(editable=False, help_text='Equal for names that look alike; none where two already did when this was first compared.', max_length=500, null=True, unique=True)),
                ('email', models.EmailField(blank=True, max_length=254, verbose_name='email address')),
                ('timezone', models.CharField(default='UTC', max_length=64, validators=[accounts.time_zones.validate_timezone], verbose_name='time zone')),
                ('zone_known', models.BooleanField(default=False, verbose_name='time zone chosen, or told by the browser')),
                ('theme', models.CharField(choices=[('auto', 'As my device'), ('light', 'Light'), ('dark', 'Dark')], default='auto', max_length=5)),
                ('language', models.CharField(choices=[('en', 'English'), ('de', 'Deutsch')], default='en', max_length=2, verbose_name='language')),
                ('quiet_from', models.PositiveSmallIntegerField(choices=[(0, '00:00'), (1, '01:00'), (2, '02:00'), (3, '03:00'), (4, '04:00'), (5, '05:00'), (6, '06:00'), (7, '07:00'), (8, '08:00'), (9, '09:00'), (10, '10:00'), (11, '11:00'), (12, '12:00'), (13, '13:00'), (14, '14:00'), (15, '15:00'), (16, '16:00'), (17, '17:00'), (18, '18:00'), (19, '19:00'), (20, '20:00'), (21, '21:00'), (22, '22:00'), (23, '23:00')], default=22, verbose_name='quiet from')),
                ('quiet_until', models.PositiveSmallIntegerField(choices=[(0, '00:00'), (1, '01:00'), (2, '02:00'), (3, '03:00'), (4, '04:00'), (5, '05:00'), (6, '06:00'), (7, '07:00'), (8, '08:00'), (9, '09:00'), (10, '10:00'), (11, '11:00'), (12, '12:00'), (13, '13:00'), (14, '14:00'), (15, '15:00'), (16, '16:00'), (17, '17:00'), (18, '18:00'), (19, '19:00'), (20, '20:00'), (21, '21:00'), (22, '22:00'), (23, '23:00')], default=8, verbose_name='quiet until')),
                ('digest_hour', models.PositiveSmallIntegerField(choices=[(0, '00:00'), (1, '01:00'), (2, '02:00'), (3, '03:00'), (4, '04:00'), (5, '05:00'), (6, '06:00'), (7, '07:00'), (8, '08:00'), (9, '09:00'), (10, '10:00'), (11, '11:00'), (12, '12:00'), (13, '13:00'), (14, '14:00'), (15, '15:00'), (16, '16:00'), (17, '17:00'), (18, '18:00'), (19, '19:00'), (20, '20:00'), (21, '21:00'), (22, '22:00'), (23, '23:00')], default=8, verbose_name='daily digest at')),
                ('stays_ready', models.BooleanField(default=False, verbose_name='tick “ready” for me when I submit')),
                ('shortcuts', models.BooleanField(default=True, verbose_name='keyboard shortcuts')),
                ('notes_seen', models.JSONField(default=list, editable=False, help_text='Which notes for newcomers were read; * for somebody who wants none.')),
                ('is_bot', models.BooleanField(default=False, verbose_name='bot')),
                ('is_guest', models.BooleanField(default=False, verbose_name='guest')),
                ('way_back', models.TextField(blank=True, db_default='', default='', editable=False, help_text='Where the first sign-in leads: to where they came from when they signed up.')),
                ('seen_at', models.DateTimeField(editable=False, help_text='Kept of guests alone.', null=True, verbose_name='last here')),
                ('banned_until', models.DateTimeField(editable=False, help_text="Until when a moderator's decision keeps them from playing.", null=True)),
                ('becomes', models.ForeignKey(editable=False, help_text='The account that this guest has signed up for; it takes their games over when it is signed in to.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='guests', to=settings.AUTH_USER_MODEL)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
            ],
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='Guest',
            fields=[
            ],
            options={
                'proxy': True,
                'indexes': [],
                'constraints': [],
            },
            bases=('accounts.user',),
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('prefix', models.CharField(help_text='How its text begins, for its owner to recognise it.', max_length=12)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('scopes', models.JSONField(default=list)),
                ('only_game', models.BigIntegerField(help_text='The number of the one game that it is for; empty: all.', null=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('used_on', models.DateField(help_text='The day of its last use, and nothing more exact.', null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='RefusedAddress',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('until', models.DateTimeField(db_index=True, help_text='Empty: as long as the account is closed.', null=True)),
                ('user', models.ForeignKey(help_text='Empty: it was deleted.', null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='SignInLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sign_in_links', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.AddIndex(
            model_name='user',
            index=models.Index(condition=models.Q(('is_guest', True)), fields=['seen_at'], name='guests_by_last_visit'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('username'), name='one_name_in_any_case', violation_error_message='That name is taken.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.UniqueConstraint(django.db.models.functions.text.Lower('email'), condition=models.Q(('email', ''), _negated=True), name='one_account_per_address', violation_error_message='That email address already has an account.'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('digest_hour__lt', 24), ('quiet_from__lt', 24), ('quiet_until__lt', 24)), name='hours_are_of_a_day'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('theme__in', ['auto', 'light', 'dark'])), name='theme_is_known'),
        ),
        migrations.AddConstraint(
            model_name='user',
            constraint=models.CheckConstraint(condition=models.Q(('language__in', ['en', 'de'])), name='language_is_known'),
        ),
        migrations.AddConstraint(
            model_name='refusedaddress',
            constraint=models.UniqueConstraint(fields=('digest', 'user'), name='one_refusal_per_address_and_account'),
        ),
    ]
