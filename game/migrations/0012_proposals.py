"""The proposals of a game, which were in three columns, are in one. The release before goes on in its columns, so they
stay in the table, with defaults, until nothing serves that uses them."""

from django.db import migrations, models

BATCH = 1000
FORMER = ("ending", "endings", "rewinding")


def proposal_of(old, kind, facts):
    """A proposal as it is stored now. Those of early releases do not say when they were made."""
    answers = {"agreed": old["agreed"], "declined": old.get("declined", [])}
    times = {"at": old.get("at", old["until"]), "until": old["until"]}
    return {
        "number": old["number"],
        "kind": kind,
        "by": old.get("by"),
        **answers,
        **times,
        "facts": {name: old[name] for name in facts if name in old},
    }


def proposals_of(game):
    proposals = {}
    if game.ending:
        kind = "voting_out" if "seat" in game.ending else "ending"
        proposals["ending"] = proposal_of(game.ending, kind, ("seat", "name"))
    if game.pause.get("proposal"):
        proposals["pause"] = proposal_of(game.pause["proposal"], game.pause["proposal"]["to"], ())
    if game.rewinding:
        facts = ("moderator", "reason", "serial", "turn", "phase")
        proposals["rewind"] = proposal_of(game.rewinding, "rewind", facts)
    return proposals


def convert(apps, schema_editor):
    games = apps.get_model("game", "Game").objects.using(schema_editor.connection.alias).order_by("pk")
    voting = games.exclude(ending={}, pause={}, rewinding={}, endings=0)
    voting, last = voting.only("ending", "endings", "rewinding", "pause"), 0
    while batch := list(voting.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        for game in batch:
            game.proposals = proposals_of(game)
            game.proposals_made = max(game.endings, game.pause.get("made", 0))
        games.bulk_update(batch, ["proposals", "proposals_made"])


class Migration(migrations.Migration):
    dependencies = [("game", "0011_log_remarks")]

    operations = [
        migrations.AddField(
            "game",
            "proposals",
            models.JSONField(
                db_default={}, default=dict, help_text="The open proposals by topic, with the votes: `proposals`."
            ),
        ),
        migrations.AddField(
            "game",
            "proposals_made",
            models.PositiveIntegerField(
                db_default=0, default=0, help_text="How many proposals its players have made."
            ),
        ),
        migrations.AlterField(
            "game",
            "pause",
            models.JSONField(default=dict, help_text="How long players have paused it altogether, and since when."),
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
        migrations.AlterField("game", "ending", models.JSONField(db_default={}, default=dict)),
        migrations.AlterField("game", "endings", models.PositiveIntegerField(db_default=0, default=0)),
        migrations.AlterField("game", "rewinding", models.JSONField(db_default={}, default=dict)),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField("game", name) for name in FORMER]
        ),
    ]
