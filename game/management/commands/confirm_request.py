"""`manage.py confirm_request NUMBER`: act as the second person if the site has no other moderator."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from game.engine.actions import Refused
from game.people import two_people
from game.store.moderation_models import ApprovalRequest, key_of


class Command(BaseCommand):
    help = (
        "Confirm a request for a second person, where nobody else at the desk may. "
        "The record says that it was done on the server."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, help="of the request, as its page shows it")

    def handle(self, *, number: int, **options: Any) -> None:
        try:
            self.stdout.write(two_people.confirm(request_id=_key_of(number), moderator=None))
        except Refused as refused:
            raise CommandError(str(refused)) from refused


def _key_of(number: int) -> int:
    try:
        return key_of(ApprovalRequest, number)
    except ValueError as error:
        raise CommandError("There is no request with this number.") from error
