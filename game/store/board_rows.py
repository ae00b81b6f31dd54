"""The public board as rows, for queries and the admin, written only by `game.store.projections`. Columns hold what all
games share; `details` holds what is specific to one game, as its board's rows define."""

from __future__ import annotations

from django.db import models

from game.store.game import Game


class Company(models.Model):
    """A company as everybody sees it; money in whole dollars. `group` is what its game sorts companies by."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="companies", db_index=False)
    key = models.CharField(max_length=24)
    name = models.CharField(max_length=60)
    group = models.CharField(max_length=40, blank=True)
    status = models.CharField(max_length=30)
    price = models.PositiveIntegerField()
    treasury = models.PositiveIntegerField(null=True)
    details = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "companies"
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="one_company_per_key")]

    def __str__(self) -> str:
        return self.name


class Holding(models.Model):
    """Shares of one company in one seat's hand."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="holdings", db_index=False)
    company = models.CharField(max_length=24)
    seat = models.PositiveSmallIntegerField()
    shares = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "company", "seat"], name="one_holding_per_hand")]

    def __str__(self) -> str:
        return f"{self.shares} {self.company} of seat {self.seat}"


class Order(models.Model):
    """An order as far as a stranger may see it; what is still hidden is null."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="orders", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    company = models.CharField(max_length=24)
    turn = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=30)
    kind = models.CharField(max_length=24, null=True)
    side = models.CharField(max_length=8, null=True)
    quantity = models.PositiveIntegerField(null=True)
    price = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=300, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_order_per_number")]

    def __str__(self) -> str:
        return f"order {self.number}"


class Contract(models.Model):
    """A contract between the bank and at most one owner: on sale, owned, or gone."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="contracts", db_index=False)
    number = models.PositiveIntegerField()
    company = models.CharField(max_length=24)
    shares = models.PositiveIntegerField()
    owner = models.PositiveSmallIntegerField(null=True)
    details = models.JSONField(default=dict)
    is_gone = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_contract_per_number")]

    def __str__(self) -> str:
        return f"contract {self.number}"
