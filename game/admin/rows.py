"""Seats, the board's rows, the log, notices and the moderators' record, as lists."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.lookups import M
from game.admin.read_only import ReadOnlyAdmin
from game.admin.verbs import words_of
from game.models import Company, Contract, Holding, Kind, LoggedAction, ModeratorAction, Notice, Order, Seat
from game.places import places_of
from game.services.seating import seats_of
from game.stories import lines_of, tell
from game.templatetags.times import moment


class SeatedAdmin(ReadOnlyAdmin[M]):
    """Rows about a seat; seats are counted from 1 where people read them."""

    @admin.display(description="seat", ordering="seat")
    def at_seat(self, row: Any) -> str:
        return "" if row.seat is None else str(row.seat + 1)


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin[Seat]):
    """Who sits where. A seat's own version stays hidden: it would tell when a sealed order was revised."""

    list_display = ("game", "at_number", "shown_name", "user", "bot", "place", "score")
    list_filter = ("bot",)
    search_fields = ("game__name", "user__username", "name")
    list_select_related = ("game", "user")
    fields = ("game", "at_number", "user", "bot", "name", "place", "score")
    readonly_fields = ("at_number",)

    @admin.display(description="seat", ordering="number")
    def at_number(self, seat: Seat) -> int:
        return seat.number + 1


@admin.register(Company)
class CompanyAdmin(ReadOnlyAdmin[Company]):
    """Companies as everybody sees them."""

    list_display = ("game", "ticker", "name", "sector", "tier", "status", "price", "ipo", "market", "treasury")
    list_filter = ("status", "sector", "tier")
    search_fields = ("game__name", "ticker", "name")
    list_select_related = ("game",)


@admin.register(Holding)
class HoldingAdmin(SeatedAdmin[Holding]):
    """Who holds which shares."""

    list_display = ("game", "company", "at_seat", "shares")
    fields = list_display
    readonly_fields = ("at_seat",)
    search_fields = ("game__name", "company")
    list_select_related = ("game",)


@admin.register(Order)
class OrderAdmin(SeatedAdmin[Order]):
    """Orders as a stranger sees them: what is sealed is not in the row."""

    list_display = ("game", "number", "turn", "sub_round", "at_seat", "company", "location", "kind", "side", "quantity", "status")
    fields = (*list_display, "price", "contract", "paid", "margin", "reason")
    list_filter = ("status", "kind", "side")
    readonly_fields = ("at_seat",)
    search_fields = ("game__name", "company")
    list_select_related = ("game",)
    empty_value_display = "sealed or none"


@admin.register(Contract)
class ContractAdmin(ReadOnlyAdmin[Contract]):
    """Option contracts."""

    list_display = ("game", "number", "company", "shares", "term", "strike", "premium", "at_owner", "turns_left", "is_gone")
    fields = (*list_display, "bonus")
    readonly_fields = ("at_owner",)
    list_filter = ("is_gone",)
    search_fields = ("game__name", "company")
    list_select_related = ("game",)

    @admin.display(description="owner's seat", ordering="owner")
    def at_owner(self, contract: Contract) -> str:
        return "" if contract.owner is None else str(contract.owner + 1)


@admin.register(LoggedAction)
class LogAdmin(SeatedAdmin[LoggedAction]):
    """The log as everybody may read it: no action, no fingerprint of one, no event that is not for all."""

    list_display = ("game", "moment", "kind", "turn", "phase", "at_seat", "note")
    list_filter = ("kind",)
    search_fields = ("game__name", "note")
    list_select_related = ("game",)
    ordering = ("-id",)
    fields = ("game", "version", "at", "kind", "branch", "serial", "turn", "phase", "at_seat", "user", "note", "told")
    readonly_fields = ("at_seat", "phase", "told")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedAction]:
        """Without what happened behind the screen: that somebody sent or revised a sealed order is only for them."""
        shown = super().get_queryset(request).defer("action", "snapshot", "fingerprint", "token")
        return shown.exclude(kind__in=[Kind.SUBMIT, Kind.DRAFT], events="")

    @admin.display(description="at", ordering="at")
    def moment(self, entry: LoggedAction) -> str:
        return moment(entry.at, "D")

    @admin.display(description="phase")
    def phase(self, entry: LoggedAction) -> str:
        rows = entry.game.rules.flow(entry.game.read_options()).rows
        return next((f"{row.phase.number} {row.phase.title}" for row in rows if row.phase.name == entry.phase_name), "")

    @admin.display(description="what everybody read")
    def told(self, entry: LoggedAction) -> SafeString:
        places = places_of(seats_of(entry.game), user_id=None)
        flow = entry.game.rules.flow(entry.game.read_options())
        lines = lines_of(tell([entry], flow=flow, names=lambda number: places[number].name, seat=None))
        return format_html_join("", "<p>{} <b>{}</b></p>", ((line.text, line.figure) for line in lines))


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin[Notice]):
    """The mails that were asked for, and what became of them."""

    list_display = ("game", "user", "kind", "due", "outcome", "attempts", "trouble")
    list_filter = ("kind",)
    search_fields = ("game__name", "user__username", "trouble")
    list_select_related = ("game", "user")

    @admin.display(description="due", ordering="due_at")
    def due(self, notice: Notice) -> str:
        return moment(notice.due_at, "D")

    @admin.display(description="outcome")
    def outcome(self, notice: Notice) -> str:
        return "sent" if notice.sent_at else "no longer true, or given up" if notice.cancelled_at else "waiting"


@admin.register(ModeratorAction)
class ModeratorActionAdmin(ReadOnlyAdmin[ModeratorAction]):
    """Who did what, and why: nobody can change it."""

    list_display = ("moment", "user", "what", "game", "reason")
    list_filter = ("verb",)
    search_fields = ("game__name", "user__username", "reason")
    list_select_related = ("game", "user")

    @admin.display(description="when", ordering="at")
    def moment(self, action: ModeratorAction) -> str:
        return moment(action.at, "D")

    @admin.display(description="what", ordering="verb")
    def what(self, action: ModeratorAction) -> str:
        return words_of(action)
