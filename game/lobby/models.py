"""The lessons that a user has completed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now


class LearntLesson(models.Model):
    """A lesson whose goal a user has reached; its game may be gone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="learnt_lessons")
    ruleset = models.CharField(max_length=32)
    lesson = models.CharField(max_length=32)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "ruleset", "lesson"], name="one_mark_per_lesson")]

    def __str__(self) -> str:
        return f"{self.lesson} of {self.ruleset}"
