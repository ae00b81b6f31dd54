"""What the story of any game tells, from scores, money and shares alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from game.boards.story import Bookkeeping, GameStory, Highlight, PlayedGame, Storyteller
from game.boards.story_parts import Accounts, Part, Parts, added
from game.boards.story_tables import tables_of
from game.engine.phrases import listed, ordinal, thousands

MOST_SWINGS, MOST_OF_A_SEAT, MOST_LEADS = 6, 2, 6
Awards = Callable[[PlayedGame], Iterable[Highlight]]


def no_awards(game: PlayedGame) -> Iterable[Highlight]:
    """A game of which only scores and money are known."""
    return ()


def storyteller(books: Bookkeeping, awards: Awards = no_awards) -> Storyteller:
    """How a game is told whose score is made up like this."""

    def tell(game: PlayedGame) -> GameStory:
        accounts = Accounts(game, books)
        points = {(point.turn, point.seat, point.label): point for point in (*leads(accounts), *swings(accounts))}
        in_order = sorted(points.values(), key=lambda point: (point.turn, point.serial))
        return GameStory(tuple(players(accounts)), tuple(in_order), tuple(awards(game)), tables_of(game, books.parties))

    return tell


plain_story = storyteller(Bookkeeping())


def players(accounts: Accounts) -> Iterator[Highlight]:
    """What made each player's score, the best place first."""
    game = accounts.game
    if not game.course:
        return
    for seat in sorted(game.seats, key=lambda seat: (game.places[seat], seat)):
        parts = accounts.total(seat)
        first, last = game.course[0].worth[seat], game.course[-1].worth[seat]
        gains, losses = _largest(parts, 1, 2), _largest(parts, -1, 1)
        told = [f"went from {thousands(first)} to {thousands(last)}"]
        if gains:
            told.append(f"gained most from {listed(_named(accounts, part, parts[part]) for part in gains)}")
        if losses:
            told.append(f"lost most to {listed(_named(accounts, part, parts[part]) for part in losses)}")
        at, change = _widest(accounts, seat)
        text = f"{game.names[seat]} {listed(told)}."
        if change:
            best = "best" if change > 0 else "worst"
            text += f" Their {best} turn was turn {game.course[at].turn} ({_signed(change)})."
        serial = accounts.serial_of(at, seat, _strongest(accounts.parts(at, seat), change)) if change else 0
        place = ordinal(game.places[seat])
        yield Highlight(place, text, last, seat, serial, game.course[at].turn)


def _widest(accounts: Accounts, seat: int) -> tuple[int, int]:
    """The turn in which a score changed most, and by how much."""
    moments = range(1, len(accounts.game.course))
    at = max(moments, key=lambda at: abs(accounts.change(at, seat)), default=0)
    return at, accounts.change(at, seat) if at else 0


class Swing(NamedTuple):
    """A change of one score in one turn, and what the other scores changed by on average, rounded down."""

    at: int
    seat: int
    change: int
    others: int

    @property
    def apart(self) -> int:
        """How far the score moved away from the others."""
        return self.change - self.others


def swings(accounts: Accounts) -> list[Highlight]:
    """The turns in which a score moved farthest away from the others, at most so many of each player, with what did
    it. Where all grow alike, nothing turns."""
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
    told = f"{game.names[swing.seat]} {_moved(swing.change)} in turn {turn}"
    if causes:
        told += f", above all {'from' if sign > 0 else 'by'} "
        told += listed(_named(accounts, part, parts[part]) for part in causes)
    told += (
        f". The other player {_moved(swing.others)}."
        if len(game.names) == 2
        else (f". The others {_moved(swing.others)} on average.")
    )
    strongest = _strongest(parts, swing.apart)
    told += accounts.told_by(swing.at, strongest)
    serial = accounts.serial_of(swing.at, swing.seat, strongest)
    return Highlight("Ahead" if sign > 0 else "Behind", told, swing.change, swing.seat, serial, turn)


def _moved(change: int) -> str:
    """`gained 20`, `lost 20` or `gained nothing`."""
    return f"{'lost' if change < 0 else 'gained'} {thousands(abs(change)) if change else 'nothing'}"


class Lead(NamedTuple):
    """A player took the lead from another, and kept it for so many turns."""

    at: int
    seat: int
    was: int
    kept: int


def lead_changes(game: PlayedGame) -> list[Lead]:
    """Every change of lead in order; who only draws level does not lead. Nobody takes the first lead from anybody."""
    leader: int | None = None
    found: list[Lead] = []
    for at, moment in enumerate(game.course):
        best = max(moment.worth, default=0)
        ahead = [seat for seat in game.seats if moment.worth[seat] == best]
        if len(ahead) != 1 or ahead[0] == leader:
            continue
        if leader is not None:
            found.append(Lead(at, ahead[0], leader, 0))
        leader = ahead[0]
    ends = [lead.at for lead in found[1:]] + [len(game.course)]
    return [lead._replace(kept=end - lead.at) for lead, end in zip(found, ends, strict=False)]


def leads(accounts: Accounts) -> list[Highlight]:
    """The changes of lead that lasted longest, each with what made it."""
    lasting = sorted(lead_changes(accounts.game), key=lambda lead: (-lead.kept, lead.at))
    return [_lead(accounts, lead) for lead in lasting[:MOST_LEADS]]


def _lead(accounts: Accounts, lead: Lead) -> Highlight:
    game, moment = accounts.game, accounts.game.course[lead.at]
    theirs = {part: -amount for part, amount in accounts.parts(lead.at, lead.was).items()}
    apart = added((accounts.parts(lead.at, lead.seat), theirs))
    cause = max(apart, key=lambda part: apart[part], default=None)
    ahead = moment.worth[lead.seat] - moment.worth[lead.was]
    told = f"{game.names[lead.seat]} took the lead from {game.names[lead.was]} in turn {moment.turn}"
    until = "the end" if lead.at + lead.kept == len(game.course) else f"turn {game.course[lead.at + lead.kept].turn}"
    told += f", by {thousands(ahead)}, and kept it until {until}."
    if cause is not None and any(cause) and apart[cause] > 0:
        told += f" What made the difference was {_name(accounts, cause)}: {thousands(apart[cause])} more."
        told += accounts.told_by(lead.at, cause)
    serial = accounts.serial_of(lead.at, lead.seat, cause or Part("", ""))
    return Highlight("New leader", told, ahead, lead.seat, serial, moment.turn)


def _largest(parts: Mapping[Part, int], sign: int, most: int) -> list[Part]:
    """The parts that did most in one direction."""
    found = sorted((part for part in parts if parts[part] * sign > 0 and any(part)), key=lambda part: -abs(parts[part]))
    return found[:most]


def _strongest(parts: Parts, change: int) -> Part:
    """The part that did most of a change."""
    return next(iter(_largest(parts, 1 if change > 0 else -1, 1)), Part("", ""))


def _named(accounts: Accounts, part: Part, amount: int) -> str:
    return f"{_name(accounts, part)} ({_signed(amount)})"


def _name(accounts: Accounts, part: Part) -> str:
    return f"the price of {accounts.books.company(part.company)}" if part.company else part.source


def _signed(amount: int) -> str:
    return f"{'+' if amount > 0 else ''}{thousands(amount)}"
