"""The game on the front page: a finished public one of this site, or one played by our bots, which visitors can step
through. Nothing in it is invented."""

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
from game.engine.ruleset import Ruleset
from game.lobby.host_choices import HOUSE
from game.store.board_rows import extend_course, history_of_course, seen_of
from game.store.game import Game, Status
from game.store.readers import BOT_NAMES, get_game, seats_of

LEAST_TURNS = 3  # shorter games have no story
MAX_CANDIDATES = 200  # newest public games that are considered
MAX_LINES = 3  # players: more lines are unreadable
BOTS, TURNS, SEED = 5, 8, "front page"


class Player(NamedTuple):
    """A line of the chart: the score after each turn, newest last."""

    seat: int
    name: str
    worth: Sequence[int]


class Showcase(NamedTuple):
    """A game as the front page shows it. Without `url` it is the bots' own; `template` is the board's part of the
    page, drawn with `styles`; `moving` is what of it differs from turn to turn."""

    title: str
    words: str
    url: str
    is_over: bool
    labels: Sequence[str]
    players: Sequence[Player]
    view: Any  # a stranger's, of the end or of the turn on display
    rules: Ruleset
    score: str = "Score"
    template: str = ""
    moving: str = ""
    styles: Sequence[str] = ()
    past: Sequence[Any] = ()  # a stranger's view after each turn, if the front page steps through it
    steps_url: str = ""  # the page that steps through it, if it is another
    turns: int = 0  # how many one can step through
    turn: int | None = None  # index in `labels` of the turn on display; None for the end

    def after(self, turn: int) -> Showcase:
        """The game as it was then; `turn` is an index in `labels`. An invalid one gives the end."""
        last = len(self.labels) - 1
        if not 0 <= turn < last:
            return self
        players = [player._replace(worth=player.worth[: turn + 1]) for player in self.players]
        labels, view = self.labels[: turn + 1], self.past[turn] if self.past else self.view
        return self._replace(labels=labels, players=players, view=view, is_over=False, turn=turn)

    @property
    def stops(self) -> list[tuple[int, str, bool]]:
        """The turns one can step to, each with its label and whether it is on display."""
        current = self.turns if self.turn is None else self.turn
        return [
            (place, str(place) if place else say_as("moment", "Start"), place == current)
            for place in range(self.turns + 1)
        ]

    @property
    def leaders(self) -> Sequence[Player]:
        """The players whose lines are drawn, the leader first."""
        return sorted(self.players, key=lambda player: -player.worth[-1])[:MAX_LINES]

    @property
    def story(self) -> str:
        """The score or the result in words, and when the second player led."""
        first, second = self.leaders[:2]
        gap = first.worth[-1] - second.worth[-1]
        facts = {"first": first.name, "worth": thousands(first.worth[-1]), "gap": thousands(gap), "second": second.name}
        lead = say(LEADS[self.is_over, gap > 0], **facts)
        turns = [
            int(label)
            for turn, label in enumerate(self.labels)
            if 0 < turn < len(self.labels) - 1 and self._leads(second, turn)
        ]
        words = [self.rules.turn_inside(turn) for turn in turns]
        if len(turns) > 2 and turns[-1] - turns[0] == len(turns) - 1:
            return say("{lead}, who led from {first} to {last}.", lead=lead, first=words[0], last=words[-1])
        return say("{lead}, who led after {turns}.", lead=lead, turns=listed(words)) if turns else f"{lead}."

    def _leads(self, player: Player, turn: int) -> bool:
        return all(player.worth[turn] > other.worth[turn] for other in self.players if other.seat != player.seat)


LEADS = {
    (True, True): mark("{first} ended with {worth}, {gap} ahead of {second}"),
    (True, False): mark("{first} ended with {worth}, as much as {second}"),
    (False, True): mark("{first} has {worth}, {gap} ahead of {second}"),
    (False, False): mark("{first} has {worth}, as much as {second}"),
}
"""The first player against the second, by whether the game is over and whether there is a gap."""


def front_board() -> Board:
    """The board of the front page's game: the first with a front template."""
    return next(board for board in BOARDS.values() if board.front)


def showcase() -> Showcase:
    """The longest of the newest public finished games; the bots' own game if none can be read."""
    try:
        longest = _longest()
        return _showcase_of_public(*longest) if longest else played()
    except (Error, Damaged):
        return played()


@kept()
def played() -> Showcase:
    """A bots' game from a fixed seed by today's rules: played once per process, in about a tenth of a second."""
    rules = front_board().rules
    positions: dict[int, AnyPosition] = {}
    bots = [rules.bots[HOUSE]] * BOTS

    def watch(actions: Any, outcome: Any) -> None:
        positions[outcome.position.state.turn if positions else 0] = outcome.position

    last = selfplay.play_out(rules, rules.parse_options({"max_turns": TURNS}), bots, Chance(SEED), watch).position
    game = Game(ruleset=rules.key)
    views = []
    for position in positions.values():
        game.course = extend_course(game.course, seen_of(game, position))
        views.append(rules.view(position, None))
    bots_text, end = count("{n} bot", "{n} bots", BOTS), rules.turn_inside(last.state.turn)
    words = say("{bots}, over after {turn}; a real game, played on this site", bots=bots_text, turn=end)
    return _build_showcase(
        game, say("A game among bots"), words, "", rules.view(last, None), BOT_NAMES[:BOTS]
    )._replace(past=views)


def _longest() -> tuple[int, int] | None:
    """The key and version of the longest of the newest public finished games."""
    newest = Game.objects.filter(ruleset=front_board().rules.key, is_open=True, status=Status.FINISHED)
    candidates = Game.objects.filter(pk__in=newest.order_by("-pk").values("pk")[:MAX_CANDIDATES], turn__gte=LEAST_TURNS)
    return candidates.order_by("-turn", "-pk").values_list("pk", "version").first()


@kept(4)
def _showcase_of_public(game_id: int, version: int) -> Showcase:
    """A stranger's view of the game, built once per version."""
    game = get_game(game_id=game_id)
    assert game is not None
    view, names = game.rules.view(game.load_position(), None), [seat.shown_name for seat in seats_of(game)]
    players = count("{n} player", "{n} players", len(names))
    words = say("{players}, over after {turn}", players=players, turn=game.rules.turn_inside(view.turn))
    public_showcase = _build_showcase(game, game.name, words, game.get_absolute_url(), view, names)
    return public_showcase._replace(steps_url=reverse("game_history", args=[game.pk]))


def _build_showcase(game: Game, title: str, words: str, url: str, view: Any, names: Sequence[str]) -> Showcase:
    history, board = history_of_course(game.course, by_turn=True), board_of(game.ruleset)
    players = [Player(seat, name, history.worth[seat]) for seat, name in enumerate(names)]
    return Showcase(
        title,
        words,
        url,
        view.phase is None,
        history.labels,
        players,
        view,
        board.rules,
        board.score,
        board.front,
        board.front_chart,
        board.styles,
        turns=len(history.labels) - 1,
    )
