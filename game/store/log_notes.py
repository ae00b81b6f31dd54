"""Notes that the site writes to a game's log. Each is stored as the id of a sentence and its facts, and put into words
for each reader. A name of `Sentence` is stored: never change or reuse it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import Any

import msgspec
from django.utils import timezone

from game.engine.language import ENGLISH, count, mark, say, speaking
from game.engine.phrases import turn_words
from game.i18n import FULL_DATE, LONG_DAY, date_words
from game.store.notes_to_you import SENTENCES_TO

MAX_CHARACTERS = 300
"""Of the English text that is stored for the moderators' search."""
LENGTHS = frozenset({"length", "later", "more"})
"""Names of facts that are seconds."""
MOMENTS = frozenset({"day", "first", "last", "until"})
"""Names of facts that are a day or an instant, in ISO format."""
LISTS = frozenset({"away", "resigned"})
"""Names of facts that are several people, with commas."""


class PhaseStart(msgspec.Struct, frozen=True):
    """The start of a phase, as a fact of a note: the turn (0 before the first) with its English name, and the phase
    with its number and English title. If the rules no longer know it, `number` is empty and `title` is its name."""

    turn: int
    turn_name: str
    number: str
    title: str

    def words(self, turn_word: str) -> str:
        """`Turn 3, phase 9: Place stock orders`; `turn_word` is the game's word for a turn in the reader's language."""
        title = say(self.title)
        phase = say("phase {number}: {title}", number=self.number, title=title) if self.number else title
        return say("{turn}, {phase}", turn=turn_words(turn_word, self.turn), phase=phase) if self.turn else phase

    @property
    def english(self) -> str:
        """The note in English."""
        with speaking(ENGLISH):
            return self.words(self.turn_name)


