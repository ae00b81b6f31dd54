"""Lists of seats, board rows, the log, notices and the moderators' record."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.admin import M
from game.admin.filters import KeyFilter, bot_words, words_column
from game.admin.read_only import ReadOnlyAdmin, moderator_of, outside_own_games, visible_acts
from game.admin.record_words import changes_between, verb_words, words_of
from game.engine.flow import Phase
from game.engine.language import apart
from game.engine.phrases import thousands
from game.history.game_log import lines_of, tell
from game.store.badges import badges_of
from game.store.board_rows import Company, Contract, Holding, Order
from game.store.game import BEGUN, Game, Seat
from game.store.log import Kind, LoggedAction, Notice
from game.store.moderation_models import ModeratorAction
from game.store.readers import seats_of
from game.store.seat_models import Tenure
from game.templatetags.times import moment

SEALED = "sealed or none"


class SeatedAdmin(ReadOnlyAdmin[M]):
    """Rows about a seat; users see seats counted from 1."""

    @admin.display(description="seat", ordering="seat")
    def at_seat(self, row: Any) -> str:
        return "" if row.seat is None else str(row.seat + 1)


class OfCompanyAdmin(ReadOnlyAdmin[M]):
    """Rows about a company, which is named as players see it."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        names = Company.objects.filter(game=OuterRef("game"), key=OuterRef("company")).order_by().values("name")[:1]
        rows: Any = super().get_queryset(request).annotate(company_name=Subquery(names))
        named: QuerySet[M] = rows
        return named

    @admin.display(description="company", ordering="company")
    def at_company(self, row: Any) -> str:
        return str(row.company_name or row.company)


class DetailedAdmin(ReadOnlyAdmin[M]):
    """Rows of any game: shared columns in the list, details of their own game on the row's page."""

    @admin.display(description="details")
    def details_text(self, row: Any) -> SafeString:
        return format_html_join(
            "",
            "<div>{}: {}</div>",
            (
                (name.replace("_", " "), _detail_text(value))
                for name, value in row.details.items()
                if name not in KEYS_OF_ACCOUNTS
            ),
        )


KEYS_OF_ACCOUNTS = {"account", "by"}
"""Details that link moderators; numbers would reveal how many rows are hidden."""


class SeatHolder(admin.SimpleListFilter):
    """Seats of people and of bots."""

    title, parameter_name = "who plays", "played"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("people", "People"), ("bots", "Bots")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Seat]) -> QuerySet[Seat]:
        if self.value() == "people":
            return queryset.filter(bot="")
        return queryset.exclude(bot="") if self.value() == "bots" else queryset


class ActFilter(admin.SimpleListFilter):
    """Filters by intervention. It offers only those in the moderator's own list; others would reveal acts against
    them."""

    title, parameter_name = "what was done", "verb"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        verbs = model_admin.get_queryset(request).order_by("verb").values_list("verb", flat=True).distinct()
        return [(verb, verb_words(verb)) for verb in verbs]

    def queryset(self, request: HttpRequest, queryset: QuerySet[ModeratorAction]) -> QuerySet[ModeratorAction]:
        return queryset.filter(verb=self.value()) if self.value() else queryset


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin[Seat]):
    """Seats with their players. A seat's own version is hidden: it would reveal that a sealed order was revised."""

    list_display = ("game", "at_number", "shown_name", "user", "plays", "keeper", "left_at", "place", "score")
    list_filter = (SeatHolder, "keeper")
    lookups = ("game__id__exact", SeatHolder.parameter_name)
    search_fields = ("game__name", "user__username", "name")
    list_select_related = ("game", "user")
    fields = ("game", "at_number", "user", "plays", "name", "keeper", "left_at", "place", "score")
    readonly_fields = ("at_number", "plays")

    @admin.display(description="seat", ordering="number")
    def at_number(self, seat: Seat) -> int:
        return seat.number + 1

    @admin.display(description="bot", ordering="bot")
    def plays(self, seat: Seat) -> str:
        return bot_words(seat.game.ruleset, seat.bot)


@admin.register(Tenure)
class TenureAdmin(ReadOnlyAdmin[Tenure]):
    """How reliably each person played each seat they had."""

    list_display = ("game", "at_number", "user", "decisions", "missed", "excused", "in_a_row", "end", "ended_at")
    list_filter = ("end",)
    search_fields = ("game__name", "user__username")
    list_select_related = ("game", "user")
    fields = list_display
    readonly_fields = ("at_number",)

    @admin.display(description="seat", ordering="number")
    def at_number(self, tenure: Tenure) -> int:
        return tenure.number + 1


