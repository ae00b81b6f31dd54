from typing import Any

from django.apps.registry import Apps
from django.db import migrations

from accounts.addresses import folded
from accounts.refusals import digest_of


def fold(apps: Apps, schema_editor: Any) -> None:
    """Write every stored address as addresses are written from now on, unless another row has that form. A ban goes on
    for the form that is looked up."""
    refused = apps.get_model("accounts", "RefusedAddress").objects
    for label, model, column in (
        ("accounts", "User", "email"),
        ("account", "EmailAddress", "email"),
        ("accounts", "Bounce", "address"),
    ):
        rows = apps.get_model(label, model).objects
        for row in rows.exclude(**{column: ""}).iterator():
            was = getattr(row, column)
            now = folded(was)
            if now == was or rows.filter(**{f"{column}__iexact": now}).exclude(pk=row.pk).exists():
                continue
            rows.filter(pk=row.pk).update(**{column: now})
            owner = getattr(row, "user_id", row.pk if model == "User" else None)
            for ban in refused.filter(user=owner) if owner else ():
                refused.get_or_create(digest=digest_of(now), user_id=owner, defaults={"until": ban.until})


class Migration(migrations.Migration):

    dependencies = [
        ('account', '0009_emailaddress_unique_primary_email'),
        ('accounts', '0017_plain_words'),
    ]

    operations = [
        migrations.RunPython(fold, migrations.RunPython.noop),
    ]
