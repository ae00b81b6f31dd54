"""The story of any game, from scores, money and shares alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from game.boards.ranks import shared_ordinal
from game.boards.story.parts import Accounts, Part, Parts, added
from game.boards.story.played import Bookkeeping, GameStory, Highlight, PlayedGame, Storyteller
from game.boards.story.tables import tables_of
from game.engine.language import mark, say
from game.engine.phrases import capitalised, listed, thousands, turn_inside

MOST_SWINGS, MOST_OF_A_SEAT, MOST_LEADS, MOST_CAUSES = 6, 2, 6, 3
WAYS = {
    (False, False): (mark("{name} went from {first} to {last}."), mark("You went from {first} to {last}.")),
    (True, False): (
        mark("{name} went from {first} to {last} and gained most from {gains}."),
        mark("You went from {first} to {last} and gained most from {gains}."),
    ),
    (False, True): (
        mark("{name} went from {first} to {last} and lost most to {losses}."),
        mark("You went from {first} to {last} and lost most to {losses}."),
    ),
    (True, True): (
        mark("{name} went from {first} to {last}, gained most from {gains} and lost most to {losses}."),
        mark("You went from {first} to {last}, gained most from {gains} and lost most to {losses}."),
    ),
}
"""How a player's game went, by whether there were gains and losses; each also for that player."""
BEST = (mark("They did best in {turn} ({change})."), mark("You did best in {turn} ({change})."))
WORST = (mark("They did worst in {turn} ({change})."), mark("You did worst in {turn} ({change})."))
Awards = Callable[[PlayedGame], Iterable[Highlight]]


def no_awards(game: PlayedGame) -> Iterable[Highlight]:
    """Default for a game of which only scores and money are known."""
    return ()


def storyteller(books: Bookkeeping, awards: Awards = no_awards) -> Storyteller:
    """The function that writes the story of a game with this bookkeeping."""

    def tell(game: PlayedGame) -> GameStory:
        accounts = Accounts(game, books)
        points = {(point.turn, point.seat, point.label): point for point in (*leads(accounts), *swings(accounts))}
        in_order = sorted(points.values(), key=lambda point: (point.turn, point.serial))
        return GameStory(
            tuple(players(accounts)),
            tuple(in_order),
            tuple(awards(game)),
            tables_of(game, books.parties),
            tuple(causes_of(accounts, seat) for seat in game.seats) if game.course else (),
        )

    return tell


plain_story = storyteller(Bookkeeping())


def players(accounts: Accounts) -> Iterator[Highlight]:
    """The parts of each player's score, best place first."""
    game = accounts.game
    if not game.course:
        return
    for seat in sorted(game.seats, key=lambda seat: (game.places[seat], seat)):
        parts = accounts.total(seat)
        first, last = game.course[0].worth[seat], game.course[-1].worth[seat]
        gains, losses = _largest(parts, 1, 2), _largest(parts, -1, 1)
        text = game.say_of(
            seat,
            *WAYS[bool(gains), bool(losses)],
            first=thousands(first),
            last=thousands(last),
            gains=listed(_named(accounts, part, parts[part]) for part in gains),
            losses=listed(_named(accounts, part, parts[part]) for part in losses),
        )
        at, change = _widest(accounts, seat)
        if change:
            widest = BEST if change > 0 else WORST
            text += f" {game.say_of(seat, *widest, turn=_turn(game, at), change=_signed(change))}"
        serial = accounts.serial_of(at, seat, _strongest(accounts.parts(at, seat), change)) if change else 0
        place = shared_ordinal(game.places, game.places[seat])
        yield Highlight(place, text, last, seat, serial, game.course[at].turn)


def _turn(game: PlayedGame, at: int) -> str:
    return turn_inside(game.turn, game.course[at].turn)


def _widest(accounts: Accounts, seat: int) -> tuple[int, int]:
    """The turn in which a score changed most, and by how much."""
    moments = range(1, len(accounts.game.course))
    at = max(moments, key=lambda at: abs(accounts.change(at, seat)), default=0)
    return at, accounts.change(at, seat) if at else 0


