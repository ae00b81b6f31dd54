"""The board's rows keep the columns that every game shares; what only Sectors has moves into `details`."""

from django.db import migrations, models
from django.db.models import F, Func, Value
from django.db.models.functions import JSONObject

COMPANY = ("tier", "ipo_price", "ipo", "market", "aside", "unit_price", "operating_cost", "prestige", "supply", "demand", "revenue")
ORDER = ("location", "sub_round", "contract", "paid", "margin")
CONTRACT = ("term", "strike", "premium", "bonus", "turns_left")


def move(apps, schema_editor):
    """In the database, one statement a table, or two: SQLite has no truth values, so JSON is told of them."""
    is_sqlite = schema_editor.connection.vendor == "sqlite"
    for has_loan in (True, False):
        truth = Func(Value("true" if has_loan else "false"), function="JSON") if is_sqlite else F("has_loan")
        companies = apps.get_model("game", "Company").objects.filter(has_loan=has_loan)
        companies.update(group=F("sector"), details=JSONObject(**{name: F(name) for name in COMPANY}, has_loan=truth))
    for table, names in (("Order", ORDER), ("Contract", CONTRACT)):
        apps.get_model("game", table).objects.update(details=JSONObject(**{name: F(name) for name in names}))


def details(table):
    return migrations.AddField(table, "details", models.JSONField(default=dict))


class Migration(migrations.Migration):
    dependencies = [("game", "0010_restore_from_log")]

    operations = [
        migrations.RemoveConstraint("company", "one_company_per_ticker"),
        migrations.RenameField("company", "ticker", "key"),
        migrations.AlterField("company", "key", models.CharField(max_length=24)),
        migrations.AddField("company", "group", models.CharField(blank=True, default="", max_length=40), preserve_default=False),
        migrations.AlterField("company", "status", models.CharField(max_length=30)),
        migrations.AlterField("company", "treasury", models.PositiveIntegerField(null=True)),
        migrations.AddConstraint("company", models.UniqueConstraint(fields=["game", "key"], name="one_company_per_key")),
        migrations.AlterField("holding", "company", models.CharField(max_length=24)),
        migrations.AlterField("order", "company", models.CharField(max_length=24)),
        migrations.AlterField("order", "kind", models.CharField(max_length=24, null=True)),
        migrations.AlterField("order", "side", models.CharField(max_length=8, null=True)),
        migrations.AlterField("contract", "company", models.CharField(max_length=24)),
        *map(details, ("company", "order", "contract")),
        migrations.RunPython(move),
        *(migrations.RemoveField("company", name) for name in ("sector", "has_loan", *COMPANY)),
        *(migrations.RemoveField("order", name) for name in ORDER),
        *(migrations.RemoveField("contract", name) for name in CONTRACT),
    ]
