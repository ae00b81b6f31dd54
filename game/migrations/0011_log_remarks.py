"""Notes of the log get the id of their sentence and its facts. Those of before are read by these patterns, once; what no
pattern fits stays in English alone."""

import re
from datetime import datetime

from django.db import migrations, models

SENTENCES = {
    "RESIGNED": (
        "{name} resigned. The caretaker plays this seat; what was submitted for it and not "
        "revealed is void."
    ),
    "ACCOUNT_CLOSED": (
        "{name} left: the account was closed. The caretaker plays this seat; what was submitted "
        "for it and not revealed is void."
    ),
    "TAKEN_OVER": "{name} took the seat of {was} over; what was submitted for it and not revealed is void.",
    "PROXY_MISSED_TWICE": (
        "{name} missed two decisions in a row. The caretaker plays this seat until {name} or "
        "{was} is back."
    ),
    "MISSED_TWICE": (
        "{name} missed two decisions in a row. The caretaker plays this seat until {name} is "
        "back."
    ),
    "IS_BACK_AND_ON": "{name} is back and decides again. The game goes on.",
    "IS_BACK": "{name} is back and decides again.",
    "AWAY_OR_RESIGNED": "Away: {away}. Resigned: {resigned}. The game is paused until somebody is back.",
    "ALL_AWAY": "Away: {away}. The game is paused until somebody is back.",
    "ALL_RESIGNED": "Resigned: {resigned}. The game is paused until somebody is back.",
    "WITHDREW_PAUSE": "{name} withdrew the proposal to pause the game.",
    "WITHDREW_GOING_ON": "{name} withdrew the proposal to let the game go on.",
    "PROPOSED_PAUSE": "{name} proposed to pause the game.",
    "PROPOSED_GOING_ON": "{name} proposed to let the game go on.",
    "AGREES_TO_PAUSE": "{name} agrees to pause the game.",
    "AGREES_TO_GO_ON": "{name} agrees to let the game go on.",
    "VOTED_PAUSE": "The players paused the game, for {length} unless they agree to go on.",
    "TOOK_MORE_TIME": "{name} needs longer: this phase lasts {more} more.",
    "TOOK_TIME_UNTIL": "{name} needs longer: this phase lasts until {until}.",
    "DECLINES_PAUSE": "{name} does not agree to pause the game.",
    "DECLINES_TO_GO_ON": "{name} does not agree to let the game go on.",
    "ON_VACATION": "{name} is on vacation from {first} to {last}. Deadlines wait.",
    "NO_VACATION": "{name} is not on vacation after all, or back early.",
    "PROPOSED_VOTING_OUT": "{name} proposed to vote {was} out of the game.",
    "WITHDREW_VOTING_OUT": "{name} withdrew the proposal to vote {was} out of the game.",
    "AGREES_NO_LONGER_TO_VOTE_OUT": "{name} no longer agrees to vote {was} out of the game.",
    "AGREES_TO_VOTE_OUT": "{name} agrees to vote {was} out of the game.",
    "VOTED_OUT": (
        "All players who are present voted {was} out of the game. It takes effect when this phase"
        " is over."
    ),
    "PROPOSED_ENDING": "{name} proposed to end the game without a result.",
    "WITHDREW_ENDING": "{name} withdrew the proposal to end the game.",
    "AGREES_NO_LONGER_TO_END": "{name} no longer agrees to end the game.",
    "AGREES_TO_END": "{name} agrees to end the game.",
    "SITE_WAS_AWAY": "The site was away for {length}: the deadline moved by {later}.",
    "SITE_WAS_AWAY_BEFORE": "The site was away for {length}. The deadline stays the same.",
    "MODERATOR_PAUSED": "Moderator {moderator} paused the game: {reason}",
    "MODERATOR_RESUMED": "Moderator {moderator} resumed the game: {reason}",
    "EXTENDED": "Moderator {moderator} gave this phase {more} more: {reason}",
    "EXTENDED_UNTIL": "Moderator {moderator} gave this phase time until {until}: {reason}",
    "CLOSED_EARLY": "Moderator {moderator} closed this phase before its deadline: {reason}",
    "MODERATOR_HELD": "Moderator {moderator} put the game on hold to look at it: {reason}",
    "TOOK_OFF_HOLD": "Moderator {moderator} let the game on hold go on: {reason}",
    "REMOVED_GAME": "Moderator {moderator} removed this game: {reason}",
    "RESTORED": "Moderator {moderator} restored the game from its log; nothing was lost: {reason}",
    "REWOUND": (
        "Moderator {moderator} rewound the game to {moment}; later submissions no longer count: "
        "{reason}"
    ),
    "GAVE_SEAT_TO_BOT": (
        "Moderator {moderator} gave the seat of {was} to the bot {name}; what was submitted for "
        "it and not revealed is void: {reason}"
    ),
    "GAVE_SEAT": (
        "Moderator {moderator} gave the seat of {was} to {name}; what was submitted for it and "
        "not revealed is void: {reason}"
    ),
    "PROXY_SET": "Moderator {moderator} lets {name} play the seat of {was} until {until}: {reason}",
    "PROXY_ENDED": "Moderator {moderator} gave the seat that {name} played back to {was}: {reason}",
    "PROXY_OWNER_BACK": "{was} is back and plays the seat again that {name} played.",
    "PROXY_GAVE_BACK": "{name} gave the seat back to {was}, who plays it again.",
    "PROXY_OVER": "{was} plays the seat again that {name} played for a time.",
    "ASKED_TO_REWIND": "Moderator {moderator} asks the players whether to go back to {moment}: {reason}",
    "AGREES_TO_REWIND": "{name} agrees to take the game back.",
    "DECLINES_TO_REWIND": "{name} does not agree to take the game back. The moderators decide.",
    "NEW_SECRET": "From here on draws come from a new secret. Its fingerprint: {fingerprint}",
    "SECRETS_READ": "On {day} moderators {moderator} and {second} read what was sealed in this game: {reason}",
    "MISS_EXCUSED": "Moderator {moderator} excused a missed decision of {name}: {reason}",
    "MONEY_CORRECTED": "Moderator {moderator} put the money of {whose} right: {reason}",
    "RERUN_APPLIED": (
        "Moderator {moderator} put a corrected resolution in place; what was submitted since then"
        " no longer counts: {reason}"
    ),
    "ENDED_BY_AGREEMENT": "All players who are present agreed to end the game. Nobody is placed.",
    "ALL_LEFT": (
        "Every player has left this game, and nobody else can join. This game has ended without a"
        " result. Nobody is placed."
    ),
    "NOBODY_CAME": "Nobody came to this game any more before it had begun, so it was closed.",
    "PAUSE_LAPSED": "Too many players declined the pause. The clock runs on.",
    "GOING_ON_LAPSED": "Too many players declined to let the game go on. The pause lasts on.",
    "VOTED_GOING_ON": "The players agreed to go on. The clock runs again.",
    "PAUSE_OVER": "The pause is over. The clock runs again.",
    "LESSON_BEGINS": "The lesson begins.",
    "COPY_BEGINS": "The copy begins.",
    "COPY_GOES_BACK": "The copy goes back one phase.",
    "DRAWS_SEALED": "The draws of this game are sealed: {fingerprint}",
    "DAMAGED": (
        "Part of this game’s stored data is damaged. The game is on hold and its clock is "
        "stopped; a moderator can restore it from its log."
    ),
    "WENT_ON_HOLD": (
        "The game went on hold after an error on our side. Nothing was lost, and its clock "
        "stopped."
    ),
}
"""The sentences of the release before, those first that another one would fit as well."""
MOMENT = re.compile(r"(?:(\w+) ([\d,]+), )?phase ([^:]+): ([^:;]+)")
FORMS = {"moment": r"(?:\w+ [\d,]+, )?phase [^:]+: [^:;]+|.+?", "fingerprint": "[0-9a-f]{64}"}
COUNTED = re.compile(r"(.+) \((\d+) times\)")
LENGTH = re.compile(r"([\d,]+) (second|minute|hour)s?")
SECONDS = {"second": 1, "minute": 60, "hour": 3600}
DAY, INSTANT = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
BATCH = 1000


