"""Addresses of the lobby and the games."""

from django.urls import path

from game.views import (
    actions,
    board,
    exports,
    guests,
    history,
    lobby,
    notes,
    outcomes,
    results,
    rules,
    seats,
    spreadsheet,
)

urlpatterns = [
    path("", lobby.home, name="home"),
    path("play/", guests.play_now, name="play_now"),
    path("notes/read/", notes.read_note, name="read_note"),
    path("games/", lobby.lobby, name="lobby"),
    path("games/next/", lobby.to_next_game, name="next_game"),
    path("games/new/", lobby.create_game, name="create_game"),
    path("games/<int:game_id>/", board.page, name="game"),
    path("games/<int:game_id>/results/", results.page, name="game_results"),
    path("games/<int:game_id>/history/", history.page, name="game_history"),
    path("games/<int:game_id>/spreadsheet/", spreadsheet.page, name="game_spreadsheet"),
    path("games/<int:game_id>/export/<slug:what>.<slug:form>", exports.download, name="game_export"),
    path("games/<int:game_id>/version/", board.version, name="game_version"),
    path("games/<int:game_id>/outcomes/", outcomes.outcomes, name="game_outcomes"),
    path("games/<int:game_id>/actions/", actions.submit, name="submit_action"),
    path("games/<int:game_id>/drafts/", actions.save_draft, name="save_draft"),
    path("games/<int:game_id>/join/", lobby.join_game, name="join_game"),
    path("games/<int:game_id>/leave/", lobby.leave_game, name="leave_game"),
    path("games/<int:game_id>/bots/", lobby.add_bot, name="add_bot"),
    path("games/<int:game_id>/bots/fill/", lobby.fill_with_bots, name="fill_with_bots"),
    path("games/<int:game_id>/seats/<int:number>/remove/", lobby.remove_seat, name="remove_seat"),
    path("games/<int:game_id>/removed/<int:number>/invite/", lobby.invite_again, name="invite_again"),
    path("games/<int:game_id>/invite/renew/", lobby.renew_invitation, name="renew_invitation"),
    path("games/<int:game_id>/invite/<str:token>/", lobby.invitation, name="invitation"),
    path("games/<int:game_id>/seat/back/", seats.take_seat_back, name="take_seat_back"),
    path("games/<int:game_id>/seat/resign/", seats.resign, name="resign"),
    path("games/<int:game_id>/start/", lobby.start_game, name="start_game"),
    path("rules/", rules.rulebooks, name="rules"),
    path("rules/<slug:key>/", rules.rulebook, name="rulebook"),
]
