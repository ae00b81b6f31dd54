"""The statistics of a finished game: who paid whom, where each player's money came from, and who decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from game.boards.sheets import Cell, Column, Sheet, SheetRow
from game.boards.story.played import PlayedGame
from game.engine.events import DecisionMissed
from game.engine.language import mark, say
from game.engine.ledger import BANK, OUTSIDE, cash_of
from game.engine.phrases import capitalised

COMPANIES = "treasury"
PARTIES = {BANK: mark("Bank"), COMPANIES: mark("Companies"), OUTSIDE: mark("Outside the game")}


def tables_of(game: PlayedGame, parties: Mapping[str, str]) -> tuple[Sheet, ...]:
    """Every table that is not empty; `parties` names accounts that only this game has."""
    sheets = (who_paid_whom(game, parties), income(game), decisions(game))
    return tuple(sheet for sheet in sheets if sheet.rows)


def who_paid_whom(game: PlayedGame, parties: Mapping[str, str]) -> Sheet:
    """All money that went from one party to another; a player's margin is the player's own money."""
    paid: Counter[tuple[str, str]] = Counter()
    for step in game.steps:
        for transfer in step.transfers:
            paid[party(transfer.payer), party(transfer.payee)] += transfer.amount
    flows = {way: amount for way, amount in paid.items() if amount and way[0] != way[1]}
    parties_by_key = {key: say(name) for key, name in {**PARTIES, **parties}.items()}
    names = {str(seat): game.title_of(seat) for seat in game.seats} | parties_by_key
    known = [key for key in names if any(key in way for way in flows)]
    others = sorted({key for way in flows for key in way} - {*known})
    columns = (
        *(Column(f"to_{key}", names.get(key, capitalised(key))) for key in (*known, *others)),
        Column("sum", say("Total paid")),
    )
    rows = [
        SheetRow(key, names.get(key, capitalised(key)), _with_sum([flows.get((key, to)) for to in (*known, *others)]))
        for key in (*known, *others)
    ]
    return Sheet("paid", say("Who paid whom"), say("From ↓ to →"), columns, tuple(rows))


def party(account: str) -> str:
    """The party that an account belongs to: a seat's number, `bank`, `treasury` for all companies, or the account's own
    word."""
    kind, _, whose = account.partition(":")
    return whose if whose.isdecimal() else kind


def income(game: PlayedGame) -> Sheet:
    """The cash of each player by the reason that the rules give; the sums add up to the cash at the end."""
    amounts: dict[str, list[int]] = {}
    for step in game.steps:
        for transfer in step.transfers:
            for seat in game.seats:
                sign = (transfer.payee == cash_of(seat)) - (transfer.payer == cash_of(seat))
                if sign:
                    amounts.setdefault(transfer.why, [0] * len(game.names))[seat] += sign * transfer.amount
    sources = sorted((why for why in amounts if any(amounts[why])), key=lambda why: (-sum(map(abs, amounts[why])), why))
    rows = [SheetRow(why, capitalised(say(why)), tuple(amounts[why])) for why in sources]
    sums = tuple(sum(amounts[why][seat] for why in sources) for seat in game.seats)
    total = [SheetRow("sum", say("Cash at the end"), sums)] if rows else []
    return Sheet("income", say("Cash by source"), say("Source"), _players(game), (*rows, *total))


def decisions(game: PlayedGame) -> Sheet:
    """The number of phases in which each player decided, and in which a decision was missed."""
    missed = Counter(event.seat for _, _, event in game.events() if isinstance(event, DecisionMissed))
    rows = (
        SheetRow("decided", say("Phases decided"), tuple(game.decided.get(seat, 0) for seat in game.seats)),
        SheetRow("missed", say("Decisions missed"), tuple(missed[seat] for seat in game.seats)),
    )
    return Sheet("decisions", say("Decisions"), say("Phases"), _players(game), rows if game.decided or missed else ())


def _players(game: PlayedGame) -> tuple[Column, ...]:
    return tuple(Column(f"seat_{seat}", game.title_of(seat)) for seat in game.seats)


def _with_sum(amounts: Sequence[int | None]) -> tuple[Cell, ...]:
    return (*amounts, sum(filter(None, amounts)))