@admin.register(Company)
class CompanyAdmin(DetailedAdmin[Company]):
    """Companies as everybody sees them."""

    list_display = ("game", "name", "group_words", "status_words", "price", "treasury")
    fields = (*list_display, "key", "details_text")
    readonly_fields = ("group_words", "status_words", "details_text")
    list_filter = (("status", KeyFilter), ("group", KeyFilter))
    group_words, status_words = words_column("group"), words_column("status")
    search_fields = ("game__name", "key", "name")
    list_select_related = ("game",)


@admin.register(Holding)
class HoldingAdmin(SeatedAdmin[Holding], OfCompanyAdmin[Holding]):
    """Shares with their holders."""

    list_display = ("game", "at_company", "at_seat", "shares")
    fields = list_display
    readonly_fields = ("at_company", "at_seat")
    search_fields = ("game__name", "company")
    list_select_related = ("game",)


@admin.register(Order)
class OrderAdmin(SeatedAdmin[Order], OfCompanyAdmin[Order], DetailedAdmin[Order]):
    """Orders as a stranger sees them: sealed orders are not in these rows."""

    list_display = (
        *("game", "number", "turn", "at_seat", "at_company", "kind_words", "side_words", "quantity", "price"),
        "status_words",
    )
    fields = (*list_display, "reason", "details_text")
    list_filter = (("status", KeyFilter), ("kind", KeyFilter), ("side", KeyFilter))
    kind_words, side_words, status_words = map(words_column, ("kind", "side", "status"))
    readonly_fields = ("at_seat", "at_company", "kind_words", "side_words", "status_words", "details_text")
    search_fields = ("game__name", "company")
    list_select_related = ("game",)
    empty_value_display = SEALED


@admin.register(Contract)
class ContractAdmin(OfCompanyAdmin[Contract], DetailedAdmin[Contract]):
    """Contracts between the bank and their owners."""

    list_display = ("game", "number", "at_company", "shares", "at_owner", "is_gone")
    fields = (*list_display, "details_text")
    readonly_fields = ("at_company", "at_owner", "details_text")
    list_filter = ("is_gone",)
    search_fields = ("game__name", "company")
    list_select_related = ("game",)

    @admin.display(description="owner's seat", ordering="owner")
    def at_owner(self, contract: Contract) -> str:
        return "" if contract.owner is None else str(contract.owner + 1)


