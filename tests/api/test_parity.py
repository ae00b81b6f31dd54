"""What people can do and read on pages, programs can: every form and every page of the site has an operation, or a
reason why not. Both tables are held against the URL table, so that neither is forgotten when something is new."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

import accounts.urls
import game.urls
from tests.api.operations import every_operation

THINKING = "programs think on positions of their own, which the rules alone make (docs/training.md)"
READING = "what a reader has looked at, which programs do not"
SELF = "settings, secrets and the end of an account are its owner's, at a browser, with the password"
FORMS = {
    "create_game": "create_game",
    "submit_action": "make_move",
    "save_draft": "save_draft",
    "chat_say": "say",
    "chat_read": "mark_chat_read",
    "chat_switch": "switch_chat",
    "chat_mute": "mute",
    "chat_report": "report_message",
    "rematch": "rematch",
    "notes": "save_notes",
    "join_game": "take_seat",
    "leave_game": "leave_seat",
    "add_bot": "take_seat",
    "fill_with_bots": "fill_with_bots",
    "remove_seat": "leave_seat",
    "invite_again": "invite_again",
    "renew_invitation": "renew_invitation",
    "invitation": "take_seat",
    "invite_person": "take_seat",
    "withdraw_invitation": "withdraw_invitation",
    "decline_invitation": "withdraw_invitation",
    "take_seat_back": "take_seat_back",
    "give_seat_back": "give_seat_back",
    "resign": "resign",
    "take_seat": "take_over_seat",
    "propose_ending": "propose_ending",
    "propose_voting_out": "propose_voting_out",
    "agree_to_ending": "agree_to_ending",
    "revoke_ending": "revoke_ending",
    "propose_pause": "propose_pause",
    "agree_to_pause": "agree_to_pause",
    "decline_pause": "decline_pause",
    "withdraw_pause": "withdraw_pause",
    "agree_to_rewind": "agree_to_rewind",
    "decline_rewind": "decline_rewind",
    "extend_phase": "extend_phase",
    "start_game": "start_game",
    "set_rated": "change_game",
    "play_times": "choose_hours",
    "declare_vacation": "declare_vacation",
    "end_vacation": "end_vacation",
    "revoke_token": "revoke_token",
    "new_webhook": "add_webhook",
    "change_webhook": "change_webhook",
}
NOT_FOR_PROGRAMS = {
    **dict.fromkeys(("copy", "sit", "step_back", "delete_copy"), THINKING),
    **dict.fromkeys(("hold_seat", "cover_seat"), "several people share a browser"),
    "read_note": READING,
    "put_briefing_away": READING,
    "notifications": SELF,
    "game_notifications": SELF,
    "unsubscribe": "it is followed from an email",
    "delete_account": SELF,
    "usersessions_list": SELF,
    "preferences": SELF,
    "new_token": SELF,
    "revoke_tokens": SELF,
    **dict.fromkeys(("remove_webhook", "check_webhook", "change_webhook_secret", "send_delivery_again"), "me/webhooks"),
    **dict.fromkeys(
        ("allow_push", "stop_push", "remove_browser"), "it is about browsers, at one of which somebody sits"
    ),
    **dict.fromkeys(
        ("report_person", "report_problem", "appeal", "appeal_closing"), "people write to moderators, programs do not"
    ),
    **dict.fromkeys(("new_bot", "change_bot", "new_bot_token", "delete_bot", "bot_seat_back"), SELF),
    **dict.fromkeys(("invitations", "stop_host", "allow_host"), SELF),
    **dict.fromkeys(("households", "answer_household"), "who shares a home is said by people, at a browser"),
    "way_in": "it leads to a page for signing in",
    "set_theme": "how pages look",
    "set_language": "the header Accept-Language says it each time",
}


PAGES: dict[str, tuple[str, ...]] = {
    "home": ("list_decisions", "list_games"),
    "lobby": ("list_decisions", "list_invitations", "list_games", "list_free_seats"),
    "substitutes": ("list_invitees", "get_invitation", "get_game"),
    **dict.fromkeys(("needs", "next_game"), ("list_decisions",)),
    "create_game": ("list_rulesets", "get_ruleset"),
    "game": ("get_game", "get_position", "get_offers", "get_log", "list_proposals", "get_results", "list_invitees"),
    "game_version": ("get_game",),
    "game_results": ("get_turn", "get_log"),
    "game_story": ("get_story",),
    "game_history": ("list_history", "get_moment"),
    "game_spreadsheet": ("get_tables",),
    "game_explanation": ("explain_figure",),
    "game_charts": ("get_course", "get_ledger"),
    "game_export": ("get_tables", "get_ledger", "get_log"),
    **dict.fromkeys(("game_draws", "game_draws_json"), ("get_draws",)),
    "game_outcomes": ("list_outcomes",),
    **dict.fromkeys(("chat", "chat_version", "chat_report"), ("get_chat",)),
    "notes": ("get_notes",),
    "invitation": ("take_seat",),
    "resign": ("get_game", "resign"),
    "invitations": ("list_invitations",),
    "play_times": ("get_times",),
    **dict.fromkeys(("webhooks", "new_webhook"), ("list_webhooks",)),
    "webhook": ("get_webhook", "list_deliveries"),
    "tokens": ("get_token",),
    "person": ("find_people", "get_person", "list_games"),
    **dict.fromkeys(("leaderboards", "leaderboard", "ladder"), ("get_leaderboard",)),
    "rules": ("list_rulesets",),
    "rulebook": ("get_rulebook", "get_rule"),
    "api_docs": ("get_openapi",),
}
"""The pages that show facts of a game or of people, and what tells programs the same."""
HELP = "it teaches people, and a program would learn nothing of a game from it"
DESK = "between a person and the moderators"
ENTRY = "it is a way in, for a browser"
NO_FACTS = {
    **dict.fromkeys(("lessons", "start_lesson"), HELP),
    **dict.fromkeys(("report_problem", "report_person", "my_cases", "appeal", "appeal_closing"), DESK),
    "fresh_token": "forms of pages need it",
    "lobby_version": "whether a page shows what is so now; a program asks with If-None-Match",
    "moderation": "how often moderators did what, for people to read",
    **dict.fromkeys(("play_now", "way_in", "sign_in_link"), ENTRY),
    **dict.fromkeys(("copy", "copies", "copy_link"), THINKING),
    "peek": "a link out of an email; a program has a token",
    "mail_events": "a mail service reports there",
    **dict.fromkeys(("preferences", "notifications", "game_notifications", "unsubscribe", "households"), SELF),
    **dict.fromkeys(("new_token", "change_webhook_secret", "my_data", "personal_data", "delete_account"), SELF),
    **dict.fromkeys(("bots", "new_bot", "change_bot", "new_bot_token"), SELF),
    **dict.fromkeys(("mfa_view_recovery_codes", "mfa_download_recovery_codes"), SELF),
    **dict.fromkeys(("push_worker", "security_txt"), "a file for browsers, or for those who found a weakness"),
}
"""The other pages, and why programs need none of them."""
BESIDE = ("admin/", "api/")
"""The moderators' desk, where people decide about people, and the API itself."""


