"""Addresses of sockets."""

from django.urls import path, re_path

from game.live.consumers import GameConsumer, no_such_socket

websocket_urlpatterns = [
    path("ws/games/<int:game_id>/", GameConsumer.as_asgi()),
    re_path("", no_such_socket),  # type: ignore[arg-type]
]
