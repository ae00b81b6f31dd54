"""Types of requests, and of response parts that only the API has. Unknown fields in a request are refused."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from accounts.api_tokens import SCOPES
from game.api.facts.games import Decision, Standing, Summary
from game.api.facts.log import EventLine, MessageLine, StopLine
from game.api.facts.people import PersonFacts
from game.api.facts.play import Foreseen
from game.api.facts.rulesets import RulesetLine
from game.chat.models import LONGEST_MESSAGE
from game.engine.offers import Offer
from game.outbox.models import Webhook
from game.store.badges import Instant, SeatState, one_of
from game.store.game import Pace

Key = Annotated[int, Meta(ge=1, le=2**53)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Limit = Annotated[int, Meta(ge=1, le=100)]
PaceAsked = Annotated[str, Meta(max_length=8, description="One of " + ", ".join(Pace.values) + ".")]


class Shape(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Anything that a client sends."""


class NoQuery(Shape, frozen=True):
    """No parameters."""


class Seen(Shape, frozen=True):
    """`as=public` shows what a stranger sees, even to a player."""

    as_: Annotated[str, Meta(pattern="^public$")] = msgspec.field(name="as", default="")


class GamesQuery(Shape, frozen=True):
    """A filter of games, newest first."""

    status: Annotated[str, Meta(pattern="^(waiting|running|finished|held|paused|abandoned)?$")] = ""
    ruleset: Annotated[str, Meta(max_length=32)] = ""
    pace: PaceAsked = ""
    has_room: bool | None = None
    takes_bots: bool | None = None
    player: Key | None = None
    cursor: Key | None = None
    limit: Limit = 25


class PositionQuery(Seen, frozen=True):
    """With `include=offers` the response contains both, read together."""

    include: Annotated[str, Meta(pattern="^offers$")] = ""


class LogQuery(Seen, frozen=True):
    """A page of `limit` public versions: those after `after`, or before `before`; it may be empty."""

    after: Version | None = None
    before: Version | None = None
    about: Annotated[int, Meta(ge=0, le=100)] | None = None
    topic: Annotated[str, Meta(max_length=40)] = ""
    limit: Limit = 50


class ExplanationQuery(Seen, frozen=True):
    """`at` is the number of the phase at whose start the figure is explained; by default, now."""

    at: Version | None = None


class TurnQuery(Shape, frozen=True):
    """`turn` is the turn to report, by default the last."""

    turn: Annotated[int, Meta(ge=0, le=100_000)] | None = None


class FreeSeatsQuery(Shape, frozen=True):
    """Free seats after the one with this cursor."""

    cursor: Key | None = None
    limit: Limit = 25


class ChatQuery(Shape, frozen=True):
    """A page of the newest messages before the one numbered `before`."""

    before: Key | None = None
    limit: Limit = 50


class PeopleQuery(Shape, frozen=True):
    """The name to look for."""

    name: Annotated[str, Meta(min_length=1, max_length=40)]


class NewGame(Shape, frozen=True):
    """A game to create; defaults are those of the site's own form. `level` is that of the bots, `timing` the clock of a
    custom pace; `keeps_clock` sets deadlines even for a game alone against bots, and `takes_bots` lets bots of other
    people join."""

    ruleset: Annotated[str, Meta(max_length=32)]
    seats: Annotated[int, Meta(ge=1, le=100)]
    name: Annotated[str, Meta(max_length=60)] = ""
    pace: PaceAsked = "daily"
    options: dict[str, Any] = {}
    bots: Annotated[int, Meta(ge=0, le=100)] = 0
    level: Annotated[str, Meta(max_length=32)] = "house"
    is_open: bool = True
    timing: dict[str, Any] = {}
    is_rated: bool = False
    least_reliability: Annotated[int, Meta(ge=0, le=100)] = 0
    welcomes_newcomers: bool = True
    waives_unlocks: bool = False
    keeps_clock: bool = False
    has_chat: bool = True
    takes_bots: bool = False


class NewSeat(Shape, frozen=True):
    """Empty: take the seat yourself. `bot`: as the host, seat a bot of that level; `person`: as the host, invite the
    player with that number. `invitation` is the last part of an invitation link. `is_rated` is what you know about the
    game: if it has changed, you do not take the seat."""

    bot: Annotated[str, Meta(max_length=32)] = ""
    person: Key | None = None
    invitation: Annotated[str, Meta(max_length=64)] = ""
    is_rated: bool | None = None


class FreeSeat(Shape, frozen=True):
    """`invitation` is the last part of an invitation link, if the game needs one."""

    invitation: Annotated[str, Meta(max_length=64)] = ""