@admin.register(LoggedAction)
class LogAdmin(SeatedAdmin[LoggedAction]):
    """The public log: no action, no fingerprint of one, no event that is not for all."""

    list_display = ("game", "moment", "kind", "turn", "phase", "at_seat", "note")
    list_filter = ("kind",)
    search_fields = ("game__name", "note")
    list_select_related = ("game",)
    ordering = ("-id",)
    fields = (
        "game",
        "version",
        "at",
        "kind",
        "branch",
        "serial",
        "turn",
        "phase",
        "at_seat",
        "by",
        "note",
        "public_text",
    )
    readonly_fields = ("at_seat", "by", "phase", "public_text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedAction]:
        """The log without internal entries: only the player may know that they submitted or revised a sealed order."""
        entries = super().get_queryset(request).defer("action", "draws", "snapshot", "fingerprint", "token")
        return entries.exclude(kind__in=[Kind.SUBMIT, Kind.DRAFT], events="")

    @admin.display(description="at", ordering="at")
    def moment(self, entry: LoggedAction) -> str:
        return moment(entry.at, "D")

    # No list is sorted by it, which would tell the seats that are hidden.
    @admin.display(description="seat")
    def at_seat(self, entry: LoggedAction) -> str:
        return "" if entry.seat is None or _tells_who_was_asked(entry) else str(entry.seat + 1)

    @admin.display(description="user")
    def by(self, entry: LoggedAction) -> str:
        return "" if entry.user is None or _tells_who_was_asked(entry) else str(entry.user)

    @admin.display(description="phase")
    def phase(self, entry: LoggedAction) -> str:
        phase = _phase_of(entry)
        return f"{phase.number} {phase.title}" if phase else entry.phase_name if not entry.game.is_described else ""

    @admin.display(description="what everybody read")
    def public_text(self, entry: LoggedAction) -> SafeString:
        if not entry.game.is_described:
            return SafeString("")
        places = badges_of(seats_of(entry.game), ruleset=entry.game.ruleset, user_id=None)
        flow = entry.game.rules.flow(entry.game.read_options())
        lines = lines_of(tell([entry], flow=flow, names=[place.name for place in places], seat=None))
        return format_html_join("", "<p>{} <b>{}</b></p>", ((line.text, line.figure) for line in lines))


def _phase_of(entry: LoggedAction) -> Phase | None:
    """The phase in which an entry was made; None if there is none, or if the game cannot be read."""
    rows = entry.game.rules.flow(entry.game.read_options()).rows if entry.game.is_described else ()
    return next((row.phase for row in rows if row.phase.name == entry.phase_name), None)


def _tells_who_was_asked(entry: LoggedAction) -> bool:
    """True if its seat tells whom a phase has asked in secret, in a game that is not over."""
    if entry.kind not in (Kind.SUBMIT, Kind.DRAFT) or entry.game.status not in BEGUN:
        return False
    phase = _phase_of(entry)
    return phase is None or phase.asks_in_secret


def shown_notices(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """The notices that staff may see and count. Only the host knows who is invited, and only a seat whether it had
    submitted or withdrawn what a rewind made void. Until a game is over, nobody else knows who was asked in it or has
    missed that, if it has a phase that asks in secret or cannot be read."""
    begun = Game.objects.filter(status__in=BEGUN).only("ruleset", "options", "timing")
    secret = [
        game.pk
        for game in begun
        if not game.is_described or any(row.phase.asks_in_secret for row in game.rules.flow(game.read_options()).rows)
    ]
    asking = Q(kind__in=[*Notice.ASKING, Notice.Kind.MISSED], game__in=secret)
    return notices.exclude(kind__in=(Notice.Kind.INVITED, Notice.Kind.VOID)).exclude(asking)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin[Notice]):
    """The emails that were requested, and their outcome. Who is invited by name only their host knows."""

    list_display = ("game", "user", "kind", "channel", "due", "outcome", "attempts", "trouble")
    list_filter = ("kind", "channel")
    search_fields = ("game__name", "user__username", "trouble")
    list_select_related = ("game", "user")
    fields = readonly_fields = list_display

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Notices, except those of the moderator's own games: delivery errors reveal who has just looked, and who wants
        no email at which hours."""
        return shown_notices(super().get_queryset(request).filter(outside_own_games(moderator_of(request), "game")))

    @admin.display(description="due", ordering="due_at")
    def due(self, notice: Notice) -> str:
        return moment(notice.due_at, "D")

    @admin.display(description="outcome")
    def outcome(self, notice: Notice) -> str:
        if notice.sent_at:
            return "sent"
        if notice.cancelled_at:
            return "no longer true, not wanted, or given up"
        return "handed over, not answered: perhaps sent" if notice.handed_at else "waiting"


@admin.register(ModeratorAction)
class ModeratorActionAdmin(ReadOnlyAdmin[ModeratorAction]):
    """The record of moderators' acts. Nobody can change it, and nobody reads entries about themselves."""

    list_display = ("moment", "user", "what", "game", "reason")
    list_filter = (ActFilter,)
    lookups = ("game__id__exact", ActFilter.parameter_name)
    search_fields = ("game__name", "user__username", "reason")
    list_select_related = ("game", "user")
    fields = readonly_fields = ("moment", "user", "what", "game", "reason", "changed")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModeratorAction]:
        return super().get_queryset(request).filter(visible_acts(moderator_of(request)))

    @admin.display(description="when", ordering="at")
    def moment(self, action: ModeratorAction) -> str:
        return moment(action.at, "D")

    @admin.display(description="what", ordering="verb")
    def what(self, action: ModeratorAction) -> str:
        return words_of(action)

    @admin.display(description="what changed")
    def changed(self, action: ModeratorAction) -> SafeString:
        return format_html_join("", "<div>{}: {} → {}</div>", changes_between(action.before, action.after))


def _detail_text(value: Any) -> str:
    """A detail in words; None means that it is sealed."""
    return SEALED if value is None else thousands(value) if type(value) is int else str(apart(value))
