"""What is stored: games and seats, their log, and the board as rows that can be queried."""

from game.infra.models import KeptAnswer
from game.models.attendance import Sitting
from game.models.board import Company, Contract, Holding, Order
from game.models.bot_accounts import BotAccount
from game.models.browsers import PushSubscription
from game.models.cases import Case, CaseNote, Comparison, KeptSanction, Sanction
from game.models.chat import Chat, Mention, Message, Mute, Notebook, ReadMark, Report, Silence
from game.models.desk import SecondOpinion
from game.models.door import Invitation, InvitationStop, Invitee, Rematch, Removal
from game.models.game import Game, Keeper, Pace, Seat, Status
from game.models.hearts import Heart, Heartbeat, Outage
from game.models.households import HouseholdLink
from game.models.lessons import LearntLesson
from game.models.log import (
    Bundle,
    Draft,
    Intervention,
    Kind,
    LoggedAction,
    ModeratorAction,
    Notice,
    Volume,
    every_entry,
)
from game.models.proxies import Proxy
from game.models.ratings import RatedResult, Rating, RatingBook
from game.models.rehearsals import Rehearsal
from game.models.shares import BotShare
from game.models.times import PlayTimes, Vacation
from game.models.traces import SharedTable, Trace
from game.models.webhooks import Delivery, Webhook
from game.models.wishes import Channel, How, Topic, Wish
from game.site.models import SiteState

__all__ = [
    "BotAccount",
    "BotShare",
    "Bundle",
    "Case",
    "CaseNote",
    "Channel",
    "Chat",
    "Company",
    "Comparison",
    "Contract",
    "Delivery",
    "Draft",
    "Game",
    "Heart",
    "Heartbeat",
    "Holding",
    "HouseholdLink",
    "How",
    "Intervention",
    "Invitation",
    "InvitationStop",
    "Invitee",
    "Keeper",
    "KeptAnswer",
    "KeptSanction",
    "Kind",
    "LearntLesson",
    "LoggedAction",
    "Mention",
    "Message",
    "ModeratorAction",
    "Mute",
    "Notebook",
    "Notice",
    "Order",
    "Outage",
    "Pace",
    "PlayTimes",
    "Proxy",
    "PushSubscription",
    "RatedResult",
    "Rating",
    "RatingBook",
    "ReadMark",
    "Rehearsal",
    "Rematch",
    "Removal",
    "Report",
    "Sanction",
    "Seat",
    "SecondOpinion",
    "SharedTable",
    "Silence",
    "SiteState",
    "Sitting",
    "Status",
    "Topic",
    "Trace",
    "Vacation",
    "Volume",
    "Webhook",
    "Wish",
    "every_entry",
]
