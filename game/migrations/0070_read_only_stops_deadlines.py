from django.db import migrations, models
from django.db.models.functions import Now


def note_why(apps, schema_editor):
    state = apps.get_model("game", "SiteState")
    state.objects.exclude(stopped_since=None).update(is_stopped=True)
    state.objects.filter(is_read_only=True, stopped_since=None).update(stopped_since=Now())


class Migration(migrations.Migration):

    dependencies = [
        ('game', '0069_push_places'),
    ]

    operations = [
        migrations.AddField(
            model_name='sitestate',
            name='is_stopped',
            field=models.BooleanField(db_default=False, default=False, help_text='Whether an admin stopped deadlines.'),
        ),
        migrations.AlterField(
            model_name='sitestate',
            name='stopped_since',
            field=models.DateTimeField(help_text='Since when no deadline closes a phase: because of either of these.', null=True),
        ),
        migrations.RunPython(note_why, migrations.RunPython.noop),
    ]
