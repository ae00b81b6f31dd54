"""What is stored: games and seats, their log, and the board as rows that can be queried."""

from game.models.attendance import Sitting
from game.models.board import Company, Contract, Holding, Order
from game.models.door import Invitation, Removal
from game.models.game import Game, Heartbeat, Keeper, Pace, Seat, Status
from game.models.log import Bundle, Draft, Intervention, Kind, LoggedAction, ModeratorAction, Notice

__all__ = [
    "Bundle",
    "Company",
    "Contract",
    "Draft",
    "Game",
    "Heartbeat",
    "Holding",
    "Intervention",
    "Invitation",
    "Keeper",
    "Kind",
    "LoggedAction",
    "ModeratorAction",
    "Notice",
    "Order",
    "Pace",
    "Removal",
    "Seat",
    "Sitting",
    "Status",
]
