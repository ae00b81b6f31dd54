"""Addresses of the pages of this room."""

from django.urls import path

from game.clock import views

urlpatterns = [
    path("games/<int:game_id>/extend/<int:serial>/", views.extend_phase, name="extend_phase"),
    path("accounts/times/", views.play_times_page, name="play_times"),
    path("accounts/vacation/", views.declare_vacation, name="declare_vacation"),
    path("accounts/vacation/<int:number>/end/", views.end_vacation, name="end_vacation"),
]