def causes_of(accounts: Accounts, seat: int) -> tuple[Highlight, ...]:
    """The parts of the score in which the leading player gained most over the other: the winner over the seat, or over
    the second. The figure is signed for the seat."""
    game = accounts.game
    by_place = sorted(game.seats, key=lambda other: (game.places[other], other == seat, other))
    rival = next((other for other in by_place if other != seat), seat)
    is_ahead = game.places[seat] <= game.places[rival]
    ahead, behind = (seat, rival) if is_ahead else (rival, seat)
    own, other = accounts.total(ahead), accounts.total(behind)
    apart = added((own, {part: -amount for part, amount in other.items()}))
    return tuple(
        Highlight(
            capitalised(_name(accounts, part)),
            say(
                "{name} {amount}, {other} {their_amount}",
                name=game.title_of(ahead),
                amount=_signed(own.get(part, 0)),
                other=say("you") if behind == game.own else game.names[behind],
                their_amount=_signed(other.get(part, 0)),
            ),
            apart[part] if is_ahead else -apart[part],
            ahead,
        )
        for part in _largest(apart, 1, MOST_CAUSES)
    )


class Swing(NamedTuple):
    """A change of one score in one turn, and the average change of the other scores, rounded down."""

    at: int
    seat: int
    change: int
    others: int

    @property
    def apart(self) -> int:
        """How far the score moved away from the others."""
        return self.change - self.others


def swings(accounts: Accounts) -> list[Highlight]:
    """The turns in which a score moved farthest away from the others, with their causes, up to a maximum for each
    player. None if all scores grow alike."""
    game = accounts.game
    every = [_swing_of(accounts, at, seat) for at in range(1, len(game.course)) for seat in game.seats]
    chosen: list[Swing] = []
    for swing in sorted((swing for swing in every if swing.apart), key=lambda swing: -abs(swing.apart)):
        if sum(other.seat == swing.seat for other in chosen) < MOST_OF_A_SEAT:
            chosen.append(swing)
    return [_swing(accounts, swing) for swing in chosen[:MOST_SWINGS]]


