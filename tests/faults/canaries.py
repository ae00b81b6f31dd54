"""What no log and no mail may ever hold: the lots of games, what is sealed in them, and the keys of people and of the
site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from email.message import EmailMessage

SHORTEST = 8  # characters: what is shorter stands in a log by chance
FRAME = (b"\x28\xb5\x2f\xfd".hex(), r"\xb5/\xfd")  # what packed positions and actions begin with, in both spellings


def told(said: str) -> Iterator[str]:
    """One sentence for each kind of secret that somebody has said; no secret is repeated."""
    for what, texts in secrets().items():
        if any(text in said for text in texts if len(text) >= SHORTEST):
            yield f"a log or a mail holds {what}"


def secrets() -> dict[str, set[str]]:
    """All that this site keeps to itself, by what it is."""
    return {
        "the seed of a game": set(_seeds()),
        "a sealed order": {*_orders(), *FRAME},
        "a hand": set(_positions()),
        "a session": set(_sessions()),
        "a key": set(_keys()),
        "a password's hash": set(_passwords()),
    }


def _seeds() -> Iterator[str]:
    from game.store.game import Game

    for secret, past in Game.objects.values_list("secret", "past_secrets"):
        yield from (secret, *(earlier for _, earlier in past))


def _orders() -> Iterator[str]:
    """What an action is called as JSON and as bytes, and as a struct."""
    from game.rulesets.registry import RULESETS

    for ruleset in RULESETS.values():
        for tag, action in ruleset.actions.items():
            yield from (tag if "_" in tag else "", f"{action.__name__}(actor=")


def _positions() -> Iterator[str]:
    """How the position of a game begins when somebody writes it down."""
    from game.store.game import Game

    for game in Game.objects.exclude(state=b""):
        yield f"{type(game.load_position().state).__name__}(seats="


def _sessions() -> Iterator[str]:
    from django.contrib.sessions.models import Session

    yield from Session.objects.values_list("session_key", flat=True)


def _keys() -> Iterator[str]:
    """Of the site, of invitations, of programs, of webhooks and of browsers."""
    from django.conf import settings

    from accounts.models import ApiToken
    from game.outbox.models import PushSubscription, Webhook

    yield settings.SECRET_KEY
    yield from ApiToken.objects.values_list("digest", flat=True)
    for pair in Webhook.objects.values_list("secret", "earlier_secret"):
        yield from pair
    for pair in PushSubscription.objects.values_list("p256dh", "auth"):
        yield from pair


def _passwords() -> Iterator[str]:
    from accounts.models import User

    yield from User.objects.exclude(password__startswith="!").values_list("password", flat=True)


def words_of(mails: Sequence[EmailMessage]) -> str:
    """Everything that mails say, in the form in which people read it."""
    parts = [part.get_content() for mail in mails for part in mail.walk() if part.get_content_maintype() == "text"]
    headers = [f"{name}: {value}" for mail in mails for name, value in mail.items()]
    return "\n".join([*headers, *parts])
