"""Admins' changes to the whole site: a banner, read-only pages, stopped or moved deadlines. Pages read them from the
cache, without a query; every sweep writes it again. Without a cache entry there is no banner, but the row says what
players may do (`site_row`)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now
from django.utils import timezone

from accounts.models import User
from game.engine.actions import Refused
from game.moderation import interventions, permissions
from game.play import clocks, door, moves
from game.site import features
from game.site.models import SiteState
from game.store.game import Game, Status
from game.store.heartbeats import Outage
from game.store.log import Kind
from game.store.moderation_models import Intervention
from game.store.readers import lock_games

KEY, OUTAGE_KEY, CACHED_FOR = "site-state", "site-was-away", 120  # seconds
SHORTEST_MENTIONED = timedelta(minutes=5)  # of an outage
MENTIONED_FOR = timedelta(days=1)  # after the end of an outage
MOST_HOURS = 72


def state() -> SiteState:
    """The current settings."""
    return features.read_row()


def refresh() -> SiteState:
    """Write the settings to the cache that pages read."""
    settings_row = state()
    features.remember_row(settings_row)
    is_set = settings_row.banner_en or settings_row.is_read_only
    until = settings_row.banner_until.timestamp() if settings_row.banner_until else 0
    facts = [settings_row.banner_en, settings_row.banner_de, until, settings_row.is_read_only]
    cache.set(KEY, facts if is_set else [], CACHED_FOR)
    cache.set(OUTAGE_KEY, _last_outage(), CACHED_FOR)
    features.cache_off_features(settings_row.features_off)
    return settings_row


def _last_outage() -> list[float]:
    """The start and end of the last outage that moved a deadline, was long enough to mention and ended within a day."""
    moving = Outage.objects.filter(moved_up_to__gt=0, ended_at__gte=timezone.now() - MENTIONED_FOR)
    last = moving.filter(ended_at__gte=F("began_at") + SHORTEST_MENTIONED).order_by("-pk").first()
    return [last.began_at.timestamp(), last.ended_at.timestamp()] if last else []


def last_outage() -> tuple[datetime, datetime] | None:
    """The start and end of the period without processing of deadlines, if it was within the last day."""
    ends = features.recent_value(OUTAGE_KEY)
    return (_instant(ends[0]), _instant(ends[1])) if ends else None


def _instant(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def banner(language: str) -> str:
    """The banner that every page shows now; usually empty."""
    facts = features.recent_value(KEY)
    if not facts or (facts[2] and facts[2] <= timezone.now().timestamp()):
        return ""
    return str(facts[1] or facts[0]) if language == "de" else str(facts[0])


def is_read_only() -> bool:
    facts = cache.get(KEY)
    return features.recent_row().is_read_only if facts is None else bool(facts and facts[3])


@transaction.atomic
def set_banner(
    *, moderator: User, reason: str, english: str, german: str, until: datetime | None, is_read_only: bool
) -> None:
    """Set the banner, or remove it with empty texts, and set whether the site is read-only. While it is, no deadline
    closes a phase. Raises `Refused`."""
    permissions.check(Intervention.SET_BANNER, moderator, reason)
    if bool(english.strip()) != bool(german.strip()):
        raise Refused("A banner needs both languages.", code="text_missing", field="german")
    if is_read_only and not english.strip():
        raise Refused("Say in the banner why players can only read.", code="text_missing", field="english")
    site = _lock_site()
    site.banner_en, site.banner_de = permissions.clean_reason(english)[:200], permissions.clean_reason(german)[:200]
    site.banner_until, site.is_read_only = until, is_read_only
    _save(site, moderator, Intervention.SET_BANNER, reason, banner=site.banner_en, read_only=is_read_only)


@transaction.atomic
def stop_resolving(*, moderator: User, reason: str, is_stopped: bool) -> None:
    """Stop all deadlines, or start them again, each later by the time they were stopped, once the site is not
    read-only. Raises `Refused`."""
    permissions.check(Intervention.STOP_RESOLVING, moderator, reason)
    site = _lock_site()
    if is_stopped == site.is_stopped:
        raise Refused("That is so already.", code="nothing_changes")
    site.is_stopped = is_stopped
    _save(site, moderator, Intervention.STOP_RESOLVING, reason, deadlines="stopped" if is_stopped else "run again")


@transaction.atomic
def switch_features(*, moderator: User, reason: str, is_on: Collection[str]) -> None:
    """Switch these parts of the site on and all others off; at least one ruleset must remain. Raises `Refused`."""
    permissions.check(Intervention.SWITCH_FEATURES, moderator, reason)
    off = [feature for feature in features.feature_keys() if feature not in is_on]
    if not any(feature.startswith(features.RULESET) for feature in is_on):
        raise Refused("At least one game must be offered.", code="nothing_offered", field="is_on")
    site = _lock_site()
    if off == site.features_off:
        raise Refused("That is so already.", code="nothing_changes")
    site.features_off = off
    _save(site, moderator, Intervention.SWITCH_FEATURES, reason, switched_off=", ".join(off) or "nothing")


@transaction.atomic
def shift_deadlines(*, moderator: User, reason: str, hours: int) -> int:
    """Give every running game more time. Returns how many got it. Raises `Refused`."""
    running = Q(status=Status.RUNNING, deadline_at__isnull=False)
    if permissions.may(Intervention.SHIFT_DEADLINES, moderator):
        lock_games(running)  # lock games before the account of the moderator
    permissions.check(Intervention.SHIFT_DEADLINES, moderator, reason)
    if not 1 <= hours <= MOST_HOURS:
        raise Refused(f"Deadlines move by 1 to {MOST_HOURS} hours, not by {hours}.", code="wrong_hours", field="hours")
    game_ids = Game.objects.filter(running).order_by("pk")
    game_count = sum(
        _shift_game(game_id, moderator, reason, hours) for game_id in list(game_ids.values_list("pk", flat=True))
    )
    interventions.record(None, moderator, Intervention.SHIFT_DEADLINES, reason, hours=hours, games=game_count)
    return game_count


@transaction.atomic
def _shift_game(game_id: int, moderator: User, reason: str, hours: int) -> bool:
    game = moves.lock(game_id)
    if game is None or not game.is_running or game.deadline_at is None:
        return False
    length = timedelta(hours=hours)
    clocks.give(game, length)
    sentence, facts = interventions.extension_note(game, length)
    note = interventions.note_of(sentence, moderator, reason, **facts)
    door.write_note(game=game, kind=Kind.MODERATION, note=note, user_id=moderator.pk)
    return True


def _lock_site() -> SiteState:
    SiteState.objects.get_or_create(pk=SiteState.ONLY)
    return SiteState.objects.select_for_update().get(pk=SiteState.ONLY)


def _save(site: SiteState, moderator: User, what: Intervention, reason: str, **details: Any) -> None:
    _stop_or_run(site)
    site.save()
    interventions.record(None, moderator, what, reason, **details)
    transaction.on_commit(refresh)


def _stop_or_run(site: SiteState) -> None:
    """Store the time from which deadlines are stopped; when they run again, store that period as an outage of every
    game."""
    is_stopped = site.is_stopped or site.is_read_only
    if is_stopped == (site.stopped_since is not None):
        return
    instant = SiteState.objects.values_list(Now(), flat=True).get(pk=site.pk)  # deadlines use the database's clock
    if site.stopped_since is not None:
        Outage.objects.create(began_at=site.stopped_since, ended_at=instant)
    site.stopped_since = instant if is_stopped else None
