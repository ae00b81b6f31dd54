"""Addresses of the pages of this room."""

from django.urls import path

from game.people import bot_views, views

urlpatterns = [
    path("accounts/my-data/", views.my_data, name="my_data"),
    path("accounts/my-data.zip", views.personal_data, name="personal_data"),
    path("accounts/delete/", views.delete_account, name="delete_account"),
    path("accounts/tokens/new/", bot_views.new_token, name="new_token"),
    path("accounts/bots/", bot_views.bots, name="bots"),
    path("accounts/bots/new/", bot_views.new_bot, name="new_bot"),
    path("accounts/bots/<int:number>/", bot_views.change_bot, name="change_bot"),
    path("accounts/bots/<int:number>/token/", bot_views.new_bot_token, name="new_bot_token"),
    path("accounts/bots/<int:number>/delete/", bot_views.delete_bot, name="delete_bot"),
    path("accounts/bots/<int:number>/back/<int:game_id>/", bot_views.take_seat_back, name="bot_seat_back"),
    path("people/<str:name>/", views.profile, name="person"),
]
