"""Read-only admin pages: staff see what a stranger sees, and cannot search for more. Their URLs contain a scrambled
number instead of the row's key, so nobody can tell how many rows there are. Moderators read nothing about games in
which they, a bot of theirs or people they live with play or played."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Model, Q, QuerySet
from django.http import Http404, HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from accounts.admin import AdminPage, M
from accounts.models import User
from game.moderation.cases import cases_for
from game.moderation.name_erasure import former_names
from game.moderation.permissions import household_rows
from game.reputation.households import together_with
from game.store.case_models import Case
from game.store.game import Seat
from game.store.moderation_models import ModeratorAction
from game.store.row_addresses import numbered
from game.store.seat_models import StandIn, Tenure

DJANGO_PARAMETER = "path:object_id"


class ReadOnlyAdmin(AdminPage[M]):
    """A read-only list and page of rows, open to all staff."""

    actions = None
    list_per_page = 50
    show_full_result_count = False
    lookups: tuple[str, ...] = ("game__id__exact",)
    has_public_keys = False  # whether everybody may know the keys of its rows

    def get_urls(self) -> list[URLPattern]:
        own = super().get_urls()
        return own if self.has_public_keys else with_numbers(self.model, own)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _is_staff(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_staff(request)

    def find(self, request: HttpRequest, object_id: str, rows: QuerySet[M] | None = None) -> M:
        """The row of a URL, if this moderator may see it; otherwise 403 or 404."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        is_key = object_id.isdecimal() and len(object_id) < 18
        visible = self.get_queryset(request) if rows is None else rows
        row = visible.filter(pk=int(object_id)).first() if is_key else None
        if row is None:
            raise Http404(f"There is no such {self.opts.verbose_name}.")
        return row


def with_numbers(model: type[Model], urls: list[URLPattern]) -> list[URLPattern]:
    """Django's own URLs of an admin page, with numbers in place of keys."""
    return [
        path(str(each.pattern).replace(DJANGO_PARAMETER, f"{numbered(model)}:object_id"), each.callback, name=each.name)
        if DJANGO_PARAMETER in str(each.pattern)
        else each
        for each in urls
    ]


def moderator_of(request: HttpRequest) -> User:
    """The signed-in user, whom Django has already checked for every admin page."""
    assert isinstance(request.user, User)
    return request.user


def outside_own_games(moderator: User, game: str) -> Q:
    """Selects rows whose game, in the field named `game`, the moderator and their household have no part in."""
    own_rows = household_rows(moderator)
    own_games = [model.objects.filter(own_rows).order_by().values("game") for model in (Seat, Tenure, StandIn)]
    seats, tenures, stand_ins = (~Q(**{f"{game}__in": games}) for games in own_games)
    return seats & tenures & stand_ins


def visible_acts(moderator: User) -> Q:
    """Selects the entries of the moderators' record that this moderator may read: their own acts, and those that
    concern neither a game or a case of their household nor one of its people under any name. So nobody learns of
    requests or suspicions about themselves."""
    people = together_with(moderator.pk)
    names = [*User.objects.filter(pk__in=people).values_list("username", flat=True), *former_names(people)]
    visible = cases_for(moderator).order_by().values("pk")
    cases = list(Case.objects.exclude(pk__in=visible).order_by().values_list("pk", flat=True))
    about = Q(details__user__in=names) | Q(details__other__in=names) | Q(details__case__in=cases)
    hidden = ModeratorAction.objects.filter(about).order_by().values("pk")
    return Q(user=moderator) | (Q(game=None) | outside_own_games(moderator, "game")) & ~Q(pk__in=hidden)


def desk_page(request: HttpRequest, template: str, context: dict[str, Any], status: int = 200) -> TemplateResponse:
    """A page of the desk, in the frame of Django's admin."""
    return TemplateResponse(request, template, admin.site.each_context(request) | context, status=status)


def _is_staff(request: HttpRequest) -> bool:
    return request.user.is_active and request.user.is_staff
