"""The game on the front page: a finished public one of this site, or else one that our bots play to its end by our
rules. None of it is invented, and visitors can step through all of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import Error
from django.urls import reverse

from game.boards.base import Board
from game.boards.registry import BOARDS, board_of
from game.engine import selfplay
from game.engine.chance import Chance
from game.engine.codec import Damaged
from game.engine.language import count, kept, mark, say, say_as
from game.engine.phrases import listed, thousands
from game.engine.position import AnyPosition
from game.lobby.lobby import HOUSE
from game.store.course import history_of
from game.store.game import Game, Status
from game.store.projections import extend_course, seen_of
from game.store.readers import get_game
from game.store.seating import BOT_NAMES, seats_of

LEAST_TURNS = 3  # before that there is no story yet
LOOKED_AT = 200  # of the newest public games
SHOWN = 3  # players: more lines cross too often to be read
BOTS, TURNS, SEED = 5, 8, "front page"


class Player(NamedTuple):
    """A line of the chart: the score after each turn, the newest last."""

    seat: int
    name: str
    worth: Sequence[int]


class Showcase(NamedTuple):
    """A game as the front page shows it. Without `url` it is the bots' own; `template` is the board's part of the
    page."""

    title: str
    words: str
    url: str
    is_over: bool
    labels: Sequence[str]
    players: Sequence[Player]
    companies: Sequence[Any]
    chart: Sequence[Any]
    name: str = ""
    score: str = "Score"
    template: str = ""
    past: Sequence[Sequence[Any]] = ()  # the companies after each turn, where one steps through it on the front page
    steps_url: str = ""  # where one steps through it, if that is elsewhere
    turn: int | None = None  # the place in `labels` that is looked at; none for the end

    def after(self, turn: int) -> Showcase:
        """As it stood then; `turn` is a place in `labels`. A place that is none, or elsewhere, is the end."""
        last = len(self.labels) - 1
        if not 0 <= turn < last or len(self.past) <= turn:
            return self
        players = [player._replace(worth=player.worth[: turn + 1]) for player in self.players]
        labels, companies = self.labels[: turn + 1], self.past[turn]
        return self._replace(labels=labels, players=players, companies=companies, is_over=False, turn=turn)

    @property
    def stops(self) -> list[tuple[int, str, bool]]:
        """The places one can step to, each with its words and whether it is looked at."""
        at = len(self.past) - 1 if self.turn is None else self.turn
        return [
            (place, str(place) if place else say_as("moment", "Start"), place == at) for place in range(len(self.past))
        ]

    @property
    def leaders(self) -> Sequence[Player]:
        """Those whose lines are drawn, the leader first."""
        return sorted(self.players, key=lambda player: -player.worth[-1])[:SHOWN]

    @property
    def story(self) -> str:
        """How it stands or ended, and when the second was ahead."""
        first, second = self.leaders[:2]
        gap = first.worth[-1] - second.worth[-1]
        facts = {"first": first.name, "worth": thousands(first.worth[-1]), "gap": thousands(gap), "second": second.name}
        lead = say(LEADS[self.is_over, gap > 0], **facts)
        turns = [
            label for at, label in enumerate(self.labels) if 0 < at < len(self.labels) - 1 and self._leads(second, at)
        ]
        return say("{lead}, who led after {turns}.", lead=lead, turns=_turns(turns)) if turns else f"{lead}."

    def _leads(self, player: Player, at: int) -> bool:
        return all(player.worth[at] > other.worth[at] for other in self.players if other.seat != player.seat)


def _turns(labels: Sequence[str]) -> str:
    """`turn 3`, `turns 3 and 5`, `turns 3 to 7`."""
    if len(labels) > 2 and int(labels[-1]) - int(labels[0]) == len(labels) - 1:
        return say("turns {first} to {last}", first=labels[0], last=labels[-1])
    if len(labels) == 1:
        return say("turn {turn}", turn=labels[0])
    return say("turns {turns}", turns=listed(labels))


LEADS = {
    (True, True): mark("{first} ended with {worth}, {gap} ahead of {second}"),
    (True, False): mark("{first} ended with {worth}, as much as {second}"),
    (False, True): mark("{first} has {worth}, {gap} ahead of {second}"),
    (False, False): mark("{first} has {worth}, as much as {second}"),
}
"""How the first stands against the second: whether the game is over, and whether there is a gap."""


def front_board() -> Board:
    """The board of the game that the front page shows: the first one that says how."""
    return next(board for board in BOARDS.values() if board.front)


def showcase() -> Showcase:
    """The longest of the newest public games that are over; the bots' own where there is none, or none can be read."""
    try:
        found = _longest()
        return _public(*found) if found else played()
    except (Error, Damaged):
        return played()


@kept()
def played() -> Showcase:
    """A game of bots from a fixed seed, by the rules of today: played once a process, in about a tenth of a second."""
    rules = front_board().rules
    moments: dict[int, AnyPosition] = {}
    bots = [rules.bots[HOUSE]] * BOTS

    def watch(actions: Any, outcome: Any) -> None:
        moments[outcome.position.state.turn if moments else 0] = outcome.position

    last = selfplay.play_out(rules, rules.parse_options({"max_turns": TURNS}), bots, Chance(SEED), watch).position
    game = Game(ruleset=rules.key)
    past = []
    for position in moments.values():
        game.course = extend_course(game.course, seen_of(game, position))
        past.append(rules.view(position, None).companies)
    bots_told, turns_told = count("{n} bot", "{n} bots", BOTS), count("{n} turn", "{n} turns", last.state.turn)
    words = say("{bots}, {turns}, played by the rules of this site", bots=bots_told, turns=turns_told)
    return _shown(game, say("A game among bots"), words, "", rules.view(last, None), BOT_NAMES[:BOTS])._replace(
        past=past
    )


def _longest() -> tuple[int, int] | None:
    """The number and the version of one of the newest games that are over and that everybody may see."""
    newest = Game.objects.filter(ruleset=front_board().rules.key, is_open=True, status=Status.FINISHED)
    told = Game.objects.filter(pk__in=newest.order_by("-pk").values("pk")[:LOOKED_AT], turn__gte=LEAST_TURNS)
    return told.order_by("-turn", "-pk").values_list("pk", "version").first()


@kept(4)
def _public(game_id: int, version: int) -> Showcase:
    """What a stranger sees of it; drawn once a version."""
    game = get_game(game_id=game_id)
    assert game is not None
    view, names = game.rules.view(game.load_position(), None), [seat.shown_name for seat in seats_of(game)]
    players, turns = count("{n} player", "{n} players", len(names)), count("{n} turn", "{n} turns", view.turn)
    words = f"{players}, {turns}"
    shown = _shown(game, game.name, words, game.get_absolute_url(), view, names)
    return shown._replace(steps_url=reverse("game_history", args=[game.pk]))


def _shown(game: Game, title: str, words: str, url: str, view: Any, names: Sequence[str]) -> Showcase:
    history, board = history_of(game), board_of(game.ruleset)
    players = [Player(seat, name, history.worth[seat]) for seat, name in enumerate(names)]
    return Showcase(
        title,
        words,
        url,
        view.phase is None,
        history.labels,
        players,
        view.companies,
        view.chart,
        board.rules.title,
        board.score,
        board.front,
    )
