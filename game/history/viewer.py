"""What one reader may see of a game now, for every page next to the board."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from game.boards.base import Board
from game.boards.drawing import shown_to
from game.boards.registry import board_of
from game.boards.sheets import Point, Sheet
from game.chat.page import ChatLink, chat_link, seat_rows_of
from game.seats.page import stand_ins_of, with_stand_ins
from game.store import eyes
from game.store.badges import SeatBadge, badges_of, name_in_game
from game.store.eyes import Eyes
from game.store.game import Game, Status
from game.store.readers import Reader, id_of
from game.store.rule_limits import Budget


class Viewer(NamedTuple):
    """The game as this reader sees it; `seat` is None for a stranger. After the end `view` shows every seat's
    secrets. `own_name` is the reader's name in the game, empty for visitors."""

    game: Game
    board: Board
    seats: tuple[SeatBadge, ...]
    seat: Eyes | None
    view: Any
    chat: ChatLink | None
    own_name: str

    @property
    def names(self) -> list[str]:
        """The players' names by seat number."""
        return [place.name for place in self.seats]

    @property
    def is_over(self) -> bool:
        """True if everything hidden is shown."""
        return self.game.status == Status.FINISHED

    @property
    def shown_names(self) -> list[str]:
        """The names on pages, where the reader's own is `You`. Programs and downloads get `names`."""
        return [*map(shown_to, self.seats)]

    def sheets(self, names: Sequence[str]) -> tuple[Sheet, ...]:
        return Budget().run(_build_sheets, self, names)

    def context(self, tab: str) -> dict[str, Any]:
        """The context of a page's head."""
        return {
            "game": self.game,
            "board": self.board,
            "seats": self.seats,
            "you": None if self.seat is None else self.seats[self.seat],
            "view": self.view,
            "tab": tab,
            "chat": self.chat,
        }


def viewer_of(game: Game, user: Reader) -> Viewer:
    user_id, rows = id_of(user), seat_rows_of(game_id=game.pk, user=user)
    seat = eyes.eyes_among(game, rows, user_id)
    view, chat = Budget().run(_load_view, game, seat), chat_link(game, eyes.own_among(game, rows, user_id))
    places = with_stand_ins(badges_of(rows, ruleset=game.ruleset, user_id=user_id), stand_ins_of(game))
    return Viewer(game, board_of(game.ruleset), places, seat, view, chat, name_in_game(places, user))


def _load_view(game: Game, seat: Eyes | None) -> Any:
    return eyes.whole_view(game, game.load_position(), seat)


def _build_sheets(viewer: Viewer, names: Sequence[str]) -> tuple[Sheet, ...]:
    rows = msgspec.structs.replace(viewer.board.rows(viewer.view), opening=_opening(viewer.game))
    return viewer.board.sheets(viewer.view, rows, names)


def _opening(game: Game) -> Point | None:
    """The first moment of the open turn; None before the second turn."""
    if len(game.course) < 2:
        return None
    return Point(dict(game.course[-2]["prices"]), tuple(game.course[-2]["worth"]))
