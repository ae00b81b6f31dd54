"""Addresses of the pages of this room."""

from django.urls import path

from game.history import chart_views, spreadsheet_views, views

urlpatterns = [
    path("games/<int:game_id>/results/", views.results, name="game_results"),
    path("games/<int:game_id>/story/", views.story, name="game_story"),
    path("games/<int:game_id>/history/", views.history, name="game_history"),
    path("games/<int:game_id>/spreadsheet/", spreadsheet_views.spreadsheet, name="game_spreadsheet"),
    path("games/<int:game_id>/explain/<slug:figure>/<str:subject>/", views.explanation, name="game_explanation"),
    path("games/<int:game_id>/charts/", chart_views.page, name="game_charts"),
    path("games/<int:game_id>/export/<slug:what>.<slug:form>", spreadsheet_views.download, name="game_export"),
    path("games/<int:game_id>/draws/", views.draws, name="game_draws"),
    path("games/<int:game_id>/draws.json", views.draws_json, name="game_draws_json"),
    path("games/<int:game_id>/outcomes/", views.outcomes, name="game_outcomes"),
    path("games/<int:game_id>/briefing/away/", views.dismiss_briefing, name="put_briefing_away"),
]