class Note(msgspec.Struct, frozen=True):
    """A sentence by its id, its facts as JSON, and how often it was written in its phase."""

    id: str
    facts: dict[str, Any] = {}
    times: int = 1

    def words(self, turn_word: str, you: str = "") -> str:
        """The note in the reader's language; `turn_word` is the game's word for a turn. The person named `you` reads
        “you”; if it is empty, everybody is named."""
        facts = {name: _fact_words(name, value, turn_word) for name, value in self.facts.items()}
        facts |= {name: _with_you(facts[name], you) for name in self._naming(you) if name in LISTS}
        return _counted(say(self._sentence_to(you) or Sentence[self.id].value, **facts), self.times)

    def is_about(self, you: str) -> bool:
        """True if a reader of this name is whom the note is about."""
        return bool(self._sentence_to(you)) or any(name in LISTS for name in self._naming(you))

    def _sentence_to(self, you: str) -> str:
        return next((SENTENCES_TO[self.id, name] for name in self._naming(you) if (self.id, name) in SENTENCES_TO), "")

    def _naming(self, you: str) -> list[str]:
        """The facts that equal this name, or contain it in a list."""
        facts = self.facts.items() if you else ()
        return [name for name, value in facts if value == you or (name in LISTS and you in value.split(", "))]

    @property
    def english(self) -> str:
        """The note in English, with days and instants as `2026-12-02 18:30 UTC`."""
        with speaking(ENGLISH):
            facts = {name: english_fact(name, value) for name, value in self.facts.items()}
            return _counted(say(Sentence[self.id].value, **facts), self.times)[:MAX_CHARACTERS]

    def repeats(self, other: Note) -> bool:
        """True if the two differ at most in how often they were written."""
        return (self.id, self.facts) == (other.id, other.facts)

    def rewritten(self, rewrite: Callable[[str], str]) -> Note:
        """The note with its texts, such as names and reasons, rewritten."""
        facts = {name: rewrite(value) if isinstance(value, str) else value for name, value in self.facts.items()}
        return msgspec.structs.replace(self, facts=facts)

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of its log entry."""
        return {"note": self.english, "remark": msgspec.to_builtins(self)}


class Sentence(Enum):
    """The sentences of notes; the name of each is its stored id."""

    RESIGNED = mark(
        "{name} resigned. The caretaker plays this seat; what was submitted for it and not revealed is void."
    )
    ACCOUNT_CLOSED = mark(
        "{name} left: the account was closed. The caretaker plays this seat; what was submitted for it and not "
        "revealed is void."
    )
    TAKEN_OVER = mark("{name} took over the seat of {was}; what was submitted for it and not revealed is void.")
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
    AGREES_TO_END = mark("{name} agrees to end the game.")
    AGREES_NO_LONGER_TO_END = mark("{name} no longer agrees to end the game.")
    ENDED_BY_AGREEMENT = mark("All players who are present agreed to end the game. Nobody is placed.")
    ALL_LEFT = mark(
        "Every player has left this game, and nobody else can join. This game has ended without a result. "
        "Nobody is placed."
    )
    PROPOSED_VOTING_OUT = mark("{name} proposed to vote {was} out of the game.")
    WITHDREW_VOTING_OUT = mark("{name} withdrew the proposal to vote {was} out of the game.")
    AGREES_TO_VOTE_OUT = mark("{name} agrees to vote {was} out of the game.")
    AGREES_NO_LONGER_TO_VOTE_OUT = mark("{name} no longer agrees to vote {was} out of the game.")
    VOTED_OUT = mark(
        "All players who are present voted {was} out of the game. It takes effect when this phase is over."
    )
    NOBODY_CAME = mark("Nobody came back to this game before it began, so it was closed.")
    PROPOSED_PAUSE = mark("{name} proposed to pause the game.")
    PROPOSED_GOING_ON = mark("{name} proposed to continue the game.")
    WITHDREW_PAUSE = mark("{name} withdrew the proposal to pause the game.")
    WITHDREW_GOING_ON = mark("{name} withdrew the proposal to continue the game.")
    AGREES_TO_PAUSE = mark("{name} agrees to pause the game.")
    AGREES_TO_GO_ON = mark("{name} agrees to continue the game.")
    DECLINES_PAUSE = mark("{name} does not agree to pause the game.")
    DECLINES_TO_GO_ON = mark("{name} does not agree to continue the game.")
    PAUSE_LAPSED = mark("Too many players declined the pause. The clock runs on.")
    GOING_ON_LAPSED = mark("Too many players declined to continue the game. The pause goes on.")
    VOTED_PAUSE = mark("The players paused the game for {length}, or until they agree to continue.")
    VOTED_GOING_ON = mark("The players agreed to continue. The clock runs again.")
    PAUSE_OVER = mark("The pause is over. The clock runs again.")
    TOOK_MORE_TIME = mark("{name} needs more time: this phase is extended by {more}.")
    TOOK_TIME_UNTIL = mark("{name} needs more time: this phase is extended until {until}.")
    ON_VACATION = mark("{name} is on vacation from {first} to {last}. Deadlines wait.")
    NO_VACATION = mark("{name} has cancelled a vacation, or is back early.")
    SITE_WAS_AWAY = mark("The site was down for {length}: the deadline moved by {later}.")
    SITE_WAS_AWAY_BEFORE = mark("The site was down for {length}. The deadline stays the same.")
    LESSON_BEGINS = mark("The lesson begins.")
    COPY_BEGINS = mark("The copy begins.")
    COPY_GOES_BACK = mark("The copy goes back one phase.")

    MODERATOR_PAUSED = mark("Moderator {moderator} paused the game: {reason}")
    MODERATOR_RESUMED = mark("Moderator {moderator} resumed the game: {reason}")
    EXTENDED = mark("Moderator {moderator} extended this phase by {more}: {reason}")
    EXTENDED_UNTIL = mark("Moderator {moderator} extended this phase until {until}: {reason}")
    CLOSED_EARLY = mark("Moderator {moderator} closed this phase before its deadline: {reason}")
    MODERATOR_HELD = mark("Moderator {moderator} put the game on hold to look at it: {reason}")
    TOOK_OFF_HOLD = mark("Moderator {moderator} took the game off hold: {reason}")
    REMOVED_GAME = mark("Moderator {moderator} removed this game: {reason}")
    RESTORED = mark("Moderator {moderator} restored the game from its log; nothing was lost: {reason}")
    REWOUND = mark("Moderator {moderator} rewound the game to {moment}; later submissions no longer count: {reason}")
    ASKED_TO_REWIND = mark("Moderator {moderator} asks the players whether to go back to {moment}: {reason}")
    AGREES_TO_REWIND = mark("{name} agrees to rewind the game.")
    DECLINES_TO_REWIND = mark("{name} does not agree to rewind the game. The moderators decide.")
    DRAWS_SEALED = mark("The draws of this game are sealed: {fingerprint}")
    NEW_SECRET = mark("From here on, draws come from a new secret. Its fingerprint: {fingerprint}")
    GAVE_SEAT_TO_BOT = mark(
        "Moderator {moderator} gave the seat of {was} to the bot {name}; what was submitted for it and not revealed is "
        "void: {reason}"
    )
    GAVE_SEAT = mark(
        "Moderator {moderator} gave the seat of {was} to {name}; what was submitted for it and not revealed is void: "
        "{reason}"
    )
    PROXY_SET = mark("Moderator {moderator} lets {name} play the seat of {was} until {until}: {reason}")
    PROXY_ENDED = mark("Moderator {moderator} gave {was} back the seat that {name} played: {reason}")
    PROXY_OWNER_BACK = mark("{was} is back and has taken over again from {name}.")
    PROXY_GAVE_BACK = mark("{name} gave the seat back to {was}, who plays it again.")
    PROXY_OVER = mark("{was} plays again; {name} no longer stands in.")
    SECRETS_READ = mark("On {day}, moderators {moderator} and {second} read what was sealed in this game: {reason}")
    MONEY_CORRECTED = mark("Moderator {moderator} corrected the money of {whose}: {reason}")
    RERUN_APPLIED = mark(
        "Moderator {moderator} applied a corrected result; what was submitted since then no longer counts: {reason}"
    )
    MISS_EXCUSED = mark("Moderator {moderator} excused a missed decision of {name}: {reason}")
    DAMAGED = mark(
        "Part of this game’s stored data is damaged. The game is on hold and its clock is stopped; a moderator can "
        "restore it from its log."
    )
    WENT_ON_HOLD = mark("The game went on hold after an error on our side. Nothing was lost, and its clock stopped.")

    def __call__(self, **facts: object) -> Note:
        """The note with these facts: names, lengths, days, instants and starts of phases."""
        return Note(self.name, {name: _stored(value) for name, value in facts.items()})


WITH_FINGERPRINT = (Sentence.DRAWS_SEALED.name, Sentence.NEW_SECRET.name)
"""Ids of the notes that publish the fingerprint of a secret."""


def columns_of(note: Note | None) -> dict[str, Any]:
    """The columns of a log entry with or without a note."""
    return note.columns if note else {}


def read(remark: Mapping[str, Any] | None) -> Note | None:
    """The note of a log entry; None if it has none, or another release wrote it: one from before notes had ids, or a
    later one with a sentence that is unknown here."""
    return None if remark is None or remark["id"] not in Sentence.__members__ else msgspec.convert(remark, Note)


def words_of(note: str, remark: Mapping[str, Any] | None, turn_word: str, you: str = "") -> str:
    """The note of a log entry in the reader's language; one without an id as stored, translated if it can be."""
    stored = read(remark)
    return stored.words(turn_word, you) if stored else say(note)


