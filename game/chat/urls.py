"""Addresses of the pages of this room."""

from django.urls import path

from game.chat import views

urlpatterns = [
    path("games/<int:game_id>/chat/", views.page, name="chat"),
    path("games/<int:game_id>/chat/version/", views.version, name="chat_version"),
    path("games/<int:game_id>/chat/say/", views.say, name="chat_say"),
    path("games/<int:game_id>/chat/read/", views.mark_read, name="chat_read"),
    path("games/<int:game_id>/chat/switch/", views.switch, name="chat_switch"),
    path("games/<int:game_id>/chat/mute/<int:number>/", views.mute, name="chat_mute"),
    path("games/<int:game_id>/chat/<int:number>/report/", views.report, name="chat_report"),
    path("games/<int:game_id>/notes/", views.notes, name="notes"),
]
