"""What people can do on pages, programs can do: every form of the site has an operation, or a reason why not."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern

import accounts.urls
import game.urls
from tests.api.operations import every_operation

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
    "read_note": READING,
    "put_briefing_away": READING,
    "notifications": SELF,
    "game_notifications": SELF,
    "unsubscribe": "it is followed from an email",
    "delete_account": SELF,
    "preferences": SELF,
    "new_token": SELF,
    "revoke_tokens": SELF,
    **dict.fromkeys(("remove_webhook", "check_webhook", "change_webhook_secret", "send_delivery_again"), "me/webhooks"),
    **dict.fromkeys(("allow_push", "stop_push"), "it is about the browser at which somebody sits"),
    **dict.fromkeys(
        ("report_person", "report_problem", "appeal", "appeal_closing"), "people write to moderators, programs do not"
    ),
    **dict.fromkeys(("new_bot", "change_bot", "new_bot_token", "delete_bot", "bot_seat_back"), SELF),
    **dict.fromkeys(("invitations", "stop_host", "allow_host"), SELF),
    **dict.fromkeys(("households", "answer_household"), "who shares a home is said by people, at a browser"),
    "set_theme": "how pages look",
    "set_language": "the header Accept-Language says it each time",
    "account_login": "cookies count for nothing in the API",
    "account_signup": SELF,
}


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
    for pattern in (*game.urls.urlpatterns, *accounts.urls.urlpatterns):
        assert isinstance(pattern, URLPattern)
        if "POST" in methods_of(pattern.callback):
            yield str(pattern.name)


def test_every_form_of_a_page_has_an_operation_or_a_reason() -> None:
    found = set(forms())
    assert len(found) > 30
    known = {*FORMS, *NOT_FOR_PROGRAMS}
    assert not found - known, "a form without an operation, and without a reason"
    assert not known - found, "rows about forms that are not there"
    assert set(FORMS.values()) <= {place.operation.name for place in every_operation()}
