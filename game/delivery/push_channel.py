"""Browser notifications as a channel (RFC 8030, 8188, 8291, 8292)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.urls import reverse

from accounts.addresses import bounce_of
from accounts.languages import override_language
from accounts.mail_server import NotAccepted
from accounts.models import Bounce, User
from accounts.quiet_hours import zone_of
from game.boards.registry import board_of
from game.engine.language import mark, say
from game.i18n import SHORT_DAY, date_words
from game.infra import safe_http
from game.infra.safe_http import Unreachable
from game.outbox import push_subscriptions, reachability
from game.outbox.models import PushSubscription
from game.outbox.notice_kinds import row_of
from game.site import features
from game.store import eyes, readers
from game.store.eyes import eyes_abroad
from game.store.log import Channel, Notice
from game.store.rule_limits import Budget

LONGEST = timedelta(days=1)  # for which the push service stores a message
LONGEST_ROUND = 20.0  # seconds for all browsers of a person; after that, no further delivery starts
TOKEN_LASTS = 12 * 3600  # seconds
UNTIL, MOVED = mark("{ask} (until {until})"), mark("The deadline has moved: {ask} (until {until})")


class Push(NamedTuple):
    """One browser notification. A later one of the same topic replaces it."""

    user: User
    topic: str
    text: bytes
    lasts: int
    is_urgent: bool


class PushChannel:
    """Sends to every browser that the person has subscribed."""

    kind = Channel.PUSH
    window = timedelta(0)
    most_a_day: int | None = None

    def reaches(self, user: User) -> bool:
        return not features.is_off(features.PUSH) and user.pk in push_subscriptions.reached([user.pk])

    def write(self, notices: Sequence[Notice], *, now: datetime) -> list[Push]:
        """One notification for each game, one for its chat, one for its votes, and one about the reader's address."""
        heads: dict[str, Notice] = {}
        for notice in sorted(notices, key=lambda each: (each.kind not in Notice.ASKING, each.pk)):
            heads.setdefault(_topic_of(notice), notice)
        with override_language(notices[0].user.language):
            return [_compose(notice, now) for notice in heads.values()]

    def open(self) -> None:
        """Each browser has a connection of its own."""

    def send(self, message: Sequence[Push]) -> None:
        """Raises `NotAccepted` if no browser has accepted everything; a second copy replaces the first."""
        places = list(message[0].user.push_subscriptions.all())
        ends = time.monotonic() + LONGEST_ROUND
        troubles = [trouble for place in places if (trouble := _deliver(place, message, ends))]
        if not places or len(troubles) == len(places):
            is_left = message[0].user.push_subscriptions.exists()
            raise NotAccepted(", ".join(troubles) or "No browser is left.", is_permanent=not is_left)

    def close(self) -> None:
        """Nothing to close: each request has its own connection."""


def _topic_of(notice: Notice) -> str:
    """The topic of a notification. A game's status replaces its earlier notification; chat and votes do not."""
    if notice.kind == Notice.Kind.BOUNCED:
        return "address"
    suffix = row_of(notice).push_group
    return f"game-{notice.game_id}-{suffix}" if suffix else f"game-{notice.game_id}"


def _compose(notice: Notice, now: datetime) -> Push:
    if notice.kind != Notice.Kind.BOUNCED:
        return _compose_for_game(notice, now)
    bounce = bounce_of(notice.user)
    reason = reachability.of_returned_mail(is_spam=bounce is not None and bounce.why == Bounce.Why.SPAM)
    return _make_push(notice, {"title": reason.mend, "body": reason.text}, reason.url, LONGEST)


def _compose_for_game(notice: Notice, now: datetime) -> Push:
    """Write the game's name, what it asks and a link: no more than the subject of an email says. Invited people read
    nothing that the host wrote."""
    game, lifetime = notice.game, LONGEST
    kind, row = Notice.Kind(notice.kind), row_of(notice)
    title, text = game.name, say(row.push) if row.push else str(row.topic.label)
    if kind == Notice.Kind.INVITED:
        title, text = game.rules.title, say("{host} invites you to a game.", host=readers.host_of(game))
    if notice.kind in Notice.ASKING:
        seat = eyes_abroad(game, [notice.seat], notice.user_id)
        view = Budget().run(lambda: eyes.view(game, game.load_position(), seat))
        text = board_of(game.ruleset).prompt(view)
        if game.deadline_at is not None:
            here = game.deadline_at.astimezone(zone_of(notice.user))
            until = say("{date}, {clock}", date=date_words(here, SHORT_DAY), clock=f"{here:%H:%M}")
            form = MOVED if notice.kind == Notice.Kind.MOVED else UNTIL
            text, lifetime = say(form, ask=text, until=until), min(LONGEST, game.deadline_at - now)
    is_talk = notice.kind == Notice.Kind.MENTION
    url = reverse("chat", args=[game.pk]) if is_talk else game.get_absolute_url()
    if not eyes.may_see(game=game, user_id=notice.user_id):
        url = reverse("home")
    return _make_push(notice, {"title": title, "body": text}, url, lifetime)


def _make_push(notice: Notice, payload: Mapping[str, str], url: str, lifetime: timedelta) -> Push:
    topic, seconds = _topic_of(notice), max(int(lifetime.total_seconds()), 0)
    text = msgspec.json.encode({**payload, "url": settings.SITE_URL + url, "tag": topic})
    return Push(notice.user, topic, text, seconds, notice.kind == Notice.Kind.REMINDER)


def _deliver(place: PushSubscription, messages: Sequence[Push], ends: float) -> str:
    """Send to one browser. Returns what went wrong, if anything. A browser that will never accept anything is
    forgotten."""
    for message in messages:
        if time.monotonic() > ends:
            return "The browsers before it took too long."
        if not push_subscriptions.may_be_asked(place):
            return "Its service has taken nothing, however often it was asked."
        try:
            body, headers = _encrypt(place, message)
            status = safe_http.post(place.endpoint, body, headers).status
        except Unreachable as error:
            push_subscriptions.note_failure(place, None)
            return str(error)
        except ValueError:  # a key that is not a point on the curve
            place.delete()
            return "The keys of this browser cannot be read."
        if not 200 <= status < 300:
            push_subscriptions.note_failure(place, status)
            return f"HTTP {status}"
        push_subscriptions.note_success(place)
    return ""


def _encrypt(place: PushSubscription, message: Push) -> tuple[bytes, Mapping[str, str]]:
    """Encrypted for the browser, and signed for its push service."""
    from py_vapid import Vapid02
    from pywebpush import WebPusher  # both are large, and only the sending process needs them

    keys = {"p256dh": place.p256dh, "auth": place.auth}
    encrypted = WebPusher({"endpoint": place.endpoint, "keys": keys}).encode(message.text)
    parts = urlsplit(place.endpoint)
    claims: dict[str, Any] = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + TOKEN_LASTS,
        "sub": f"mailto:{parseaddr(settings.SERVER_EMAIL)[1]}",
    }
    signer = Vapid02.from_raw(settings.PUSH_KEY.encode())
    signer.conf = {"no-strict": True}  # otherwise it rejects hosts without a dot, as on private networks
    auth_headers = signer.sign(claims)
    headers = {
        **auth_headers,
        "TTL": str(message.lasts),
        "Topic": message.topic,
        "Urgency": "high" if message.is_urgent else "normal",
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
    }
    return bytes(encrypted["body"]), headers
