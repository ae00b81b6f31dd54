"""Email as a channel: composes a mail when it is sent, most urgent game first."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.addresses import is_reachable, note_bounce
from accounts.emails import Letter
from accounts.languages import override_language
from accounts.mail_server import MailConnection, NotAccepted
from accounts.models import Bounce, User
from accounts.quiet_hours import zone_of
from game.delivery import unsubscribing
from game.delivery.matters import MENTION, MISSED, Matter, brief_matter, matter_of
from game.i18n import city_of
from game.outbox.models import Topic
from game.outbox.notice_kinds import KINDS, row_of
from game.outbox.preferences import OF_MAIL
from game.site import features
from game.store.game import Seat, Status
from game.store.log import Channel, Notice
from game.store.moderation_models import number_of

TURN, REMINDER, MOVED = Notice.Kind.TURN, Notice.Kind.REMINDER, Notice.Kind.MOVED
BLANK_LINES = re.compile(r"\n{3,}")
LIST_FROM = 3  # a mail about this many games is a list, or about two if both ask for a decision
SHOWN_WITH_DECISION = frozenset(kind for kind, row in KINDS.items() if row.is_told_with_decision)


def _compose(notices: Sequence[Notice], now: datetime) -> Letter:
    """One email about everything due to one person, most urgent first."""
    user, heads = notices[0].user, _one_per_game(notices)
    decisions = [head for head in heads if head.kind in Notice.ASKING]
    is_list = len(heads) >= LIST_FROM or len(decisions) > 1 or any(notice.in_digest for notice in notices)
    kind = "digest" if is_list else row_of(heads[0]).mail
    topics = {row_of(head).topic for head in heads}
    matters = [matter_of(head, notices, now) for head in heads]
    matters = [
        replace(each, news=_further_news(each, notices, _kinds_in_text(each, heads[0], is_list))) for each in matters
    ]
    context = _context(user, topics, matters) | {
        "is_list": is_list,
        "matter": matters[0],
        "matters": matters,
        "decisions": [matter for matter in matters if matter.asks_for_decision],
        "others": matters[1:],
        "sealed": [matter for matter in matters if matter.fingerprint],
        "is_reminder": heads[0].kind == REMINDER,
        "has_moved": heads[0].kind == MOVED,
    }
    subject = " ".join(render_to_string(f"mail/{kind}_subject.txt", context).split())
    context |= {"subject": subject, "paragraph": f"mail/_{kind}.txt"}
    text = BLANK_LINES.sub("\n\n", render_to_string(_layouts(kind, "txt"), context))
    email = Letter(subject, text, to=[user.email])
    email.attach_alternative(render_to_string(_layouts(kind, "html"), context), "text/html")
    email.extra_headers = _thread_headers(heads) | {"Auto-Submitted": "auto-generated"}
    email.extra_headers |= unsubscribing.headers(user, topics)
    return email


def _layouts(kind: str, suffix: str) -> list[str]:
    """A mail's own layout or, without one, that of the mails with a single paragraph, such as `_pause.txt`."""
    return [f"mail/{kind}.{suffix}", f"mail/paragraph.{suffix}"]


def _thread_headers(heads: Sequence[Notice]) -> dict[str, str]:
    """All emails about one game reply to the same message, which was never sent, so that mail programs group them. An
    email about several games belongs to no thread."""
    headers = {"Message-ID": _message_id(_message_name(heads[0]))}
    if len(heads) > 1:
        return headers
    game = _message_id(f"game-{heads[0].game_id}")
    return headers | {"In-Reply-To": game, "References": game}


def _message_name(head: Notice) -> str:
    """A name that stays the same for every attempt. It omits the row's key, which would reveal how many notices others
    get. A moved deadline uses the same row for each move, so its name has the new time."""
    moved_to = head.game.deadline_at if head.kind == MOVED else None
    name = f"notice-{number_of(head, head.pk)}"
    return f"{name}-{moved_to.timestamp():.0f}" if moved_to else name


