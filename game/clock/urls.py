"""Addresses of the pages of this room."""

from django.urls import path

from game.clock import pause_views, views

urlpatterns = [
    path("games/<int:game_id>/pause/", pause_views.propose_pause, name="propose_pause"),
    path("games/<int:game_id>/pause/<int:number>/agree/", pause_views.agree_to_pause, name="agree_to_pause"),
    path("games/<int:game_id>/pause/<int:number>/withdraw/", pause_views.withdraw_pause, name="withdraw_pause"),
    path("games/<int:game_id>/pause/<int:number>/decline/", pause_views.decline_pause, name="decline_pause"),
    path("games/<int:game_id>/extend/<int:serial>/", pause_views.extend_phase, name="extend_phase"),
    path("accounts/times/", views.page, name="play_times"),
    path("accounts/vacation/", views.declare_vacation, name="declare_vacation"),
    path("accounts/vacation/<int:number>/end/", views.end_vacation, name="end_vacation"),
]