class Changes(Shape, frozen=True):
    """Changes by a host before the start; a field that is left out stays the same. `is_rated` cannot change once
    somebody else has a seat."""

    name: Annotated[str, Meta(min_length=1, max_length=60)] | None = None
    is_open: bool | None = None
    takes_bots: bool | None = None
    is_rated: bool | None = None


class Level(Shape, frozen=True):
    """A level of bots."""

    level: Annotated[str, Meta(max_length=32)] = "house"


class Switch(Shape, frozen=True):
    """On or off."""

    is_on: bool


class Reason(Shape, frozen=True):
    """What is wrong with a message."""

    reason: Annotated[str, Meta(max_length=2000)]


class Upto(Shape, frozen=True):
    """The number of a message."""

    number: Key


class NewNotes(Shape, frozen=True):
    """The new notes, and the revision of those that were read."""

    text: Annotated[str, Meta(max_length=100_000)]
    revision: Version


class NewDraft(Shape, frozen=True):
    """Actions for the open phase, as in a move."""

    phase_serial: Version
    actions: Annotated[list[dict[str, Any]], Meta(max_length=40)]


class Hours(Shape, frozen=True):
    """Hours of a week in the user's own zone: 0 is Monday from 0:00 to 1:00."""

    hours: Annotated[list[Annotated[int, Meta(ge=0, le=167)]], Meta(max_length=168)]


class NewVacation(Shape, frozen=True):
    """The first and the last day, in the user's own zone."""

    first: date
    last: date


class VariantQuery(Shape, frozen=True):
    """`variant` is a way of playing the same rules."""

    variant: Annotated[str, Meta(max_length=32)] = ""


class RulebookQuery(VariantQuery, frozen=True):
    """`q` finds the sections with all these words."""

    q: Annotated[str, Meta(max_length=80)] = ""


class Nothing(Shape, frozen=True):
    """An empty object, or no body at all."""


class Move(Shape, frozen=True):
    """A seat's actions, all or none: each action has its `kind`, the `fixed` fields of its offer, and a value for each
    of its open fields; `ready` comes last. In phases with turns `step` must name the step for which it was made.
    `replace` withdraws the seat's sealed inputs of this phase; `dry_run` submits nothing."""

    phase_serial: Version
    actions: Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=40)]
    step: Version | None = None
    replace: bool = False
    dry_run: bool = False


class Saying(Shape, frozen=True):
    """A message for the chat."""

    text: Annotated[str, Meta(min_length=1, max_length=LONGEST_MESSAGE)]


class Games(msgspec.Struct, frozen=True):
    """A page of games; `next` is the address of the next page."""

    items: list[Summary]
    next: str | None


class Rulesets(msgspec.Struct, frozen=True):
    """Every game of the site."""

    items: list[RulesetLine]


class Offers(msgspec.Struct, frozen=True):
    """A seat's offers now, refused ones with the reason. `takes_ready`: whether the phase closes when everybody is
    `ready`; `can_undo`: whether its last action can be undone by `undo`."""

    game: int
    version: int
    phase_serial: int
    step: int
    seat: int
    state: SeatState
    waiting_for_you: bool
    takes_ready: bool
    offers: list[Offer]
    can_undo: bool


class Position(msgspec.Struct, frozen=True, omit_defaults=True):
    """The game as one seat sees it, or a stranger if None; the ruleset's schema defines `view`."""

    game: int
    version: int
    phase_serial: int
    seat: int | None
    view: Any
    offers: Offers | None = None


class Receipt(msgspec.Struct, frozen=True):
    """The result of a move. `replayed`: the same move was sent earlier with this key, and this is its first receipt,
    with the current `seat_version`. `preview`: the effects in a dry run."""

    phase_serial: int
    version: int
    seat_version: int
    phase_closed: bool
    replayed: bool
    dry_run: bool = False
    preview: Foreseen | None = None


class Events(msgspec.Struct, frozen=True):
    """A page of the log, oldest first; `next` is the address of the next page."""

    items: list[EventLine]
    next: str | None


class Placing(msgspec.Struct, frozen=True):
    """A seat at the end; equal scores share the place."""

    seat: int
    name: str
    place: int | None
    score: int | None


class Results(msgspec.Struct, frozen=True):
    """The end of a game; nobody has a place if it ended by agreement. `course` is the score of each seat at the end of
    each turn, `draws` was published at the start so that nobody could change the draws afterwards."""

    game: int
    reason: str
    standings: list[Placing]
    course: list[dict[str, Any]]
    draws: dict[str, str]


