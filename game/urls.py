"""Addresses of the site: each room has its own."""

from django.urls import include, path

from game.api import pages

ROOMS = (
    "lobby",
    "table",
    "history",
    "chat",
    "moderation",
    "seats",
    "clock",
    "delivery",
    "reputation",
    "people",
    "web",
)

urlpatterns = [
    *(path("", include(f"game.{room}.urls")) for room in ROOMS),
    path("developers/", pages.docs, name="api_docs"),
]
