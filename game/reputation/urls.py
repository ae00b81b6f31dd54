"""Addresses of the pages of this room."""

from django.urls import path

from game.reputation import household_views, leaderboard_views

urlpatterns = [
    path("accounts/households/", household_views.page, name="households"),
    path("accounts/households/<int:number>/<slug:verb>/", household_views.answer, name="answer_household"),
    path("leaderboard/", leaderboard_views.first, name="leaderboards"),
    path("leaderboard/<slug:ruleset>/", leaderboard_views.page, name="leaderboard"),
]
