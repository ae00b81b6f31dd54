"""Addresses of the pages of this room."""

from django.urls import path

from game.moderation import views

urlpatterns = [
    path("games/<int:game_id>/problem/", views.report_problem, name="report_problem"),
    path("games/<int:game_id>/rewind/<int:number>/agree/", views.agree_to_rewind, name="agree_to_rewind"),
    path("games/<int:game_id>/rewind/<int:number>/decline/", views.decline_rewind, name="decline_rewind"),
    path("people/<str:name>/report/", views.report_person, name="report_person"),
    path("moderation/", views.counts, name="moderation"),
    path("moderation/mine/", views.my_cases, name="my_cases"),
    path("moderation/closed/<str:token>/", views.appeal_closing, name="appeal_closing"),
    path("moderation/decisions/<int:number>/appeal/", views.appeal, name="appeal"),
]
