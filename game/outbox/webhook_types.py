"""The types of webhook messages, which are part of the contract with programs, and what each says."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

OPENED, REMINDER, MISSED = "decision.opened", "decision.reminder", "decision.missed"
CLOSED, MOVED = "phase.closed", "deadline.moved"
STARTED, FINISHED = "game.started", "game.finished"
HELD, PAUSED, RESUMED = "game.held", "game.paused", "game.resumed"
PAUSE_PROPOSED, ENDING_PROPOSED, REWIND_ASKED = "pause.proposed", "ending.proposed", "rewind.asked"
VOID, REPLACED, LENT, RETURNED = "orders.void", "seat.replaced", "seat.lent", "seat.returned"
AWAY, MENTIONED = "seat.away", "chat.mention"
MAIL_RETURNED, INVITED, IDLE, PING = "mail.returned", "game.invited", "game.idle", "ping"
TYPES = {
    OPENED: _("You have a decision to make"),
    REMINDER: _("One of your deadlines is near"),
    MISSED: _("You missed a decision"),
    CLOSED: _("A phase has closed in one of your games"),
    MOVED: _("A deadline has moved in one of your games"),
    STARTED: _("One of your games has started"),
    FINISHED: _("One of your games is over"),
    HELD: _("One of your games is on hold"),
    PAUSED: _("One of your games is paused"),
    RESUMED: _("One of your games continues after a pause or a hold"),
    PAUSE_PROPOSED: _("A player proposes to pause one of your games, or to continue it"),
    ENDING_PROPOSED: _("A player proposes to end one of your games, or to vote out a player who has left"),
    REWIND_ASKED: _("You are asked whether to rewind one of your games"),
    VOID: _("One of your games was rewound, and what was submitted later no longer counts"),
    AWAY: _("The caretaker plays your seat, because decisions for it were missed"),
    REPLACED: _("Another player has taken over your seat"),
    LENT: _("Somebody plays for you for a time, or you play for somebody else"),
    RETURNED: _("A seat that somebody played for its player is theirs again"),
    MENTIONED: _("A player mentions you in a chat"),
    MAIL_RETURNED: _("An email to you came back or was marked as spam, so you get no more about your games"),
    INVITED: _("A player invites you to a game"),
    IDLE: _("One of your games was closed before it started, or will be closed because nobody opens it"),
}
"""The types that a webhook can choose; `ping` is always sent."""
