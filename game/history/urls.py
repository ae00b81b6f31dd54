"""Addresses of the pages of this room."""

from django.urls import path

from game.history import (
    chart_views,
    draw_views,
    explanation_views,
    export_views,
    outcome_views,
    result_views,
    spreadsheet_views,
    story_views,
    views,
    visit_views,
)

urlpatterns = [
    path("games/<int:game_id>/results/", result_views.page, name="game_results"),
    path("games/<int:game_id>/story/", story_views.page, name="game_story"),
    path("games/<int:game_id>/history/", views.page, name="game_history"),
    path("games/<int:game_id>/spreadsheet/", spreadsheet_views.page, name="game_spreadsheet"),
    path("games/<int:game_id>/explain/<slug:figure>/<str:subject>/", explanation_views.page, name="game_explanation"),
    path("games/<int:game_id>/charts/", chart_views.page, name="game_charts"),
    path("games/<int:game_id>/export/<slug:what>.<slug:form>", export_views.download, name="game_export"),
    path("games/<int:game_id>/draws/", draw_views.page, name="game_draws"),
    path("games/<int:game_id>/draws.json", draw_views.download, name="game_draws_json"),
    path("games/<int:game_id>/outcomes/", outcome_views.outcomes, name="game_outcomes"),
    path("games/<int:game_id>/briefing/away/", visit_views.put_away, name="put_briefing_away"),
]
