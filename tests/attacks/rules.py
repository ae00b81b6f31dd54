"""Who is answered what at every address of the site: the table an address must have a row of.

A rule is what each role of `tests.attacks.world.ROLES` is answered when it opens the address about an open game under
way: 200 a page, 302 the way to signing in or elsewhere, 403 and 404 a refusal, 405 that the address takes forms alone.
The moderators' desk (`admin/`) and the API have rules for all their addresses together, in `test_walk.py`."""

Row = tuple[int, ...]


def row(nobody: int, anybody: int, **roles: int) -> Row:
    """What nobody in particular is answered, what everybody else is, and who is answered otherwise."""
    known = ("stranger", "guest", "rival", "own", "replaced", "future", "staff", "desk")
    assert not set(roles) - set(known)
    return (nobody, *(roles.get(role, anybody) for role in known))


def seats(nobody: int, anybody: int) -> Row:
    """What the seats of a game alone are shown."""
    return row(nobody, anybody, rival=200, own=200)


EVERYBODY, SIGNED_IN, ACCOUNTS = row(200, 200), row(302, 200), row(302, 200, guest=302)
VISITORS = row(200, 302, guest=200)  # who has come in has no business there
FORM, OPEN_FORM = row(302, 405), row(405, 405)  # opening it does nothing
ELSEWHERE, NOTHING = row(302, 302), row(404, 404)  # leads on; is not there, or not yet