def _swing_of(accounts: Accounts, at: int, seat: int) -> Swing:
    others = [accounts.change(at, other) for other in accounts.game.seats if other != seat]
    return Swing(at, seat, accounts.change(at, seat), sum(others) // len(others) if others else 0)


def _swing(accounts: Accounts, swing: Swing) -> Highlight:
    game, parts = accounts.game, accounts.parts(swing.at, swing.seat)
    sign, turn = (1 if swing.apart > 0 else -1), game.course[swing.at].turn
    causes = _largest(parts, sign, 2)
    why = listed(_named(accounts, part, parts[part]) for part in causes)
    ways = (MOVED_BY_GAINS if sign > 0 else MOVED_BY_LOSSES) if causes else MOVED
    facts = {"n": _size(swing.change), "turn": _turn(game, swing.at), "causes": why}
    text = game.say_of(swing.seat, *ways[_way(swing.change)], **facts)
    text += f" {say(_others_moved(game, swing.seat)[_way(swing.others)], n=_size(swing.others))}"
    strongest = _strongest(parts, swing.apart)
    text += accounts.move_words(swing.at, strongest)
    serial = accounts.serial_of(swing.at, swing.seat, strongest)
    return Highlight(say("Ahead") if sign > 0 else say("Behind"), text, swing.change, swing.seat, serial, turn)


MOVED = {
    1: (mark("{name} gained {n} in {turn}."), mark("You gained {n} in {turn}.")),
    -1: (mark("{name} lost {n} in {turn}."), mark("You lost {n} in {turn}.")),
    0: (mark("{name} gained nothing in {turn}."), mark("You gained nothing in {turn}.")),
}
MOVED_BY_GAINS = {
    1: (
        mark("{name} gained {n} in {turn}, mostly from {causes}."),
        mark("You gained {n} in {turn}, mostly from {causes}."),
    ),
    -1: (
        mark("{name} lost {n} in {turn}. What brought most: {causes}."),
        mark("You lost {n} in {turn}. What brought most: {causes}."),
    ),
    0: (
        mark("{name} gained nothing in {turn}. What brought most: {causes}."),
        mark("You gained nothing in {turn}. What brought most: {causes}."),
    ),
}
MOVED_BY_LOSSES = {
    1: (
        mark("{name} gained {n} in {turn}. What cost most: {causes}."),
        mark("You gained {n} in {turn}. What cost most: {causes}."),
    ),
    -1: (
        mark("{name} lost {n} in {turn}, mostly because of {causes}."),
        mark("You lost {n} in {turn}, mostly because of {causes}."),
    ),
    0: (
        mark("{name} gained nothing in {turn}. What cost most: {causes}."),
        mark("You gained nothing in {turn}. What cost most: {causes}."),
    ),
}
OTHER_MOVED = {
    1: mark("The other player gained {n}."),
    -1: mark("The other player lost {n}."),
    0: mark("The other player gained nothing."),
}
YOU_MOVED = {1: mark("You gained {n}."), -1: mark("You lost {n}."), 0: mark("You gained nothing.")}
OTHERS_MOVED = {
    1: mark("The others gained {n} on average."),
    -1: mark("The others lost {n} on average."),
    0: mark("The others gained nothing on average."),
}
"""Texts for a change that is a gain, a loss or nothing; those with a name also for whose name it is."""


def _others_moved(game: PlayedGame, seat: int) -> Mapping[int, str]:
    """The texts about the other players."""
    if len(game.names) != 2:
        return OTHERS_MOVED
    return OTHER_MOVED if game.own in {None, seat} else YOU_MOVED


def _way(change: int) -> int:
    return (change > 0) - (change < 0)


def _size(change: int) -> str:
    return thousands(abs(change))


class Lead(NamedTuple):
    """A player took the lead from another and held it for `turns_held` turns."""

    at: int
    seat: int
    was: int
    turns_held: int


def lead_changes(game: PlayedGame) -> list[Lead]:
    """Every change of lead in order. Drawing level is no lead, and the first lead is taken from nobody."""
    leader: int | None = None
    leads: list[Lead] = []
    for at, moment in enumerate(game.course):
        best = max(moment.worth, default=0)
        ahead = [seat for seat in game.seats if moment.worth[seat] == best]
        if len(ahead) != 1 or ahead[0] == leader:
            continue
        if leader is not None:
            leads.append(Lead(at, ahead[0], leader, 0))
        leader = ahead[0]
    ends = [lead.at for lead in leads[1:]] + [len(game.course)]
    return [lead._replace(turns_held=end - lead.at) for lead, end in zip(leads, ends, strict=False)]


def leads(accounts: Accounts) -> list[Highlight]:
    """The changes of lead that lasted longest, each with its cause."""
    lasting = sorted(lead_changes(accounts.game), key=lambda lead: (-lead.turns_held, lead.at))
    return [_lead(accounts, lead) for lead in lasting[:MOST_LEADS]]


LED = (
    mark("{name} took the lead from {other} in {turn}, by {n}, and kept it until {until}."),
    mark("You took the lead from {other} in {turn}, by {n}, and kept it until {until}."),
    mark("{name} took the lead from you in {turn}, by {n}, and kept it until {until}."),
)
LED_TO_THE_END = (
    mark("{name} took the lead from {other} in {turn}, by {n}, and kept it until the end."),
    mark("You took the lead from {other} in {turn}, by {n}, and kept it until the end."),
    mark("{name} took the lead from you in {turn}, by {n}, and kept it until the end."),
)
"""For everybody, for the new leader, and for the former one."""
DIFFERENCE = mark("The difference came from {cause}: {n} more.")


def _lead(accounts: Accounts, lead: Lead) -> Highlight:
    game, moment = accounts.game, accounts.game.course[lead.at]
    theirs = {part: -amount for part, amount in accounts.parts(lead.at, lead.was).items()}
    apart = added((accounts.parts(lead.at, lead.seat), theirs))
    cause = max(apart, key=lambda part: apart[part], default=None)
    ahead = moment.worth[lead.seat] - moment.worth[lead.was]
    is_last = lead.at + lead.turns_held == len(game.course)
    to_all, to_leader, to_former = LED_TO_THE_END if is_last else LED
    text = game.say_of(
        lead.seat,
        to_former if lead.was == game.own else to_all,
        to_leader,
        other=game.names[lead.was],
        turn=_turn(game, lead.at),
        n=thousands(ahead),
        until="" if is_last else _turn(game, lead.at + lead.turns_held),
    )
    if cause is not None and any(cause) and apart[cause] > 0:
        named = _name(accounts, cause)
        text += f" {say(DIFFERENCE, cause=named, n=thousands(apart[cause]))}"
        text += accounts.move_words(lead.at, cause)
    serial = accounts.serial_of(lead.at, lead.seat, cause or Part("", ""))
    return Highlight(say("New leader"), text, ahead, lead.seat, serial, moment.turn)


def _largest(parts: Mapping[Part, int], sign: int, most: int) -> list[Part]:
    """The parts that contributed most in one direction."""
    largest = sorted(
        (part for part in parts if parts[part] * sign > 0 and any(part)), key=lambda part: -abs(parts[part])
    )
    return largest[:most]


def _strongest(parts: Parts, change: int) -> Part:
    """The part that contributed most to a change."""
    return next(iter(_largest(parts, 1 if change > 0 else -1, 1)), Part("", ""))


def _named(accounts: Accounts, part: Part, amount: int) -> str:
    return f"{_name(accounts, part)} ({_signed(amount)})"


def _name(accounts: Accounts, part: Part) -> str:
    if part.company:
        return say(accounts.books.price_of, company=accounts.books.company(part.company))
    return say(part.source)


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{thousands(amount)}"