def methods_of(view: Any) -> set[str]:
    """What a view says it takes: its decorators keep it in their closures."""
    if hasattr(view, "view_class"):
        return {name.upper() for name in view.view_class.http_method_names}
    found: set[str] = set()
    while view is not None:
        for cell in getattr(view, "__closure__", None) or ():
            if isinstance(cell.cell_contents, list):
                found |= {each for each in cell.cell_contents if isinstance(each, str)}
        view = getattr(view, "__wrapped__", None)
    return found


def forms() -> Iterator[str]:
    for pattern in (*flattened(game.urls.urlpatterns), *accounts.urls.urlpatterns):
        assert isinstance(pattern, URLPattern)
        if "POST" in methods_of(pattern.callback):
            yield str(pattern.name)


def flattened(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[URLPattern]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from flattened(pattern.url_patterns)
        else:
            yield pattern


def test_every_form_of_a_page_has_an_operation_or_a_reason() -> None:
    found = set(forms())
    assert len(found) > 30
    known = {*FORMS, *NOT_FOR_PROGRAMS}
    assert not sorted(found - known), "a form without an operation, and without a reason"
    assert not sorted(known - found), "rows about forms that are not there"
    assert set(FORMS.values()) <= {place.operation.name for place in every_operation()}


def pages() -> Iterator[str]:
    """Whatever somebody can open, without the pages of allauth: an account is its owner's, at a browser."""

    def walk(resolver: URLResolver, before: str) -> Iterator[URLPattern]:
        for entry in resolver.url_patterns:
            where = before + str(entry.pattern)
            if where.startswith(BESIDE):
                continue
            if isinstance(entry, URLResolver):
                yield from walk(entry, where)
            elif not entry.callback.__module__.startswith("allauth."):
                yield entry

    for pattern in walk(get_resolver(), ""):
        methods = methods_of(pattern.callback)
        if "GET" in methods or not methods:  # what names no methods takes them all
            yield str(pattern.name)


def test_every_page_of_facts_has_an_operation_or_a_reason() -> None:
    found = set(pages())
    assert {"game", "lobby", "person", "security_txt"} <= found, "the whole table of addresses is walked"
    known = {*PAGES, *NO_FACTS}
    assert not set(PAGES) & set(NO_FACTS)
    assert not sorted(found - known), "a page without an operation, and without a reason"
    assert not sorted(known - found), "rows about pages that are not there"
    named = {name for names in PAGES.values() for name in names}
    assert all(PAGES.values())
    assert named <= {place.operation.name for place in every_operation()}
