"""Addresses of the pages of this room."""

from django.urls import path

from game.seats import views

urlpatterns = [
    path("games/<int:game_id>/seat/back/", views.take_seat_back, name="take_seat_back"),
    path("games/<int:game_id>/seat/give-back/", views.give_seat_back, name="give_seat_back"),
    path("games/<int:game_id>/seat/resign/", views.resign, name="resign"),
    path("games/<int:game_id>/seats/<int:number>/take/", views.take_seat, name="take_seat"),
]
