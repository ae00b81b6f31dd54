"""Addresses of the lobby and the games."""

from django.urls import path

from game.api import pages
from game.bots import views
from game.chat import views as chat
from game.clock import views as times
from game.delivery import (
    push_views,
    webhook_views,
)
from game.delivery import (
    views as notifications,
)
from game.history import (
    chart_views,
    explanation_views,
    export_views,
    fairness_views,
    outcome_views,
    result_views,
    spreadsheet_views,
    story_views,
    visit_views,
)
from game.history import (
    views as history,
)
from game.lobby import (
    guest_views,
    inviting_views,
    lesson_views,
    note_views,
)
from game.lobby import (
    views as lobby,
)
from game.moderation import views as desk
from game.people import views as people
from game.reputation import (
    household_views,
    leaderboard_views,
)
from game.seats import views as seats
from game.table import (
    actions,
    peek_views,
)
from game.table import (
    views as board,
)
from game.web import rule_views

urlpatterns = [
    path("", lobby.home, name="home"),
    path("play/", guest_views.play_now, name="play_now"),
    path("notes/read/", note_views.read_note, name="read_note"),
    path("lessons/", lesson_views.lessons, name="lessons"),
    path("lessons/<slug:ruleset>/<slug:key>/", lesson_views.start_lesson, name="start_lesson"),
    path("games/", lobby.lobby, name="lobby"),
    path("games/version/", lobby.version, name="lobby_version"),
    path("games/needs/", lobby.needs, name="needs"),
    path("games/next/", lobby.to_next_game, name="next_game"),
    path("games/new/", lobby.create_game, name="create_game"),
    path("games/<int:game_id>/", board.page, name="game"),
    path("games/<int:game_id>/results/", result_views.page, name="game_results"),
    path("games/<int:game_id>/story/", story_views.page, name="game_story"),
    path("games/<int:game_id>/history/", history.page, name="game_history"),
    path("games/<int:game_id>/spreadsheet/", spreadsheet_views.page, name="game_spreadsheet"),
    path("games/<int:game_id>/explain/<slug:figure>/<str:subject>/", explanation_views.page, name="game_explanation"),
    path("games/<int:game_id>/charts/", chart_views.page, name="game_charts"),
    path("games/<int:game_id>/export/<slug:what>.<slug:form>", export_views.download, name="game_export"),
    path("games/<int:game_id>/version/", board.version, name="game_version"),
    path("games/<int:game_id>/draws/", fairness_views.page, name="game_draws"),
    path("games/<int:game_id>/draws.json", fairness_views.download, name="game_draws_json"),
    path("games/<int:game_id>/outcomes/", outcome_views.outcomes, name="game_outcomes"),
    path("games/<int:game_id>/briefing/away/", visit_views.put_away, name="put_briefing_away"),
    path("games/<int:game_id>/actions/", actions.submit, name="submit_action"),
    path("games/<int:game_id>/drafts/", actions.save_draft, name="save_draft"),
    path("games/<int:game_id>/chat/", chat.page, name="chat"),
    path("games/<int:game_id>/chat/version/", chat.version, name="chat_version"),
    path("games/<int:game_id>/chat/say/", chat.say, name="chat_say"),
    path("games/<int:game_id>/chat/read/", chat.mark_read, name="chat_read"),
    path("games/<int:game_id>/chat/switch/", chat.switch, name="chat_switch"),
    path("games/<int:game_id>/chat/mute/<int:number>/", chat.mute, name="chat_mute"),
    path("games/<int:game_id>/chat/<int:number>/report/", chat.report, name="chat_report"),
    path("games/<int:game_id>/rematch/", chat.rematch, name="rematch"),
    path("games/<int:game_id>/notes/", chat.notes, name="notes"),
    path("games/<int:game_id>/join/", lobby.join_game, name="join_game"),
    path("games/<int:game_id>/leave/", lobby.leave_game, name="leave_game"),
    path("games/<int:game_id>/bots/", lobby.add_bot, name="add_bot"),
    path("games/<int:game_id>/bots/fill/", lobby.fill_with_bots, name="fill_with_bots"),
    path("games/<int:game_id>/seats/<int:number>/remove/", lobby.remove_seat, name="remove_seat"),
    path("games/<int:game_id>/removed/<int:number>/invite/", lobby.invite_again, name="invite_again"),
    path("games/<int:game_id>/invite/renew/", lobby.renew_invitation, name="renew_invitation"),
    path("games/<int:game_id>/invite/<str:token>/", lobby.invitation, name="invitation"),
    path("games/<int:game_id>/invitees/", inviting_views.invite_person, name="invite_person"),
    path("games/<int:game_id>/substitutes/", inviting_views.substitutes, name="substitutes"),
    path("games/<int:game_id>/invitees/decline/", inviting_views.decline_invitation, name="decline_invitation"),
    path("games/<int:game_id>/invitees/stop/", inviting_views.stop_host, name="stop_host"),
    path("games/<int:game_id>/invitees/<int:number>/withdraw/", inviting_views.withdraw, name="withdraw_invitation"),
    path("games/<int:game_id>/problem/", desk.report_problem, name="report_problem"),
    path("games/<int:game_id>/seat/back/", seats.take_seat_back, name="take_seat_back"),
    path("games/<int:game_id>/seat/give-back/", seats.give_seat_back, name="give_seat_back"),
    path("games/<int:game_id>/seat/resign/", seats.resign, name="resign"),
    path("games/<int:game_id>/seats/<int:number>/take/", seats.take_seat, name="take_seat"),
    path("games/<int:game_id>/ending/", seats.propose_ending, name="propose_ending"),
    path("games/<int:game_id>/ending/<int:number>/agree/", seats.agree_to_ending, name="agree_to_ending"),
    path("games/<int:game_id>/ending/<int:number>/revoke/", seats.revoke_ending, name="revoke_ending"),
    path("games/<int:game_id>/rewind/<int:number>/agree/", seats.agree_to_rewind, name="agree_to_rewind"),
    path("games/<int:game_id>/rewind/<int:number>/decline/", seats.decline_rewind, name="decline_rewind"),
    path("games/<int:game_id>/pause/", seats.propose_pause, name="propose_pause"),
    path("games/<int:game_id>/pause/<int:number>/agree/", seats.agree_to_pause, name="agree_to_pause"),
    path("games/<int:game_id>/pause/<int:number>/withdraw/", seats.withdraw_pause, name="withdraw_pause"),
    path("games/<int:game_id>/pause/<int:number>/decline/", seats.decline_pause, name="decline_pause"),
    path("games/<int:game_id>/extend/<int:serial>/", seats.extend_phase, name="extend_phase"),
    path("games/<int:game_id>/rated/", lobby.set_rated, name="set_rated"),
    path("games/<int:game_id>/start/", lobby.start_game, name="start_game"),
    path("accounts/times/", times.page, name="play_times"),
    path("accounts/vacation/", times.declare_vacation, name="declare_vacation"),
    path("accounts/vacation/<int:number>/end/", times.end_vacation, name="end_vacation"),
    path("accounts/webhooks/", webhook_views.listed, name="webhooks"),
    path("accounts/webhooks/new/", webhook_views.new, name="new_webhook"),
    path("accounts/webhooks/<int:number>/", webhook_views.one, name="webhook"),
    path("accounts/webhooks/<int:number>/types/", webhook_views.change_types, name="change_webhook"),
    path("accounts/webhooks/<int:number>/check/", webhook_views.check, name="check_webhook"),
    path("accounts/webhooks/<int:number>/secret/", webhook_views.change_secret, name="change_webhook_secret"),
    path("accounts/webhooks/<int:number>/remove/", webhook_views.remove, name="remove_webhook"),
    path("accounts/webhooks/<int:number>/<int:delivery>/again/", webhook_views.send_again, name="send_delivery_again"),
    path("accounts/households/", household_views.page, name="households"),
    path("accounts/households/<int:number>/<slug:verb>/", household_views.answer, name="answer_household"),
    path("accounts/invitations/", inviting_views.page, name="invitations"),
    path("accounts/invitations/<int:number>/allow/", inviting_views.allow_host, name="allow_host"),
    path("accounts/my-data/", people.my_data, name="my_data"),
    path("accounts/my-data.zip", people.personal_data, name="personal_data"),
    path("accounts/delete/", people.delete_account, name="delete_account"),
    path("people/<str:name>/report/", desk.report_person, name="report_person"),
    path("moderation/", desk.counts, name="moderation"),
    path("moderation/mine/", desk.my_cases, name="my_cases"),
    path("moderation/closed/<str:token>/", desk.appeal_closing, name="appeal_closing"),
    path("moderation/decisions/<int:number>/appeal/", desk.appeal, name="appeal"),
    path("leaderboard/", leaderboard_views.first, name="leaderboards"),
    path("leaderboard/<slug:ruleset>/", leaderboard_views.page, name="leaderboard"),
    path("accounts/tokens/new/", views.new_token, name="new_token"),
    path("accounts/bots/", views.page, name="bots"),
    path("accounts/bots/new/", views.new_bot, name="new_bot"),
    path("accounts/bots/<int:number>/", views.change_bot, name="change_bot"),
    path("accounts/bots/<int:number>/token/", views.new_bot_token, name="new_bot_token"),
    path("accounts/bots/<int:number>/delete/", views.delete_bot, name="delete_bot"),
    path("accounts/bots/<int:number>/back/<int:game_id>/", views.take_seat_back, name="bot_seat_back"),
    path("people/<str:name>/", people.profile, name="person"),
    path("notifications/browser/allow/", push_views.allow, name="allow_push"),
    path("notifications/browser/stop/", push_views.forget, name="stop_push"),
    path("notifications/browser/<int:number>/remove/", push_views.remove, name="remove_browser"),
    path("push-worker.js", push_views.worker, name="push_worker"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("games/<int:game_id>/notifications/", notifications.game_notifications, name="game_notifications"),
    path("mail/unsubscribe/<str:token>/", notifications.unsubscribe, name="unsubscribe"),
    path("look/<str:token>/", peek_views.peek, name="peek"),
    path("developers/", pages.docs, name="api_docs"),
    path("rules/", rule_views.rulebooks, name="rules"),
    path("rules/<slug:key>/", rule_views.rulebook, name="rulebook"),
]
