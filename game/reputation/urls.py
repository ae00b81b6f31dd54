"""Addresses of the pages of this room."""

from django.urls import path

from game.reputation import views
from game.reputation.models import HouseholdLink
from game.store.row_addresses import numbered

urlpatterns = [
    path("accounts/households/", views.households_page, name="households"),
    path(
        f"accounts/households/<{numbered(HouseholdLink)}:number>/<slug:verb>/",
        views.answer_household_request,
        name="answer_household",
    ),
    path("leaderboard/", views.first_leaderboard, name="leaderboards"),
    path("leaderboard/<slug:ruleset>/", views.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:ruleset>/<slug:ladder>/", views.leaderboard, name="ladder"),
]