def pattern_of(sentence):
    names = set()

    def group(match):
        name = match[1]
        if name in names:
            return f"(?P={name})"
        names.add(name)
        return f"(?P<{name}>{FORMS.get(name, '.+?')})"

    return re.compile(re.sub(r"\\{(\w+)\\}", group, re.escape(sentence)))


PATTERNS = {name: pattern_of(sentence) for name, sentence in SENTENCES.items()}


def fact_of(name, text):
    if name in {"length", "later", "more"} and (length := LENGTH.fullmatch(text)):
        return int(length[1].replace(",", "")) * SECONDS[length[2]]
    if name in {"day", "first", "last", "until"} and INSTANT.fullmatch(text):
        return f"{datetime.strptime(text, '%Y-%m-%d %H:%M UTC'):%Y-%m-%dT%H:%M:%S+00:00}"
    if name == "moment" and (moment := MOMENT.fullmatch(text)):
        turn_name, turn, number, title = moment.groups()
        return {
            "turn": int((turn or "0").replace(",", "")),
            "turn_name": turn_name or "",
            "number": number,
            "title": title,
        }
    return text


def remark_of(note):
    """A note as JSON; None if it is none of those."""
    counted = COUNTED.fullmatch(note)
    sentence, times = (counted[1], int(counted[2])) if counted else (note, 1)
    for name, pattern in PATTERNS.items():
        if match := pattern.fullmatch(sentence):
            facts = {fact: fact_of(fact, text) for fact, text in match.groupdict().items()}
            return {"id": name, "facts": facts, "times": times}
    return None


def convert(apps, schema_editor):
    entries = apps.get_model("game", "LoggedAction").objects.using(schema_editor.connection.alias)
    notes, last = entries.filter(remark__isnull=True).exclude(note="").only("note").order_by("pk"), 0
    while batch := list(notes.filter(pk__gt=last)[:BATCH]):
        last = batch[-1].pk
        for entry in batch:
            entry.remark = remark_of(entry.note)
        entries.bulk_update([entry for entry in batch if entry.remark is not None], ["remark"])


class Migration(migrations.Migration):
    dependencies = [("game", "0010_rules_sum")]

    operations = [
        migrations.AddField(
            "loggedaction",
            "remark",
            models.JSONField(help_text="The note by the id of its sentence: `log_notes.Note`.", null=True),
        ),
        migrations.AlterField(
            "loggedaction",
            "note",
            models.CharField(
                blank=True,
                help_text="In English: for the desk's search, and for releases before notes had ids.",
                max_length=300,
            ),
        ),
        migrations.RunPython(convert, migrations.RunPython.noop),
    ]
