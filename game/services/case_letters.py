"""What people are told about cases and decisions: each side in its own language, by email and on their own page."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as date_format

from accounts import post
from accounts.languages import speaking
from accounts.mail import is_confirmed
from accounts.models import User
from game.engine.language import mark, say
from game.models import Case, Sanction

TOLD_WITHIN = timedelta(days=7)
Outcome, Kind = Case.Outcome, Sanction.Kind
TO_REPORTER = {
    Outcome.HELPED: mark("A moderator has done what you asked for, or what helps."),
    Outcome.NOTHING: mark("A moderator looked into it and found nothing against the rules. Thank you for telling us."),
    Outcome.ACTED: mark("A moderator looked into it, found that it was against the rules, and acted."),
    Outcome.UPHELD: mark("Another moderator looked at the decision again. It stands."),
    Outcome.LIFTED: mark("Another moderator looked at the decision again and took it back."),
}
TO_OTHERS = {
    Outcome.HELPED: mark("A moderator looked into a report that names you. Nothing is held against you."),
    Outcome.NOTHING: mark(
        "A moderator looked into a report that names you and found nothing against the rules. Nothing is held against "
        "you."
    ),
    Outcome.ACTED: mark(
        "A moderator looked into a report that names you and found that it was against the rules. A decision about you "
        "is on your page, where you can appeal against it."
    ),
}
DECIDED = {
    Kind.WARNING: mark("A moderator warns you: {reason}"),
    Kind.MUTE: mark("You cannot write in any chat until {until}. The reason: {reason}"),
    Kind.NO_JOIN: mark("You cannot create or join games until {until}. Your running games go on. The reason: {reason}"),
    Kind.BAN: mark(
        "You cannot play until {until}. Your seats stay yours; at each deadline the default counts for you. The "
        "reason: {reason}"
    ),
}


def tell_outcome(case: Case) -> None:
    """Email both sides what came of a case: never who reported it, nor what was noted."""
    outcome = Outcome(case.outcome)
    if case.reporter is not None:
        _send(case.reporter, mark("Your report: an answer"), TO_REPORTER[outcome])
    for person in case.people.exclude(pk=case.reporter_id or 0):
        if outcome in TO_OTHERS and case.source in {Case.Source.PLAYER, Case.Source.CHAT}:
            _send(person, mark("A report about you: an answer"), TO_OTHERS[outcome])


def tell_sanction(sanction: Sanction) -> None:
    """Email somebody what was decided about them, why, and that they can appeal."""
    with speaking(sanction.user.language):
        words = decided_words(sanction)
    _send(sanction.user, mark("A moderator’s decision about your account"), words)


def decided_words(sanction: Sanction) -> str:
    """A decision as the person reads it, in the language that is spoken and their own time."""
    until = ""
    if sanction.until is not None:
        here = timezone.localtime(sanction.until, ZoneInfo(sanction.user.timezone))
        until = date_format(here, "j F Y, H:i")
    return say(DECIDED[Kind(sanction.kind)], until=until, reason=sanction.reason)


def _send(person: User, subject: str, text: str) -> None:
    if not person.is_active or not is_confirmed(person):
        return
    with speaking(person.language):
        where = say("All answers and decisions are here: {url}", url=settings.SITE_URL + reverse("my_cases"))
        body = f"{say(text)}\n\n{where}\n"
        post.keep(EmailMessage(say(subject), body, to=[person.email]), valid_for=TOLD_WITHIN)
