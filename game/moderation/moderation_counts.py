"""Public monthly counts of moderators' acts: no names, no games, no reasons.

Readings of sealed orders are counted after the players were told, and acts about a case after it is closed: in a quiet
month a number could reveal whom it is about."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count
from django.db.models.functions import TruncMonth
from django.utils import timezone

from game.engine.language import mark
from game.store.approval_models import SecondOpinion
from game.store.case_models import Case
from game.store.log import Intervention, ModeratorAction

MONTHS = 12
I = Intervention  # noqa: E741
KINDS: dict[str, tuple[Intervention, ...]] = {
    mark("Clocks: paused, resumed, extended, closed early"): (
        I.PAUSE, I.RESUME, I.EXTEND_DEADLINE, I.RESOLVE_NOW, I.EXCUSE_MISS,
    ),
    mark("Seats handed over"): (I.HAND_SEAT_TO_BOT, I.HAND_SEAT_TO_USER, I.SET_PROXY, I.END_PROXY),
    mark("Repairs: held, restarted, restored, removed"): (I.HOLD, I.RETRY, I.RESTORE_FROM_LOG, I.REMOVE_TABLE),
    mark("Rewinds"): (I.REWIND_TO,),
    mark("Corrections: a resolution replaced, money put right"): (I.APPLY_RERUN, I.CORRECT_MONEY),
    mark("Messages removed, reports closed"): (I.REMOVE_MESSAGE, I.CLOSE_REPORT),
    mark("Warnings"): (I.WARN,),
    mark("Players silenced or kept from joining"): (I.SILENCE, I.BAR_FROM_JOINING),
    mark("Bans"): (I.BAN,),
    mark("Sanctions ended early"): (I.LIFT_SANCTION,),
    mark("Accounts closed or renamed"): (I.CLOSE_ACCOUNT, I.CHANGE_IDENTITY),
    mark("Second factors taken away"): (I.TAKE_SECOND_FACTOR,),
    mark("Emails sent again to addresses that refused them"): (I.LIFT_BOUNCE,),
    mark("Powers of staff changed"): (I.CHANGE_POWERS,),
    mark("Sealed orders read in a running game"): (I.READ_SECRETS,),
    mark("Cases, exports, comparisons, shared homes recorded"): (
        I.HANDLE_CASES, I.EXPORT_BUNDLE, I.COMPARE_PLAYERS, I.LINK_PLAYERS,
    ),
    mark("The whole site: banner, deadlines stopped or moved, parts switched off"): (
        I.SET_BANNER, I.STOP_RESOLVING, I.SHIFT_DEADLINES, I.SWITCH_FEATURES,
    ),
}  # fmt: skip


class Month(NamedTuple):
    """How often each of `KINDS` happened in a month."""

    first: datetime
    counts: list[int]


def months() -> list[Month]:
    """The last twelve months in which anything happened, newest first: two statements."""
    open_cases = list(Case.objects.filter(closed_at=None).order_by().values_list("pk", flat=True))
    undisclosed = SecondOpinion.objects.filter(what=I.READ_SECRETS, answer="confirmed", told_at=None)
    rows = (
        ModeratorAction.objects.filter(verb__in=Intervention.values)
        .exclude(verb=I.READ_SECRETS, game__in=undisclosed.values("game"))
        .exclude(pk__in=ModeratorAction.objects.filter(details__case__in=open_cases).order_by().values("pk"))
        .order_by()
        .annotate(month=TruncMonth("at", tzinfo=timezone.get_default_timezone()))
        .values_list("month", "verb")
        .annotate(n=Count("pk"))
    )
    counts_by_month: dict[datetime, dict[str, int]] = defaultdict(dict)
    for month, verb, count in rows:
        counts_by_month[month][verb] = count
    newest = sorted(counts_by_month, reverse=True)[:MONTHS]
    return [
        Month(each, [sum(counts_by_month[each].get(verb, 0) for verb in verbs) for verbs in KINDS.values()])
        for each in newest
    ]
