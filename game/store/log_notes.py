"""Notes that the site writes to a game's log: stored in English, translated for each reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial

from django.utils import timezone

from game.engine.language import count, mark, say
from game.engine.phrases import turn_words
from game.engine.retelling import retelling
from game.i18n import FULL_DATE, LONG_DAY, date_words

RESIGNED = mark("{name} resigned. The caretaker plays this seat; what was submitted for it and not revealed is void.")
ACCOUNT_CLOSED = mark(
    "{name} left: the account was closed. The caretaker plays this seat; what was submitted for it and not revealed is "
    "void."
)
TAKEN_OVER = mark("{name} took the seat of {was} over; what was submitted for it and not revealed is void.")
MISSED_TWICE = mark("{name} missed two decisions in a row. The caretaker plays this seat until {name} is back.")
PROXY_MISSED_TWICE = mark(
    "{name} missed two decisions in a row. The caretaker plays this seat until {name} or {was} is back."
)
IS_BACK = mark("{name} is back and decides again.")
IS_BACK_AND_ON = mark("{name} is back and decides again. The game goes on.")
ALL_AWAY = mark("Away: {away}. The game is paused until somebody is back.")
ALL_RESIGNED = mark("Resigned: {resigned}. The game is paused until somebody is back.")
AWAY_OR_RESIGNED = mark("Away: {away}. Resigned: {resigned}. The game is paused until somebody is back.")
PROPOSED_ENDING = mark("{name} proposed to end the game without a result.")
WITHDREW_ENDING = mark("{name} withdrew the proposal to end the game.")
AGREES = mark("{name} agrees to end the game.")
AGREES_NO_LONGER = mark("{name} no longer agrees to end the game.")
ENDED = mark("All players who are present agreed to end the game. Nobody is placed.")
ALL_LEFT = mark(
    "Every player has left this game, and nobody else can join. This game has ended without a result. Nobody is placed."
)
PROPOSED_VOTING_OUT = mark("{name} proposed to vote {was} out of the game.")
WITHDREW_VOTING_OUT = mark("{name} withdrew the proposal to vote {was} out of the game.")
AGREES_TO_VOTE_OUT = mark("{name} agrees to vote {was} out of the game.")
AGREES_NO_LONGER_TO_VOTE_OUT = mark("{name} no longer agrees to vote {was} out of the game.")
VOTED_OUT = mark("All players who are present voted {was} out of the game. It takes effect when this phase is over.")
NOBODY_CAME = mark("Nobody came to this game any more before it had begun, so it was closed.")
PROPOSED_PAUSE = mark("{name} proposed to pause the game.")
PROPOSED_GOING_ON = mark("{name} proposed to let the game go on.")
WITHDREW_PAUSE = mark("{name} withdrew the proposal to pause the game.")
WITHDREW_GOING_ON = mark("{name} withdrew the proposal to let the game go on.")
AGREES_TO_PAUSE = mark("{name} agrees to pause the game.")
AGREES_TO_GO_ON = mark("{name} agrees to let the game go on.")
DECLINES_PAUSE = mark("{name} does not agree to pause the game.")
DECLINES_TO_GO_ON = mark("{name} does not agree to let the game go on.")
PAUSE_LAPSED = mark("Too many players declined the pause. The clock runs on.")
GOING_ON_LAPSED = mark("Too many players declined to let the game go on. The pause lasts on.")
VOTED_PAUSE = mark("The players paused the game, for {length} unless they agree to go on.")
VOTED_GOING_ON = mark("The players agreed to go on. The clock runs again.")
PAUSE_OVER = mark("The pause is over. The clock runs again.")
TOOK_MORE_TIME = mark("{name} needs longer: this phase lasts {more} more.")
TOOK_TIME_UNTIL = mark("{name} needs longer: this phase lasts until {until}.")
REPEATED = mark("{sentence} ({times} times)")
ON_VACATION = mark("{name} is on vacation from {first} to {last}. Deadlines wait.")
NO_VACATION = mark("{name} is not on vacation after all, or back early.")
SITE_WAS_AWAY = mark("The site was away for {length}: the deadline moved by {later}.")
SITE_WAS_AWAY_BEFORE = mark("The site was away for {length}. The deadline stays the same.")
LESSON_BEGINS = mark("The lesson begins.")
COPY_BEGINS = mark("The copy begins.")
COPY_GOES_BACK = mark("The copy goes back one phase.")

PAUSED = mark("Moderator {moderator} paused the game: {reason}")
RESUMED = mark("Moderator {moderator} resumed the game: {reason}")
EXTENDED = mark("Moderator {moderator} gave this phase {more} more: {reason}")
EXTENDED_UNTIL = mark("Moderator {moderator} gave this phase time until {until}: {reason}")
CLOSED_EARLY = mark("Moderator {moderator} closed this phase before its deadline: {reason}")
HELD = mark("Moderator {moderator} put the game on hold to look at it: {reason}")
LET_GO_ON = mark("Moderator {moderator} let the game on hold go on: {reason}")
REMOVED_GAME = mark("Moderator {moderator} removed this game: {reason}")
RESTORED = mark("Moderator {moderator} restored the game from its log; nothing was lost: {reason}")
REWOUND = mark("Moderator {moderator} rewound the game to {moment}; later submissions no longer count: {reason}")
ASKED_TO_REWIND = mark("Moderator {moderator} asks the players whether to go back to {moment}: {reason}")
AGREES_TO_REWIND = mark("{name} agrees to take the game back.")
DECLINES_TO_REWIND = mark("{name} does not agree to take the game back. The moderators decide.")
NEW_SECRET = mark("From here on draws come from a new secret. Its fingerprint: {fingerprint}")
GAVE_TO_BOT = mark(
    "Moderator {moderator} gave the seat of {was} to the bot {name}; what was submitted for it and not revealed is "
    "void: {reason}"
)
GAVE = mark(
    "Moderator {moderator} gave the seat of {was} to {name}; what was submitted for it and not revealed is void: "
    "{reason}"
)
PROXY_SET = mark("Moderator {moderator} lets {name} play the seat of {was} until {until}: {reason}")
PROXY_ENDED = mark("Moderator {moderator} gave the seat that {name} played back to {was}: {reason}")
PROXY_OWNER_BACK = mark("{was} is back and plays the seat again that {name} played.")
PROXY_GAVE_BACK = mark("{name} gave the seat back to {was}, who plays it again.")
PROXY_OVER = mark("{was} plays the seat again that {name} played for a time.")
SECRETS_READ = mark("On {day} moderators {moderator} and {second} read what was sealed in this game: {reason}")
MONEY_CORRECTED = mark("Moderator {moderator} put the money of {whose} right: {reason}")
RERUN_APPLIED = mark(
    "Moderator {moderator} put a corrected resolution in place; what was submitted since then no longer counts: "
    "{reason}"
)
MISS_EXCUSED = mark("Moderator {moderator} excused a missed decision of {name}: {reason}")
WITH_FACTS = (
    REPEATED,
    *(RESIGNED, ACCOUNT_CLOSED, TAKEN_OVER, PROXY_MISSED_TWICE, MISSED_TWICE, IS_BACK_AND_ON, IS_BACK),
    *(AWAY_OR_RESIGNED, ALL_AWAY, ALL_RESIGNED),
    *(WITHDREW_PAUSE, WITHDREW_GOING_ON),
    *(PROPOSED_PAUSE, PROPOSED_GOING_ON, AGREES_TO_PAUSE, AGREES_TO_GO_ON, VOTED_PAUSE),
    *(TOOK_MORE_TIME, TOOK_TIME_UNTIL),
    *(DECLINES_PAUSE, DECLINES_TO_GO_ON, ON_VACATION, NO_VACATION),
    *(PROPOSED_VOTING_OUT, WITHDREW_VOTING_OUT, AGREES_TO_VOTE_OUT, AGREES_NO_LONGER_TO_VOTE_OUT, VOTED_OUT),
    *(PROPOSED_ENDING, WITHDREW_ENDING, AGREES, AGREES_NO_LONGER, SITE_WAS_AWAY, SITE_WAS_AWAY_BEFORE),
    *(PAUSED, RESUMED, EXTENDED, EXTENDED_UNTIL, CLOSED_EARLY, HELD, LET_GO_ON, REMOVED_GAME, RESTORED, REWOUND),
    *(GAVE_TO_BOT, GAVE),
    *(PROXY_SET, PROXY_ENDED, PROXY_OWNER_BACK, PROXY_GAVE_BACK, PROXY_OVER),
    *(ASKED_TO_REWIND, AGREES_TO_REWIND, DECLINES_TO_REWIND, NEW_SECRET),
    *(SECRETS_READ, MISS_EXCUSED, MONEY_CORRECTED, RERUN_APPLIED),
)
MOMENT = re.compile(r"(?:\w+ ([\d,]+), )?phase ([^:]+): ([^:;]+)")
LENGTH = re.compile(r"([\d,]+) (second|minute|hour)s?")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
INSTANT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC")
INSTANT_FORMAT = "%Y-%m-%d %H:%M UTC"
DAYS = {"day", "first", "last", "until"}
LENGTHS: dict[str, Callable[[int], str]] = {
    "second": lambda n: count("{n} second", "{n} seconds", n),
    "minute": lambda n: count("{n} minute", "{n} minutes", n),
    "hour": lambda n: count("{n} hour", "{n} hours", n),
}


def translate_note(note: str, turn_title: str) -> str:
    """Translate a note of the log of a game that calls its turns so, in the reader's language."""
    return _retold(note, partial(_translate_fact, turn_title))


