from typing import Any

import django.core.validators
from django.apps.registry import Apps
from django.db import migrations, models

import accounts.names


def compare(apps: Apps, schema_editor: Any) -> None:
    """The eldest account keeps a look; later ones that share it keep their names and go without."""
    users = apps.get_model("accounts", "User").objects
    seen: set[str] = set()
    for pk, name in list(users.order_by("pk").values_list("pk", "username")):
        skeleton = accounts.names.skeleton_of(name)
        if skeleton not in seen:
            seen.add(skeleton)
            users.filter(pk=pk).update(skeleton=skeleton)


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0003_zone_known'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='skeleton',
            field=models.CharField(editable=False, help_text='Equal for names that look alike; none where two already did when this was first compared.', max_length=500, null=True, unique=True),
        ),
        migrations.AlterField(
            model_name='user',
            name='username',
            field=models.CharField(max_length=24, unique=True, validators=[django.core.validators.RegexValidator("^(?!.*  )[^\\W_](?:[\\w .'-]*[^\\W_])?\\Z", 'Use letters, digits and single spaces; begin and end with a letter or a digit.'), accounts.names.validate_letters, accounts.names.validate_script], verbose_name='name'),
        ),
        migrations.RunPython(compare, migrations.RunPython.noop),
    ]
