"""Addresses of the site: each room has its own."""

from django.urls import include, path

from game.api import documents

ROOMS = (
    "lobby",
    "table",
    "history",
    "chat",
    "moderation",
    "seats",
    "votes",
    "clock",
    "delivery",
    "reputation",
    "people",
    "web",
)

urlpatterns = [
    *(path("", include(f"game.{room}.urls")) for room in ROOMS),
    path("developers/", documents.docs, name="api_docs"),
]
