"""The person whose share of the bot workers a game uses."""

from django.db.models import BigIntegerField, F, OuterRef, Subquery
from django.db.models.functions import Cast, Coalesce

from accounts.models import User

GUESTS_BEGIN, GUESTS_END = -(2**62), -(2**61)
"""Shares of the networks that guests come from; no game has such a number."""


def person_of_game() -> Coalesce:
    """A number for the game's host; for a guest's game, one for all guests of the network, because one person can be
    many guests; without a host, the game itself as a negative number."""
    guests = User.objects.filter(pk=OuterRef("host_id"), is_guest=True)
    network = guests.values_list(Cast(Coalesce("guest_network", 0), BigIntegerField()) + GUESTS_BEGIN)
    return Coalesce(Subquery(network), "host_id", -F("pk"), output_field=BigIntegerField())