def instant_words(at: datetime) -> str:
    """`Friday 27 November, 20:00`, in the current time zone."""
    here = timezone.localtime(at)
    return say("{date}, {clock}", date=date_words(here, LONG_DAY), clock=f"{here:%H:%M}")


def rounded_words(length: timedelta) -> str:
    """A length of time in the reader's language: seconds below a minute, minutes below two hours, then hours."""
    seconds = round(length.total_seconds())
    minutes = round(seconds / 60)
    if 0 <= seconds < 60:
        return count("{n} second", "{n} seconds", seconds)
    if minutes < 120:
        return count("{n} minute", "{n} minutes", minutes)
    return count("{n} hour", "{n} hours", round(minutes / 60))


def _with_you(people: str, you: str) -> str:
    """Several people, with `you` for the reader's name."""
    return ", ".join(say("you") if each == you else each for each in people.split(", "))


def _counted(sentence: str, times: int) -> str:
    return sentence if times == 1 else say("{sentence} ({times} times)", sentence=sentence, times=times)


def _stored(value: object) -> Any:
    """A fact as JSON."""
    match value:
        case timedelta():
            return round(value.total_seconds())
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date():
            return value.isoformat()
        case PhaseStart():
            return msgspec.to_builtins(value)
        case _:
            return str(value)


def _fact_words(name: str, value: Any, turn_word: str) -> str:
    """A fact in the reader's language. Names of people and moderators' reasons stay as they are."""
    if isinstance(value, dict):
        return msgspec.convert(value, PhaseStart).words(turn_word)
    if name in LENGTHS:
        return rounded_words(timedelta(seconds=value))
    if name not in MOMENTS:
        return str(value)
    at = datetime.fromisoformat(value)
    return instant_words(at) if at.tzinfo else date_words(at, FULL_DATE)


def english_fact(name: str, value: Any) -> str:
    """A fact in English, with a day or an instant as `2026-12-02 18:30 UTC`."""
    if isinstance(value, dict):
        return msgspec.convert(value, PhaseStart).english
    if name in LENGTHS:
        return rounded_words(timedelta(seconds=value))
    return f"{datetime.fromisoformat(value):%Y-%m-%d %H:%M UTC}" if name in MOMENTS and "T" in value else str(value)
