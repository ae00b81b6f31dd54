"""Heartbeats of the background workers (which job is stalled, and when deadlines were last processed), outages, and dry
runs of closing a phase."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

import structlog
from django.db import models, transaction
from django.db.models.functions import Now

from game.infra.compiled import CompiledQuery
from game.site.models import SiteState
from game.store.game import Game


class DryRun(models.Model):
    """The last dry run of a game. Written before the attempt, so that a dry run that kills its process is not
    repeated."""

    game = models.OneToOneField(Game, models.CASCADE, related_name="dry_run")
    serial = models.PositiveIntegerField(help_text="Of the phase.")
    deadline_at = models.DateTimeField(null=True, help_text="Of that phase. Empty: it is to be tried again.")
    at = models.DateTimeField()
    has_failed = models.BooleanField(default=False)
    told_serial = models.PositiveIntegerField(null=True, help_text="The last phase that the staff have an email about.")

    class Meta:
        db_table = "game_rehearsal"

    def __str__(self) -> str:
        return f"{self.game_id}, phase {self.serial}"


class Job(models.TextChoices):
    """A background job that records heartbeats."""

    CLOCK = "clock", "the clock process"
    DEADLINES = "deadlines"
    BOTS = "bots"
    MAIL = "mail"
    HOOKS = "hooks", "webhooks"
    PUSH = "push", "notifications of browsers"
    UPKEEP = "upkeep", "archiving and cleaning up"


class Heartbeat(models.Model):
    """When a background job last ran."""

    name = models.CharField(max_length=12, choices=Job, unique=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.beat_at:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A period in which no process closed phases. Every clock that ran in it is moved by its length, in chunks of
    games; no phase is closed until all are moved."""

    began_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    moved_up_to = models.BigIntegerField(default=0, help_text="The games up to this number have been moved.")
    settled_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["id"], condition=models.Q(settled_at=None), name="outages_to_settle")]

    def __str__(self) -> str:
        return f"{self.began_at:%Y-%m-%d %H:%M:%S} to {self.ended_at:%Y-%m-%d %H:%M:%S}"


RESTS_AFTER = {
    Job.CLOCK: timedelta(seconds=5),
    Job.DEADLINES: timedelta(seconds=5),
    Job.BOTS: timedelta(seconds=5),
    Job.MAIL: timedelta(seconds=15),
    Job.HOOKS: timedelta(seconds=15),
    Job.PUSH: timedelta(seconds=15),
    Job.UPKEEP: timedelta(seconds=60),
}
OUTAGE_AFTER = timedelta(seconds=15)  # without closing of phases; shorter gaps only delay it
PRESENT = (Job.CLOCK, Job.DEADLINES)
log = structlog.get_logger("game.services.hearts")


def beat(job: Job) -> None:
    """Record that this process runs the job. The first process that closes phases again after an outage records it.
    Written each time, so that the fallback worker sees that it is no longer alone."""
    if job in PRESENT and is_site_down():
        _note_outage()
    if not _beat(job).change():
        # Two workers may insert the first one at once, which the database would log as an error.
        Heartbeat.objects.bulk_create([Heartbeat(name=job, beat_at=Now())], ignore_conflicts=True)


def last_beat(job: Job) -> datetime | None:
    """When this job last ran."""
    return Heartbeat.objects.filter(name=job).values_list("beat_at", flat=True).first()


def is_stalled(job: Job) -> bool:
    """True if this job has not reported for longer than `RESTS_AFTER`."""
    return not Heartbeat.objects.filter(name=job, beat_at__gt=Now() - RESTS_AFTER[job]).exists()


def is_site_down() -> bool:
    """True if phases have not been closed for so long that it counts as an outage."""
    silences = [now - beat_at for now, beat_at in _beats.rows()]
    return bool(silences) and min(silences) > OUTAGE_AFTER


_beats = CompiledQuery(lambda: Heartbeat.objects.filter(name__in=PRESENT).values_list(Now(), "beat_at"))


@cache
def _beat(job: Job) -> CompiledQuery[Heartbeat]:
    return CompiledQuery(lambda: Heartbeat.objects.filter(name=job), beat_at=Now())


@transaction.atomic
def _note_outage() -> None:
    """Record the outage that ends now, once: a second process finds recent heartbeats."""
    heartbeats = list(
        Heartbeat.objects.select_for_update().filter(name__in=PRESENT).annotate(now=Now()).order_by("name")
    )
    if not is_site_down():
        return
    ended = max(beat.now for beat in heartbeats)
    began = max(beat.beat_at for beat in heartbeats)
    gaps = [(since, until) for since, until in _uncounted_gaps(began, ended) if until - since > OUTAGE_AFTER]
    Outage.objects.bulk_create(Outage(began_at=since, ended_at=until) for since, until in gaps)
    Heartbeat.objects.filter(name__in=PRESENT).update(beat_at=ended)
    log.warning("outage", began=str(began), ended=str(ended))


def _uncounted_gaps(began: datetime, ended: datetime) -> Iterator[tuple[datetime, datetime]]:
    """The parts of a period that belong to no recorded outage, nor to the one that ends when an admin lets deadlines
    run again."""
    stopped = SiteState.objects.values_list("stopped_since", flat=True).first()
    ended = min(ended, stopped or ended)
    outages = Outage.objects.filter(ended_at__gt=began, began_at__lt=ended).order_by("began_at")
    for since, until in outages.values_list("began_at", "ended_at"):
        yield began, since
        began = max(began, until)
    yield began, ended
