"""Addresses of the pages of this room."""

from django.urls import path

from game.table import actions, board_link_views, views

urlpatterns = [
    path("games/<int:game_id>/", views.page, name="game"),
    path("games/<int:game_id>/version/", views.version, name="game_version"),
    path("games/<int:game_id>/actions/", actions.submit, name="submit_action"),
    path("games/<int:game_id>/drafts/", actions.save_draft, name="save_draft"),
    path("look/<str:token>/", board_link_views.peek, name="peek"),
]
