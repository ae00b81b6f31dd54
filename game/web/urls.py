"""Addresses of the pages of this room."""

from django.urls import path

from game.web import rule_views

urlpatterns = [
    path("rules/", rule_views.rulebooks, name="rules"),
    path("rules/<slug:key>/", rule_views.rulebook, name="rulebook"),
]
