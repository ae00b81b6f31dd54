"""The interface of a ruleset to the kernel and the site."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec

from game.engine import requests
from game.engine.actions import Action, Refused
from game.engine.ahead import TODAY, Promises
from game.engine.breakdown import Breakdowns, Traces
from game.engine.chance import Chance
from game.engine.codec import Codec, Damaged
from game.engine.events import Event, RulesChanged
from game.engine.flow import Flow, Phase
from game.engine.language import mark
from game.engine.offers import Offer
from game.engine.phrases import inside, turn_inside, turn_words
from game.engine.play import Play
from game.engine.position import AnyPosition
from game.engine.scenarios.words import Words

REFUSALS: Mapping[str, str] = {
    "seats": "wrong_seats",
    "over": "game_over",
    "phase": "not_now",
    "withdraw": "nothing_to_withdraw",
    "undo": "nothing_to_undo",
    "request": "unknown_action",
}
"""Reason of a kernel refusal -> its code."""
REFUSAL_FIELDS: Mapping[str, str] = {"seats": "seats", "withdraw": "of"}
"""Reason of a kernel refusal -> the faulty field."""
Offered = Callable[[], list[Offer]]
Upgrade = Callable[[dict[str, Any]], dict[str, Any]]
"""Converts a position to the next schema: `state`, `inputs` and `cursor` as plain dictionaries and lists."""
Bot = Callable[[Any, Offered, Chance], list[dict[str, Any]]]
"""A bot: turns a view, the offers (computed on demand) and its own chance into requests."""


class Standing(msgspec.Struct, frozen=True):
    """A seat's place at the end; equal scores share the place. `score` is in whole dollars."""

    seat: int
    place: int
    score: int


@dataclass(frozen=True)
class Caretaker:
    """The key of the bot that plays for a player who is away or resigned; "" for none: then the flow's default for idle
    seats applies at once. `while_away` and `once_resigned` complete “The caretaker plays this seat: …”."""

    away: str = ""
    resigned: str = ""
    while_away: str = mark("it decides nothing, and the rules' default applies")
    once_resigned: str = mark("it decides nothing, and the rules' default applies")


@dataclass(frozen=True)
class TimeSaver:
    """An option of the rules that asks people less often. `use` turns a bot into one that uses it, for measurements."""

    title: str
    use: Callable[[Bot], Bot]


def one_ladder(options: Any) -> str:
    """The single ladder of rulesets whose games all count together."""
    return ""


@dataclass(frozen=True)
class Unlock:
    """What unlocks a value of an option for an account: `games` games, finished or (`is_won`) won, in which the
    option was `after`."""

    after: Any
    games: int
    is_won: bool = False


def no_facts(state: Any) -> Mapping[str, Any]:
    """No figures of its own, for rulesets of which `./dev manage simulate` counts only what all games have."""
    return {}


def no_details(state: Any, offer: Offer) -> tuple[Any, ...]:
    """No details, for rulesets whose offers need none."""
    return ()


def same_view(view: Any, own: Sequence[Any]) -> Any:
    """The same view, for rulesets in which a view hides nothing but the lines of other players."""
    return view


def no_vote_out(play: Play[Any], seat: int) -> None:
    """No way to put a seat out, for rulesets whose players cannot vote anybody out."""


def held_accounts(state: Any) -> Iterable[str]:
    """The cash of every player and the treasury of every company."""
    return [account for account in state.ledger.cash if account.startswith(("cash:", "treasury:"))]


@dataclass(frozen=True)
class Money:
    """The allowed reasons for payments between players, bank and outside."""

    sources: frozenset[str] = frozenset()  # from outside into the game
    sinks: frozenset[str] = frozenset()  # out of the game
    bank_pays: frozenset[str] = frozenset()
    bank_gets: frozenset[str] = frozenset()
    accounts: Mapping[str, str] = field(default_factory=dict)  # other accounts than players' and companies' -> names
    is_public: bool = False  # whether the view shows every account to everybody; if not, payments are shown at the end
    correctable: Callable[[Any], Iterable[str]] = held_accounts  # state -> accounts that a moderator may put right


