"""Addresses of the pages of this room."""

from django.urls import path

from game.table import actions, one_device, views

urlpatterns = [
    path("games/<int:game_id>/", views.page, name="game"),
    path("games/<int:game_id>/version/", views.version, name="game_version"),
    path("games/<int:game_id>/actions/", actions.submit, name="submit_action"),
    path("games/<int:game_id>/drafts/", actions.save_draft, name="save_draft"),
    path("games/<int:game_id>/device/hold/", one_device.hold_seat, name="hold_seat"),
    path("games/<int:game_id>/device/cover/", one_device.cover_seat, name="cover_seat"),
    path("look/<str:token>/", views.board_link, name="peek"),
    path("look/copy/<str:token>/", views.copy_link, name="copy_link"),
]
