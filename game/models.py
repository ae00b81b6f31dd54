"""What is stored: games and seats, their log, and the board as rows that can be queried."""

from game.bots.share_models import BotShare
from game.chat.models import Chat, Mention, Message, Mute, Notebook, ReadMark, Report
from game.infra.models import KeptAnswer
from game.lobby.models import LearntLesson
from game.moderation.models import SharedTable, Trace
from game.outbox.push_models import PushSubscription
from game.outbox.webhook_models import Delivery, Webhook
from game.reputation.household_models import HouseholdLink
from game.reputation.rating_models import RatedResult, Rating, RatingBook
from game.site.models import SiteState
from game.store.access_models import Invitation, InvitationStop, Invitee, Rematch, Removal
from game.store.approval_models import SecondOpinion
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.bot_models import BotAccount
from game.store.case_models import Case, CaseNote, Comparison, KeptSanction, Sanction, Silence
from game.store.dry_run_models import Rehearsal
from game.store.game import Game, Keeper, Pace, Seat, Status
from game.store.heartbeat_models import Heart, Heartbeat, Outage
from game.store.log import Bundle, Draft, Intervention, Kind, LoggedAction, ModeratorAction, Notice, Volume, every_entry
from game.store.preference_models import Channel, How, Topic, Wish
from game.store.stand_in_models import Proxy
from game.store.tenure_models import Sitting
from game.store.time_models import PlayTimes, Vacation

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