@dataclass(frozen=True)
class Ruleset:
    """One game's rules, as pure functions. `version` changes with every change of rules, which `changes` describes in
    the players' words. `schema` changes with the shape of stored data; then `upgrades` converts a position to the next
    schema."""

    key: str
    title: str
    version: int
    schema: int
    seats: range
    options_type: type[Any]
    menus: Mapping[str, tuple[Any, ...]]  # option -> its possible values
    actions: Mapping[str, type[Action]]
    codec: Codec
    flow: Callable[[Any], Flow]  # options -> flow
    options_of: Callable[[Any], Any]  # state -> options
    parse_options: Callable[[Mapping[str, Any]], Any]
    setup: Callable[[Any, int], Any]  # options, seats -> state
    deal: Callable[[Play[Any]], None]  # the random part of set-up
    viewer: Callable[[AnyPosition], Callable[[int | None], Any]]  # position -> seat -> what it may see
    offers: Callable[[Any, int, Flow, Any], list[Offer]]
    standings: Callable[[Any], list[Standing]]
    end_reason: Callable[[Any], str]
    live_seconds: Callable[[Any, str], int]  # options, phase name -> its seconds in a live game, as in the rulebook
    bots: Mapping[str, Bot]
    registries: Mapping[str, Mapping[str, Any]]
    occurrences: Callable[[Event], Iterable[tuple[str, str]]]  # event -> (registry, key) of all that occurred in it
    seats_for: Callable[[Any], range] | None = None  # options -> the numbers of players they are for
    ladder: Callable[[Any], str] = one_ladder  # options -> which of `ladders` rates such games
    ladders: Mapping[str, str] = field(default_factory=lambda: {"": ""})  # key -> title, the usual one first
    unlocks: Mapping[tuple[str, Any], Unlock] = field(
        default_factory=dict
    )  # option and value -> what opens it, on sites that lock it at first
    explain: Callable[[Any, Offer], tuple[Any, ...]] = (
        no_details  # state, offer -> public facts about what each choice would do
    )
    cites: Mapping[str, str] = field(
        default_factory=dict
    )  # what the kernel refuses -> the rule's number; `{number}` stands for the phase's
    opened: Callable[[Any, Sequence[Any]], Any] = (
        same_view  # a view with all players' lines shown, each seat's own view -> the view of a finished game
    )
    breakdowns: Breakdowns = field(default_factory=dict)  # public figures -> the parts that add up to them
    traces: Traces = field(default_factory=dict)  # public figures that add up over time -> the events that made them
    subjects: Mapping[str, str] = field(
        default_factory=dict
    )  # subjects of figures besides companies and players -> their names
    sheet_seconds: Mapping[str, int] = field(
        default_factory=dict
    )  # phases that come several times a turn, all filled in on one sheet at the first -> the first one's live seconds
    facts: Callable[[Any], Mapping[str, Any]] = no_facts  # the state of a finished game -> what `simulate` counts of it
    money: Money = Money()
    determinise: Callable[[Any, Chance], AnyPosition] | None = (
        None  # view of a seat -> a complete position that fits it; what the seat does not see is drawn at random
    )
    upgrades: Mapping[int, Upgrade] = field(default_factory=dict)  # schema -> the conversion to the next one
    changes: Mapping[int, str] = field(default_factory=dict)  # version from 2 on -> what it changed, whole sentences
    promises: Promises = TODAY
    earlier: Mapping[int, Promises] = field(
        default_factory=dict
    )  # earlier versions that differed only in `promises` -> theirs
    caretaker: Caretaker = Caretaker()
    remove_voted_out: Callable[[Play[Any], int], None] = (
        no_vote_out  # removes a voted-out seat from the game; called at the end of each phase until it is removed
    )
    aids: Mapping[str, TimeSaver] = field(default_factory=dict)
    words: Words | None = None  # what scenarios of this game may say

    def __post_init__(self) -> None:
        unknown = {self.caretaker.away, self.caretaker.resigned} - {"", *self.bots}
        if unknown:
            raise ValueError(f"{self.key}: there is no bot {', '.join(unknown)} to be the caretaker.")
        if set(self.upgrades) != set(range(1, self.schema)):
            raise ValueError(
                f"{self.key}: a position of schema {self.schema} needs one upgrade from each schema before it."
            )
        if set(self.changes) != set(range(2, self.version + 1)):
            raise ValueError(f"{self.key}: version {self.version} needs a text on what each version from 2 on changed.")

    @property
    def may_vote_out(self) -> bool:
        """True if players may vote out a seat whose player has left."""
        return self.remove_voted_out is not no_vote_out

    def seats_with(self, options: Any) -> range:
        """The numbers of players that these options are for."""
        return self.seats if self.seats_for is None else self.seats_for(options)

    def check_seats(self, seats: int, options: Any) -> None:
        """Raise `Refused` unless that many players may play with these options."""
        possible = self.seats_with(options)
        if seats in possible:
            return
        facts: dict[str, int | str] = {"game": self.title, "least": min(possible), "most": max(possible)}
        if seats in self.seats:
            raise self.refused(
                "seats",
                "With these options {game} is for {least} to {most} players, not for {seats}.",
                seats=seats,
                **facts,
            )
        raise self.refused("seats", "{game} is for {least} to {most} players, not for {seats}.", seats=seats, **facts)

    @property
    def turn_title(self) -> str:
        """What the game calls a turn, in the reader's language and with whatever options: `Year`."""
        return self.flow(self.parse_options({})).turn_title

    @property
    def turn_word(self) -> str:
        """What the game calls a turn within a sentence: `year`."""
        return inside(self.turn_title)

    def turn_words(self, turn: int) -> str:
        """A turn by its number, as a title: `Year 3`."""
        return turn_words(self.turn_title, turn)

    def turn_inside(self, turn: int) -> str:
        """A turn by its number within a sentence: `year 3`."""
        return turn_inside(self.turn_title, turn)

    def stored_options(self, stored: Any) -> Any:
        """The options with which a game was started. Raises `Damaged`."""
        try:
            return msgspec.convert(stored, self.options_type)
        except msgspec.ValidationError as error:
            raise Damaged("The options of the game cannot be read.") from error

    def flow_of(self, position: AnyPosition) -> Flow:
        """The flow of this position's game."""
        return self.flow(self.options_of(position.state))

    def as_of(self, version: int) -> Ruleset | None:
        """The rules of an earlier version, to replay what it stored; None if they are not kept."""
        if version == self.version:
            return self
        if version not in self.earlier:
            return None
        changes = {number: words for number, words in self.changes.items() if number <= version}
        return replace(self, version=version, changes=changes, promises=self.earlier[version], earlier={})

    def changed_since(self, version: int) -> list[Event]:
        """The event that tells the players of a game under `version` what has changed; empty if that is today's."""
        change_texts = tuple(self.changes[number] for number in range(version + 1, self.version + 1))
        return [RulesChanged(was=version, now=self.version, changes=change_texts)] if change_texts else []

    def refused(self, what: str, text: str, phase: Phase | None = None, /, **facts: int | str) -> Refused:
        """A kernel refusal under this game's rule number. `what`: seats, over, phase, withdraw, undo or request."""
        rule = self.cites.get(what, "")
        field = REFUSAL_FIELDS.get(what, "")
        return Refused(
            text, rule.format(number=phase.number) if phase else rule, code=REFUSALS[what], field=field, **facts
        )

    def view(self, position: AnyPosition, seat: int | None) -> Any:
        """What `seat` may see of a position; None is a stranger."""
        return self.viewer(position)(seat)

    def parse(self, raw: Mapping[str, Any], seat: int) -> Action:
        """An action from untrusted input, strictly decoded; the actor is set, never read. Raises `Refused`."""
        if type(raw) is not dict and not isinstance(raw, Mapping):
            raise self.refused("request", "A request names its kind and its fields.")
        if "actor" in raw:
            raise self.refused("request", "An action does not say who asks: the site knows.")
        kind = raw.get("kind")
        if not isinstance(kind, str) or kind not in self.actions:
            known = ", ".join(self.actions)
            if requests.is_name(kind):
                raise self.refused(
                    "request", "There is no action “{name}”. The actions are {known}.", name=str(kind), known=known
                )
            raise self.refused("request", "The request names no action. The actions are {known}.", known=known)
        return requests.of_seat(requests.read(raw, self.actions[kind], rule=self.cites.get("request", "")), seat)