def translate_moment(written: str, turn_title: str) -> str:
    """Translate the start of a phase, such as `Turn 3, phase 9: Place stock orders`, where turns are called so."""
    match = MOMENT.fullmatch(written)
    if match is None:
        return written
    at, number, title = match.groups()
    phase = say("phase {number}: {title}", number=number, title=say(title))
    if not at:
        return phase
    return say("{turn}, {phase}", turn=turn_words(turn_title, int(at.replace(",", ""))), phase=phase)


def instant_text(at: datetime) -> str:
    """An instant as log notes store it."""
    return f"{at.astimezone(UTC):{INSTANT_FORMAT}}"


def instant_words(at: datetime) -> str:
    """`Friday 27 November, 20:00`, in the zone of the page."""
    here = timezone.localtime(at)
    return say("{date}, {clock}", date=date_words(here, LONG_DAY), clock=f"{here:%H:%M}")


def _translate_fact(turn_title: str, name: str, value: str) -> str:
    """Translate moments of the game, instants, lengths of time, days and whole sentences. Names of people and
    moderators' reasons stay as they are."""
    if name == "sentence":
        return translate_note(value, turn_title)
    if name == "moment":
        return translate_moment(value, turn_title)
    if name in DAYS and DAY.fullmatch(value):
        return date_words(date.fromisoformat(value), FULL_DATE)
    if name in DAYS and INSTANT.fullmatch(value):
        return instant_words(datetime.strptime(value, INSTANT_FORMAT).replace(tzinfo=UTC))
    match = LENGTH.fullmatch(value) if name in {"length", "later", "more"} else None
    if match is None:
        return value
    return LENGTHS[match[2]](int(match[1].replace(",", "")))


# Without its own pattern a moment would end at the colon before its title.
FORMS = {"moment": r"(?:\w+ [\d,]+, )?phase [^:]+: [^:;]+|.+?", "times": r"\d+"}
_retold = retelling(WITH_FACTS, fact=".+?", forms=FORMS)
