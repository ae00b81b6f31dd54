"""Addresses of the API, all below `/api/v1/`."""

from __future__ import annotations

from django.urls import path, re_path

from game.api import documents, games, me, play, records, rulesets, webhooks

urlpatterns = [
    path("rulesets", rulesets.Rulesets.as_view(), name="api_rulesets"),
    path("rulesets/<slug:key>", rulesets.OneRuleset.as_view(), name="api_ruleset"),
    path("rulesets/<slug:key>/schema", rulesets.Schema.as_view(), name="api_ruleset_schema"),
    path("rulesets/<slug:key>/leaderboard", rulesets.Leaderboard.as_view(), name="api_leaderboard"),
    path("games", games.Games.as_view(), name="api_games"),
    path("games/<int:game_id>", games.Game.as_view(), name="api_game"),
    path("games/<int:game_id>/seats", games.Seats.as_view(), name="api_seats"),
    path("games/<int:game_id>/seats/<int:number>", games.Seat.as_view(), name="api_seat"),
    path("games/<int:game_id>/start", games.Start.as_view(), name="api_start"),
    path("games/<int:game_id>/resign", games.Resign.as_view(), name="api_resign"),
    path("games/<int:game_id>/return", games.Return.as_view(), name="api_return"),
    path("games/<int:game_id>/position", play.Position.as_view(), name="api_position"),
    path("games/<int:game_id>/offers", play.Offers.as_view(), name="api_offers"),
    path("games/<int:game_id>/moves", play.Moves.as_view(), name="api_moves"),
    path("games/<int:game_id>/log", play.Log.as_view(), name="api_log"),
    path("games/<int:game_id>/results", play.Results.as_view(), name="api_results"),
    path("games/<int:game_id>/history", records.History.as_view(), name="api_history"),
    path("games/<int:game_id>/history/<int:serial>", records.Past.as_view(), name="api_moment"),
    path("games/<int:game_id>/chat", records.Chat.as_view(), name="api_chat"),
    path("me", me.Me.as_view(), name="api_me"),
    path("me/decisions", me.Decisions.as_view(), name="api_decisions"),
    path("me/stream", me.Stream.as_view(), name="api_stream"),
    path("me/webhooks", webhooks.Webhooks.as_view(), name="api_webhooks"),
    path("me/webhooks/<int:webhook>", webhooks.OneWebhook.as_view(), name="api_webhook"),
    path("me/webhooks/<int:webhook>/secret", webhooks.Secret.as_view(), name="api_webhook_secret"),
    path("me/webhooks/<int:webhook>/check", webhooks.Check.as_view(), name="api_webhook_check"),
    path("me/webhooks/<int:webhook>/deliveries", webhooks.Deliveries.as_view(), name="api_deliveries"),
    path("me/webhooks/<int:webhook>/deliveries/<int:delivery>", webhooks.Again.as_view(), name="api_delivery"),
    path("people", me.People.as_view(), name="api_people"),
    path("people/<int:number>", me.Person.as_view(), name="api_person"),
    path("token", me.Token.as_view(), name="api_token"),
    path("openapi.json", documents.OpenApi.as_view(), name="api_openapi"),
    path("problems/<slug:name>", documents.ProblemKind.as_view(), name="api_problem"),
]
nowhere = [re_path(r"^", documents.Nowhere.as_view(), name="api_nowhere")]
