"""The board as rows, for queries and the admin: written only by `game.projections`, from what a stranger sees."""

from __future__ import annotations

from django.db import models

from game.models.game import Game


class Company(models.Model):
    """A company as everybody sees it; money in whole dollars."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="companies")
    ticker = models.CharField(max_length=8)
    name = models.CharField(max_length=60)
    sector = models.CharField(max_length=20)
    tier = models.CharField(max_length=20)
    status = models.CharField(max_length=12)
    price = models.PositiveIntegerField()
    ipo_price = models.PositiveIntegerField()
    ipo = models.PositiveIntegerField()
    market = models.PositiveIntegerField()
    aside = models.PositiveIntegerField()
    unit_price = models.PositiveIntegerField()
    treasury = models.PositiveIntegerField()
    operating_cost = models.PositiveIntegerField()
    prestige = models.IntegerField()
    supply = models.IntegerField()
    demand = models.IntegerField()
    revenue = models.PositiveIntegerField()
    has_loan = models.BooleanField()

    class Meta:
        verbose_name_plural = "companies"
        constraints = [models.UniqueConstraint(fields=["game", "ticker"], name="one_company_per_ticker")]

    def __str__(self) -> str:
        return self.name


class Holding(models.Model):
    """Shares of one company in one seat's hand."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="holdings")
    company = models.CharField(max_length=8)
    seat = models.PositiveSmallIntegerField()
    shares = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "company", "seat"], name="one_holding_per_hand")]

    def __str__(self) -> str:
        return f"{self.shares} {self.company} of seat {self.seat}"


class Order(models.Model):
    """An order as far as a stranger may see it; what is still hidden is null."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="orders")
    number = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    company = models.CharField(max_length=8)
    location = models.CharField(max_length=12)
    turn = models.PositiveSmallIntegerField()
    sub_round = models.PositiveSmallIntegerField()
    status = models.CharField(max_length=30)
    kind = models.CharField(max_length=10, null=True)
    side = models.CharField(max_length=4, null=True)
    quantity = models.PositiveIntegerField(null=True)
    price = models.PositiveIntegerField(null=True)
    contract = models.PositiveIntegerField(null=True)
    paid = models.IntegerField(null=True)
    margin = models.IntegerField(null=True)
    reason = models.CharField(max_length=300, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_order_per_number")]

    def __str__(self) -> str:
        return f"order {self.number}"


class Contract(models.Model):
    """An option contract: on sale, owned, or gone."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="contracts")
    number = models.PositiveIntegerField()
    company = models.CharField(max_length=8)
    shares = models.PositiveIntegerField()
    term = models.PositiveSmallIntegerField()
    strike = models.PositiveIntegerField()
    premium = models.PositiveIntegerField()
    bonus = models.IntegerField()
    owner = models.PositiveSmallIntegerField(null=True)
    turns_left = models.PositiveSmallIntegerField(null=True)
    is_gone = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="one_contract_per_number")]

    def __str__(self) -> str:
        return f"contract {self.number}"