def _context(user: User, topics: Collection[Topic], matters: Sequence[Matter]) -> dict[str, Any]:
    zone, game = zone_of(user), matters[0].notice.game
    is_invited = any(matter.notice.kind == Notice.Kind.INVITED for matter in matters)
    is_one, site = len(matters) == 1, settings.SITE_URL
    has_left = is_one and row_of(matters[0].notice).has_lost_seat
    # Only one's own games have a page about their emails, until they are closed.
    is_elsewhere = is_invited or has_left or game.status == Status.ABANDONED
    is_own = is_one and not is_elsewhere and bool(matters[0].url)
    return {
        "language": user.language,
        "city": city_of(zone),
        "unsubscribe_url": unsubscribing.address(user, topics),
        "mute_url": unsubscribing.address(user, OF_MAIL, game_id=game.pk) if is_one else "",
        "is_invited": is_invited,
        "has_left": has_left,
        "settings_url": site + (reverse("game_notifications", args=[game.pk]) if is_own else reverse("notifications")),
    }


def _one_per_game(notices: Sequence[Notice]) -> list[Notice]:
    """The most urgent notice of each game; the others are mentioned in its mail."""
    by_game: dict[int, Notice] = {}
    for notice in sorted(notices, key=_urgency):
        by_game.setdefault(notice.game_id, notice)
    return list(by_game.values())


def _urgency(notice: Notice) -> tuple[bool, int, float, int]:
    deadline = notice.game.deadline_at
    is_asking = notice.kind in Notice.ASKING
    when = deadline.timestamp() if is_asking and deadline else 0.0
    return (not is_asking, row_of(notice).mail_order, when, notice.pk)


def _kinds_in_text(matter: Matter, first: Notice, is_list: bool) -> frozenset[Notice.Kind]:
    """The kinds of notices that the mail covers besides a game's head."""
    if is_list:
        return frozenset({MENTION, MISSED})
    if matter.notice != first:
        return frozenset()
    if matter.asks_for_decision:
        return SHOWN_WITH_DECISION
    return frozenset({MENTION} if row_of(first).lists_mentions else ())


def _further_news(matter: Matter, notices: Sequence[Notice], in_text: Collection[Notice.Kind]) -> tuple[Matter, ...]:
    """Other kinds of notices about a game, in order, without those that the mail covers already."""
    head = matter.notice
    covered = {head.kind, *Notice.ASKING, *in_text}
    others = {other.kind: other for other in notices if other.game_id == head.game_id and other.kind not in covered}
    seats = list(Seat.objects.filter(game=head.game).select_related("user")) if others else []
    return tuple(brief_matter(other, notices, seats) for other in others.values())


def _message_id(name: str) -> str:
    """A message id that depends only on the name, so that mail programs group the mails. After a restore, row numbers
    repeat and mailboxes would drop a known id, so a word chosen at each restore is part of it."""
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    restored = features.recent_row().restored
    return f"<{name}-{restored}@{host}>" if restored else f"<{name}@{host}>"


class EmailChannel:
    """Sends to the person's address, if it is confirmed and has not bounced."""

    kind = Channel.MAIL
    most_a_day: int | None = 6

    def __init__(self) -> None:
        self._line = MailConnection()
        self.window: timedelta = settings.MAIL_WINDOW

    def reaches(self, user: User) -> bool:
        return is_reachable(user)

    def write(self, notices: Sequence[Notice], *, now: datetime) -> Letter:
        with override_language(notices[0].user.language):
            return _compose(notices, now)

    def open(self) -> None:
        self._line.open()

    def send(self, message: EmailMessage) -> None:
        try:
            self._line.send(message)
        except NotAccepted as refused:
            if refused.is_mailbox_gone:
                note_bounce(message.to[0], Bounce.Why.UNKNOWN, str(refused))
            raise

    def close(self) -> None:
        self._line.close()