RULES: dict[str, Row] = {
    **dict.fromkeys(("home", "lobby", "lessons", "person", "api_docs", "rules", "rulebook"), EVERYBODY),
    **dict.fromkeys(("account_inactive", "account_email_verification_sent", "account_confirm_email"), EVERYBODY),
    **dict.fromkeys(("account_reset_password", "account_reset_password_done"), EVERYBODY),
    **dict.fromkeys(("account_reset_password_from_key", "account_reset_password_from_key_done"), EVERYBODY),
    **dict.fromkeys(("account_login", "account_signup"), VISITORS),
    **dict.fromkeys(("preferences", "tokens", "account_logout", "usersessions_list"), SIGNED_IN),
    **dict.fromkeys(("play_times", "households"), SIGNED_IN),
    **dict.fromkeys(("account_reauthenticate", "account_email", "account_change_password", "notifications"), ACCOUNTS),
    **dict.fromkeys(("mfa_index", "mfa_list_webauthn", "create_game", "invitations"), ACCOUNTS),
    **dict.fromkeys(("mfa_deactivate_totp", "mfa_view_recovery_codes"), row(302, 404, guest=302)),
    "mfa_download_recovery_codes": row(302, 404, guest=302),
    **dict.fromkeys(("new_token", "account_set_password", "account_confirm_login_code"), ELSEWHERE),
    **dict.fromkeys(("mfa_authenticate", "mfa_reauthenticate", "mfa_activate_totp"), ELSEWHERE),
    **dict.fromkeys(("mfa_generate_recovery_codes", "mfa_add_webauthn", "mfa_reauthenticate_webauthn"), ELSEWHERE),
    **dict.fromkeys(("mfa_remove_webauthn", "mfa_edit_webauthn", "mfa_login_webauthn"), ELSEWHERE),
    **dict.fromkeys(("sign_in_link", "play_now", "start_lesson", "next_game"), ELSEWHERE),
    **dict.fromkeys(("webhooks", "copies", "my_cases", "report_problem", "report_person"), SIGNED_IN),
    **dict.fromkeys(("moderation", "leaderboard", "ladder", "push_worker"), EVERYBODY),
    "leaderboards": ELSEWHERE,
    **dict.fromkeys(("set_rated", "allow_push", "stop_push", "remove_browser"), FORM),
    "appeal": row(302, 404),  # of somebody else's decision, or of none
    "webhook": row(302, 404, own=200),
    "new_webhook": row(302, 302, guest=200),  # a guest is told on sending it that they have none
    **dict.fromkeys(("bots", "new_bot"), SIGNED_IN),
    "change_bot": row(302, 404),  # of somebody else, or of none
    "new_bot_token": row(302, 302, guest=404),
    **dict.fromkeys(("delete_bot", "bot_seat_back", "answer_household"), FORM),
    "change_webhook_secret": row(302, 302, guest=404),
    **dict.fromkeys(("check_webhook", "change_webhook", "remove_webhook", "send_delivery_again"), FORM),
    "delete_account": row(302, 302, guest=404),
    **dict.fromkeys(("my_data", "personal_data"), row(302, 302, guest=200)),
    "needs": row(403, 200),
    **dict.fromkeys(("set_theme", "set_language"), OPEN_FORM),
    "way_in": ELSEWHERE,
    "fresh_token": EVERYBODY,
    "lobby_version": EVERYBODY,
    **dict.fromkeys(("revoke_token", "revoke_tokens", "read_note", "declare_vacation", "end_vacation"), FORM),
    "security_txt": NOTHING,  # where nobody is named
    **dict.fromkeys(
        ("unsubscribe", "peek", "appeal_closing", "mail_events", "invitation", "copy_link"), NOTHING
    ),  # without a key that we made
    # A game: everybody looks at an open one, and one by invitation is there for its seats alone.
    **dict.fromkeys(("game", "game_version", "game_results", "game_history", "game_spreadsheet"), EVERYBODY),
    **dict.fromkeys(("game_explanation", "game_charts", "game_export"), EVERYBODY),
    **dict.fromkeys(("game_story", "game_draws", "game_draws_json"), NOTHING),  # before the end
    **dict.fromkeys(("chat", "chat_version"), seats(403, 403)),
    "chat_report": seats(302, 403),
    "game_outcomes": seats(302, 404),
    "copy": seats(302, 403),
    "notes": row(302, 404, rival=200, own=200, replaced=200),  # each their own
    **dict.fromkeys(("resign", "game_notifications"), seats(302, 302)),
    "substitutes": row(302, 404, own=200),  # the host's, while a seat is free
    **dict.fromkeys(("submit_action", "save_draft", "put_briefing_away", "rematch", "sit", "step_back"), FORM),
    "delete_copy": FORM,
    **dict.fromkeys(("hold_seat", "cover_seat"), FORM),
    **dict.fromkeys(("chat_say", "chat_read", "chat_switch", "chat_mute"), FORM),
    **dict.fromkeys(("join_game", "leave_game", "add_bot", "fill_with_bots", "remove_seat", "invite_again"), FORM),
    **dict.fromkeys(("renew_invitation", "start_game", "take_seat_back", "give_seat_back", "take_seat"), FORM),
    **dict.fromkeys(("invite_person", "withdraw_invitation", "decline_invitation", "stop_host", "allow_host"), FORM),
    **dict.fromkeys(("propose_ending", "propose_voting_out", "agree_to_ending", "revoke_ending"), FORM),
    **dict.fromkeys(("propose_pause", "agree_to_pause", "decline_pause", "withdraw_pause", "extend_phase"), FORM),
    **dict.fromkeys(("agree_to_rewind", "decline_rewind"), FORM),
}

GAME_MODELS = ("game", "seat", "tenure", "company", "holding", "order", "contract", "loggedaction", "notice")
RECORDS = (
    "game_moderatoraction",
    "game_approvalrequest",
    "accounts_guest",
    *(f"game_{model}" for model in GAME_MODELS),
)
DESK_READ = frozenset(
    {
        "index",
        "admin/",  # what waits, as far as each may see it
        "app_list",
        "jsi18n",
        "password_change_done",  # the page that says so; the form is the site's own
        *(f"{model}_{page}" for model in RECORDS for page in ("changelist", "change", "history")),
    }
)
"""What staff without a permission may read at the desk: games as strangers see them, and what moderators did."""

WITHOUT_TOKEN = {
    "mail_events": "a mail service reports there, with a secret of its own",
    "unsubscribe": "the one click of RFC 8058: the mail program sends it, and the address itself is the key",
}
"""Addresses that take a form without a token of ours, and why. Those of the API know no cookies."""
