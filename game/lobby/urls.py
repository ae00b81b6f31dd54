"""Addresses of the pages of this room."""

from django.urls import path

from game.lobby import copy_views, guest_views, inviting_views, room_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", guest_views.play_now, name="play_now"),
    path("notes/read/", guest_views.read_note, name="read_note"),
    path("lessons/", guest_views.lessons, name="lessons"),
    path("lessons/<slug:ruleset>/<slug:key>/", guest_views.start_lesson, name="start_lesson"),
    path("games/", views.lobby, name="lobby"),
    path("games/version/", views.version, name="lobby_version"),
    path("games/needs/", views.needs, name="needs"),
    path("games/next/", views.to_next_game, name="next_game"),
    path("games/new/", views.create_game, name="create_game"),
    path("games/<int:game_id>/rematch/", room_views.rematch, name="rematch"),
    path("games/<int:game_id>/copy/", copy_views.copy, name="copy"),
    path("games/copies/", copy_views.own_copies, name="copies"),
    path("games/<int:game_id>/copy/delete/", copy_views.delete_copy, name="delete_copy"),
    path("games/<int:game_id>/copy/seat/", copy_views.sit, name="sit"),
    path("games/<int:game_id>/copy/back/", copy_views.step_back, name="step_back"),
    path("games/<int:game_id>/join/", room_views.join_game, name="join_game"),
    path("games/<int:game_id>/leave/", room_views.leave_game, name="leave_game"),
    path("games/<int:game_id>/bots/", room_views.add_bot, name="add_bot"),
    path("games/<int:game_id>/bots/fill/", room_views.fill_with_bots, name="fill_with_bots"),
    path("games/<int:game_id>/seats/<int:number>/remove/", room_views.remove_seat, name="remove_seat"),
    path("games/<int:game_id>/removed/<int:number>/invite/", room_views.invite_again, name="invite_again"),
    path("games/<int:game_id>/invite/renew/", room_views.renew_invitation, name="renew_invitation"),
    path("games/<int:game_id>/invite/<str:token>/", room_views.invitation, name="invitation"),
    path("games/<int:game_id>/invitees/", inviting_views.invite_person, name="invite_person"),
    path("games/<int:game_id>/substitutes/", inviting_views.substitutes, name="substitutes"),
    path("games/<int:game_id>/invitees/decline/", inviting_views.decline_invitation, name="decline_invitation"),
    path("games/<int:game_id>/invitees/stop/", inviting_views.stop_host, name="stop_host"),
    path("games/<int:game_id>/invitees/<int:number>/withdraw/", inviting_views.withdraw, name="withdraw_invitation"),
    path("games/<int:game_id>/rated/", room_views.set_rated, name="set_rated"),
    path("games/<int:game_id>/start/", room_views.start_game, name="start_game"),
    path("accounts/invitations/", inviting_views.page, name="invitations"),
    path("accounts/invitations/<int:number>/allow/", inviting_views.allow_host, name="allow_host"),
]
