"""Addresses of the pages of this room."""

from django.urls import path

from game.moderation import views
from game.store.case_models import Sanction
from game.store.row_addresses import numbered

urlpatterns = [
    path("games/<int:game_id>/problem/", views.report_problem, name="report_problem"),
    path("people/<str:name>/report/", views.report_person, name="report_person"),
    path("moderation/", views.counts, name="moderation"),
    path("moderation/mine/", views.my_cases, name="my_cases"),
    path("moderation/closed/<str:token>/", views.appeal_closing, name="appeal_closing"),
    path(f"moderation/decisions/<{numbered(Sanction)}:number>/appeal/", views.appeal, name="appeal"),
]