class Me(msgspec.Struct, frozen=True):
    """The owner of the token, and the limits: unfinished games now, and at most."""

    id: int
    name: str
    is_bot: bool
    language: str
    games: int
    most_games: int


class Decisions(msgspec.Struct, frozen=True):
    """Your open decisions, the earliest deadline first."""

    items: list[Decision]


class TokenFacts(msgspec.Struct, frozen=True):
    """This token: its scopes, its expiry, and the one game for which it is valid; null for all games."""

    name: str
    prefix: str
    scopes: list[Annotated[str, one_of(SCOPES)]]
    created_at: Instant
    expires_at: Instant
    game: int | None


class LeaderboardQuery(Shape, frozen=True):
    """The lines after the one with this cursor, on one of the ruleset's ladders; without `ladder` on its usual one."""

    ladder: Annotated[str, Meta(max_length=32)] | None = None
    cursor: Key | None = None
    limit: Limit = 25


class LeaderboardLine(msgspec.Struct, frozen=True):
    """A person on a leaderboard. Its order is by `sure`, three spreads below the rating; `reliability` in percent is
    null while too few decisions are known."""

    rank: int
    person: int
    name: str
    rating: int
    spread: int
    sure: int
    games: int
    is_provisional: bool
    reliability: int | None
    last_month: str


class Leaderboard(msgspec.Struct, frozen=True):
    """The people of one ladder with enough rated games within a year; `next` is the address of the next page."""

    items: list[LeaderboardLine]
    next: str | None


class People(msgspec.Struct, frozen=True):
    """The user with that name, if there is one."""

    items: list[PersonFacts]


class History(msgspec.Struct, frozen=True):
    """The moments at which the game stopped, oldest first."""

    items: list[StopLine]


class Chat(msgspec.Struct, frozen=True):
    """The newest messages, oldest first, and the address of older ones."""

    items: list[MessageLine]
    next: str | None


class NewWebhook(Shape, frozen=True):
    """`types`: the events to send, all if it is empty."""

    url: Annotated[str, Meta(max_length=500)]
    types: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=40)] = []


class WebhookChanges(Shape, frozen=True):
    """The events to send from now on: all if `types` is empty."""

    types: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=40)]


class WebhookFacts(msgspec.Struct, frozen=True):
    """One of your webhooks. `state` is waiting (for the echo of its challenge), active or disabled (see `why`).
    `secret` is included only in the response to its creation, and not if that request is repeated with its key."""

    id: int
    url: str
    types: list[str]
    state: Annotated[str, one_of(Webhook.State.values)]
    why: str
    made_at: Instant
    failing_since: Instant | None
    secret: str | None = None


def without_secret(content: Any) -> Any:
    """The response in the form that is stored and may be repeated."""
    return msgspec.structs.replace(content, secret=None) if isinstance(content, WebhookFacts) else content


class Webhooks(msgspec.Struct, frozen=True):
    """Your webhooks, oldest first; `types` are the available types."""

    items: list[WebhookFacts]
    types: list[str]
    most: int


class DeliveryFacts(msgspec.Struct, frozen=True):
    """A message. `state` is waiting, sent, cancelled (it was no longer true) or failed; `status` is the response to the
    last attempt; `next_attempt` is set while it waits. `body` is its content, once it was tried; empty for a `ping`,
    because its challenge is for the receiver alone."""

    id: int
    name: str
    type: str
    game: int | None
    made_at: Instant
    state: Annotated[str, one_of(("waiting", "sent", "cancelled", "failed"))]
    attempts: int
    status: int | None
    trouble: str
    next_attempt: Instant | None
    body: str


class Deliveries(msgspec.Struct, frozen=True):
    """The last hundred messages of a webhook, newest first."""

    items: list[DeliveryFacts]


class MessageData(msgspec.Struct, frozen=True):
    """Numbers with which to fetch what is new; a ping has only a challenge, to be sent back."""

    game: int | None = None
    version: int | None = None
    phase_serial: int | None = None
    seat: int | None = None
    deadline: Instant | None = None
    challenge: str | None = None


class WebhookMessage(msgspec.Struct, frozen=True):
    """The message posted to a webhook, signed by Standard Webhooks."""

    type: str
    timestamp: Instant
    data: MessageData


class Stream(msgspec.Struct, frozen=True):
    """The first line of a stream; later lines are `changed` and `over` with one game, and `alive`."""

    type: str
    games: list[Standing]


class ProblemPage(msgspec.Struct, frozen=True):
    """A kind of problem."""

    type: str
    status: int
    title: str
    about: str
