"""Webhooks of chat services. Discord, Slack and Telegram take messages in a shape of their own, which their addresses
tell apart. They echo no challenge: such an address is a secret of its owner, so accepting a message is consent."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec
from django.conf import settings

from accounts.languages import override_language
from accounts.models import User
from accounts.quiet_hours import zone_of
from game.boards.registry import board_of
from game.engine.language import apart, mark, say
from game.i18n import SHORT_DAY, date_words
from game.infra.safe_http import Answer
from game.outbox.models import Delivery
from game.outbox.webhook_types import INVITED, MOVED, OPENED, PING, REMINDER, TYPES
from game.store import eyes
from game.store.eyes import eyes_abroad
from game.store.game import Game, Seat
from game.store.rule_limits import Budget

MOST = 1_900  # characters; Discord takes 2,000, the others more
ASKING = {OPENED, REMINDER, MOVED}
HELLO = mark("{site} tells {name} about their games here.")
UNTIL = mark("{ask} (until {until})")
SLACK_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Service(NamedTuple):
    """A chat service: `url` matches its addresses without their query, `body` makes the message of a text and of the
    query, `accepts` reads its answer."""

    title: str
    url: re.Pattern[str]
    body: Callable[[str, dict[str, list[str]]], dict[str, Any]]
    accepts: Callable[[Answer], bool]


def _discord_body(text: str, query: dict[str, list[str]]) -> dict[str, Any]:
    """The body for Discord. Without `allowed_mentions`, the name of a game could call everybody on a server."""
    return {"content": text[:MOST], "allowed_mentions": {"parse": []}}


def _slack_body(text: str, query: dict[str, list[str]]) -> dict[str, Any]:
    return {"text": text[:MOST].translate(SLACK_ESCAPES)}


def _telegram_body(text: str, query: dict[str, list[str]]) -> dict[str, Any]:
    return {"chat_id": query.get("chat_id", [""])[0], "text": text[:MOST]}


SERVICES = (
    Service(
        "Discord",
        re.compile(r"https://(?:\w+\.)?discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/[\w-]+"),
        _discord_body,
        lambda answer: answer.status in {200, 204},
    ),
    Service(
        "Slack",
        re.compile(r"https://hooks\.slack(?:-gov)?\.com/services/\w+/\w+/\w+"),
        _slack_body,
        lambda answer: answer.body.strip() == b"ok",
    ),
    Service(
        "Telegram",
        re.compile(r"https://api\.telegram\.org/bot\d+:[\w-]+/sendMessage"),
        _telegram_body,
        lambda answer: answer.body.lstrip().startswith(b'{"ok":true'),
    ),
)


def service_of(url: str) -> Service | None:
    """The chat service to which an address belongs."""
    place = url.partition("?")[0]
    return next((service for service in SERVICES if service.url.fullmatch(place)), None)


def compose(service: Service, delivery: Delivery) -> str:
    """The message as the service takes it, in the owner's language."""
    with override_language(delivery.webhook.user.language):
        text = _text_of(delivery)
    query = parse_qs(urlsplit(delivery.webhook.url).query)
    return msgspec.json.encode(service.body(text, query)).decode()


def _text_of(delivery: Delivery) -> str:
    """The event, the game, the question with its deadline, and a link: no more than a browser notification says."""
    user, game = delivery.webhook.user, delivery.game
    if delivery.type == PING or game is None:
        words = str(TYPES[delivery.type]) if delivery.type in TYPES else HELLO
        return f"{say(words, site=settings.SITE_URL, name=user.username)}\n{settings.SITE_URL}"
    is_visible = eyes.may_see(game=game, user_id=user.pk) and delivery.type != INVITED
    name = apart(game.name) if is_visible else game.rules.title
    words = str(TYPES[delivery.type])
    if delivery.type in ASKING and delivery.seat is not None and is_visible and delivery.serial == game.phase_serial:
        words = _question(game, delivery.seat, user)
    url = settings.SITE_URL + (game.get_absolute_url() if is_visible else "/")
    return f"{name}: {words}\n{url}"


def _question(game: Game, number: int, user: User) -> str:
    """The question of the open phase to the seat, and its deadline."""
    seat = eyes_abroad(game, list(Seat.objects.filter(game=game, number=number)), user.pk)
    view = Budget().run(lambda: eyes.view(game, game.load_position(), seat))
    ask = board_of(game.ruleset).prompt(view)
    if game.deadline_at is None:
        return ask
    here = game.deadline_at.astimezone(zone_of(user))
    until = say("{date}, {clock}", date=date_words(here, SHORT_DAY), clock=f"{here:%H:%M}")
    return say(UNTIL, ask=ask, until=until)
