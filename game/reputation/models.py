"""Ratings with the results behind them, and links between people who share a home."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import User
from game.store.game import Game


class HouseholdLink(models.Model):
    """A link between two accounts, the lower key first: requested by one, confirmed `since` by the other.

    `kept_until` is empty while it is open. An ended link still applies until then, and a declined request cannot be
    repeated before; then the row is deleted."""

    one = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    two = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    since = models.DateTimeField(null=True)
    kept_until = models.DateTimeField(null=True)
    by_moderator = models.BooleanField(default=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(condition=Q(one__lt=F("two")), name="two_people_in_one_order"),
            models.UniqueConstraint(fields=["one", "two"], condition=Q(kept_until=None), name="one_open_link_a_pair"),
        ]
        indexes = [
            models.Index(fields=["kept_until"], condition=Q(kept_until__isnull=False), name="links_to_forget"),
        ]

    def __str__(self) -> str:
        return f"{self.one_id} and {self.two_id}"

    def other(self, user: User) -> User:
        """The other one of the two."""
        return self.two if self.one_id == user.pk else self.one


MU, SIGMA = 25.0, 25.0 / 3
"""The prior of a person without results: the method's default mean and deviation."""


class RatingBook(models.Model):
    """A row for each ruleset, locked while its ratings change."""

    ruleset = models.CharField(max_length=32, primary_key=True)

    def __str__(self) -> str:
        return f"ratings of {self.ruleset}"


class Rating(models.Model):
    """One person's rating on one ladder of a ruleset, computed from `RatedResult` alone by `ratings`.

    It stays without its person when an account is deleted, because other ratings depend on it."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="ratings")
    ruleset = models.CharField(max_length=32)
    ladder = models.CharField(max_length=32, default="", db_default="", blank=True)
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)
    sure = models.FloatField(default=MU - 3 * SIGMA, help_text="What they are at least, almost surely.")
    games = models.PositiveIntegerField(default=0)
    last_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "ruleset", "ladder"], name="one_rating_per_ladder")]
        indexes = [models.Index("ruleset", "ladder", models.F("sure").desc(), "id", name="ratings_in_order")]

    def __str__(self) -> str:
        name = f"{self.ruleset} {self.ladder}".rstrip()
        return f"{self.user or 'somebody'} at {name}: {self.mu:.1f} ± {self.sigma:.1f}"


class RatedResult(models.Model):
    """One person's result in a rated game: rank 1 is best, equal ranks are ties. `mu` and `sigma` are the rating after
    it."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="rated_results")
    rating = models.ForeignKey(Rating, models.CASCADE, related_name="results")
    number = models.PositiveSmallIntegerField("seat", help_text="From 0.")
    rank = models.PositiveSmallIntegerField()
    has_left = models.BooleanField("gave the seat up", default=False)
    at = models.DateTimeField(help_text="When the game finished.")
    mu = models.FloatField(default=MU)
    sigma = models.FloatField(default=SIGMA)

    class Meta:
        ordering = ["at", "game", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="one_result_per_seat"),
            models.UniqueConstraint(fields=["game", "rating"], name="one_result_per_person"),
        ]
        indexes = [models.Index(fields=["rating", "at"], name="results_of_a_person")]

    def __str__(self) -> str:
        return f"rank {self.rank} in game {self.game_id}"
