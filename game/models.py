"""The database models: games and seats, their log, and the board as queryable rows."""

from game.bots.models import BotShare
from game.chat.models import Chat, Mention, Message, Mute, Notebook, ReadMark, Report
from game.infra.models import StoredResponse
from game.lobby.models import LearntLesson
from game.moderation.models import Fingerprint, SharedTable
from game.outbox.models import Delivery, NotificationPreference, PushSubscription, Topic, Webhook
from game.reputation.models import HouseholdLink, RatedResult, Rating, RatingBook
from game.site.models import SiteState
from game.store.availability import PlayTimes, Vacation
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.case_models import Case, CaseNote, Comparison, KeptSanction, Sanction, Silence
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.heartbeats import DryRun, Heartbeat, Job, Outage
from game.store.log import Channel, Draft, Kind, LoggedAction, Notice, PackedLog, PackedSnapshots
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.packed_log import every_entry
from game.store.seat_models import (
    BotAccount,
    Copy,
    Invitation,
    InvitationStop,
    Invitee,
    Rematch,
    Removal,
    StandIn,
    Tenure,
)

__all__ = [
    "ApprovalRequest",
    "BotAccount",
    "BotShare",
    "Case",
    "CaseNote",
    "Channel",
    "Chat",
    "Company",
    "Comparison",
    "Contract",
    "Copy",
    "Delivery",
    "Draft",
    "DryRun",
    "Fingerprint",
    "Game",
    "Heartbeat",
    "Holding",
    "HouseholdLink",
    "Intervention",
    "Invitation",
    "InvitationStop",
    "Invitee",
    "Job",
    "Keeper",
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
    "NotificationPreference",
    "Order",
    "Outage",
    "Pace",
    "PackedLog",
    "PackedSnapshots",
    "PlayTimes",
    "PushSubscription",
    "RatedResult",
    "Rating",
    "RatingBook",
    "ReadMark",
    "Rematch",
    "Removal",
    "Report",
    "Sanction",
    "Seat",
    "SharedTable",
    "Silence",
    "SiteState",
    "StandIn",
    "Status",
    "StoredResponse",
    "Tenure",
    "Topic",
    "Vacation",
    "Webhook",
    "every_entry",
]
