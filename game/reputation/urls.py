"""Addresses of the pages of this room."""

from django.urls import path

from game.reputation import views

urlpatterns = [
    path("accounts/households/", views.households_page, name="households"),
    path("accounts/households/<int:number>/<slug:verb>/", views.answer_household_request, name="answer_household"),
    path("leaderboard/", views.first_leaderboard, name="leaderboards"),
    path("leaderboard/<slug:ruleset>/", views.leaderboard, name="leaderboard"),
    path("leaderboard/<slug:ruleset>/<slug:ladder>/", views.leaderboard, name="ladder"),
]
