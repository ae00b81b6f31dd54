"""Addresses of the pages of this room."""

from django.urls import path

from game.seats import views

urlpatterns = [
    path("games/<int:game_id>/seat/back/", views.take_seat_back, name="take_seat_back"),
    path("games/<int:game_id>/seat/give-back/", views.give_seat_back, name="give_seat_back"),
    path("games/<int:game_id>/seat/resign/", views.resign, name="resign"),
    path("games/<int:game_id>/seats/<int:number>/take/", views.take_seat, name="take_seat"),
    path("games/<int:game_id>/seats/<int:number>/vote-out/", views.propose_voting_out, name="propose_voting_out"),
    path("games/<int:game_id>/ending/", views.propose_ending, name="propose_ending"),
    path("games/<int:game_id>/ending/<int:number>/agree/", views.agree_to_ending, name="agree_to_ending"),
    path("games/<int:game_id>/ending/<int:number>/revoke/", views.revoke_ending, name="revoke_ending"),
]
