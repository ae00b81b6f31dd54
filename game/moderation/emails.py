"""Emails about moderators' work: to both sides of a case, to people about whom something was decided or whose account
was changed, and to the staff when a game needs them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMessage
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from accounts import emails
from accounts.addresses import is_confirmed
from accounts.languages import override_language
from accounts.models import User
from accounts.quiet_hours import zone_of
from game.chat.models import Message, Report
from game.engine.language import apart, mark, say
from game.i18n import zoned_words
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.moderation_models import Intervention

VALID_FOR = timedelta(days=7)
Outcome, Kind = Case.Outcome, Sanction.Kind
APPEAL_OUTCOMES = {Outcome.UPHELD, Outcome.LIFTED}
SALT = "game.services.case_letters"
TO_REPORTER = {
    Outcome.HELPED: mark("A moderator has done what you asked for, or what helps."),
    Outcome.NOTHING: mark(
        "A moderator looked into your report and found nothing against the rules. Thank you for telling us."
    ),
    Outcome.ACTED: mark("A moderator looked into your report, found a breach of the rules, and acted on it."),
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
        "A moderator looked into a report that names you and found a breach of the rules. A decision about you is on "
        "your page, where you can appeal against it."
    ),
}
UNDECIDED = mark(
    "A moderator looked into a report that names you, found a breach of the rules, and acted on it. Nothing was "
    "decided about you."
)
ACTED_ON_GAMES = mark(
    "A moderator looked into games in which you played, found a breach of the rules, and acted on it. A decision "
    "about you is on your page, where you can appeal against it."
)
SANCTION_TEXTS = {
    Kind.WARNING: mark("A moderator warns you: {reason}"),
    Kind.MUTE: mark("You cannot write in any chat until {until}. The reason: {reason}"),
    Kind.NO_JOIN: mark("You cannot create or join games until {until}. Your running games go on. The reason: {reason}"),
    Kind.BAN: mark(
        "You cannot play until {until}. You keep your seats; at each deadline the game decides for you, as for anyone "
        "who submits nothing. The reason: {reason}"
    ),
    Kind.CLOSED: mark(
        "Your account is closed. The caretaker plays your seats in games that have begun; you have left all others. "
        "The reason: {reason}"
    ),
}
LINK_TEXTS = {
    True: mark("A moderator recorded that you and {name} share a home or a connection. The reason: {reason}"),
    False: mark("A moderator ended the link between you and {name}. The reason: {reason}"),
}
"""By whether the link applies from now on."""
FACTORS_REMOVED = mark(
    "A moderator removed the second factors of your account: apps, passkeys and recovery codes. From now on "
    "you sign in "
    "with your password alone, and you were signed out everywhere. Your API tokens are revoked, and your webhooks are "
    "told nothing until you check them again. The reason: {reason}\n\nIf you did not ask for this, set a new password "
    "now and reply to this email."
)
ADDRESS_REQUEST = mark(
    "A moderator asks for another email address for your account. Nothing has changed yet: a second moderator decides "
    "within two days, and you get another email here if they agree. The reason: {reason}\n\nIf you did not ask for "
    "this, reply to this email now."
)
MAIL_RESUMED = mark(
    "Emails about your games go to this address again: a moderator has lifted the stop that was set when an email came "
    "back or was marked as spam. The reason: {reason}"
)
POWERS = mark(
    "A superuser changed what your account may do at the moderators’ desk. From now on:\n\n- Opens the desk: {staff}\n"
    "- Superuser: {superuser}\n- Groups: {groups}\n- Further permissions: {permissions}\n\nThe reason: {reason}"
)
YES_NO = {"yes": mark("yes"), "no": mark("no"), "none": mark("none")}


def email_outcome(case: Case) -> None:
    """Email both sides the outcome of a case, without who reported it or what was noted. Of a case that nobody
    reported, only people about whom something was decided since then are notified."""
    outcome = Outcome(case.outcome)
    email_reporters(case)
    since = Sanction.objects.filter(at__gte=case.at).values("user")
    for person in case.people.exclude(pk=case.reporter_id or 0).annotate(is_decided=Q(pk__in=since)):
        is_spared = outcome == Outcome.ACTED and not person.is_decided
        if outcome in TO_OTHERS and case.source in {Case.Source.PLAYER, Case.Source.CHAT}:
            _send(person, mark("A report about you: an answer"), UNDECIDED if is_spared else TO_OTHERS[outcome])
        elif outcome == Outcome.ACTED and case.source == Case.Source.DETECTOR and not is_spared:
            _send(person, mark("A decision about you"), ACTED_ON_GAMES)


def email_reporters(case: Case) -> None:
    """Email the outcome of a case to the person who reported it; for a message, to every reader who did."""
    outcome = Outcome(case.outcome)
    same = Report.objects.filter(message__reports=case.evidence.get("report") or 0).values("reporter")
    for person in User.objects.filter(Q(pk=case.reporter_id) | Q(pk__in=same)):
        _send(person, mark("Your report: an answer"), TO_REPORTER[outcome], even_closed=outcome in APPEAL_OUTCOMES)


def email_message_removed(message: Message, reason: str) -> None:
    """Email the author of a message that a moderator removed it, with the reason."""
    if message.author is None:
        return
    with override_language(message.author.language):
        words = say(
            "A moderator removed a message that you wrote in the chat of {game}. The reason: {reason}",
            game=message.game.name, reason=reason,
        )  # fmt: skip
        where = settings.SITE_URL + reverse("chat", args=[message.game_id])
    _queue(message.author, mark("One of your messages was removed"), words, where)


def email_sanction(sanction: Sanction) -> None:
    """Email a person the decision about them, its reason, and that they can appeal."""
    with override_language(sanction.user.language):
        words = sanction_words(sanction)
        if sanction.kind == Kind.CLOSED:
            words += "\n\n" + say("You can appeal once, without signing in: {url}", url=appeal_address(sanction))
    _send(sanction.user, mark("A moderator’s decision about your account"), words)


def email_act(person: User, text: str, *, even_closed: bool = False, **facts: str) -> None:
    """Email a person what a moderator did to their account, with the reason."""
    with override_language(person.language):
        words = say(text, **facts)
    _queue(person, mark("A moderator changed your account"), words, "", even_closed=even_closed)


def appeal_address(sanction: Sanction) -> str:
    """The address at which a person who can no longer sign in appeals: the address itself is the key."""
    return settings.SITE_URL + reverse("appeal_closing", args=[signing.dumps(sanction.pk, salt=SALT)])


def read_appeal(token: str) -> Sanction | None:
    """The decision that an address is about; None if the address was not made here, or no account is closed."""
    try:
        number = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Sanction.objects.filter(pk=number, kind=Kind.CLOSED).select_related("user").first()


def email_link(person: User, name: str, reason: str, *, is_on: bool) -> None:
    """Email a person that a moderator recorded or ended that they and another player share a home."""
    with override_language(person.language):
        words = say(LINK_TEXTS[is_on], name=name, reason=reason)
        where = say("What this means: {url}", url=settings.SITE_URL + reverse("households"))
    _queue(person, mark("Shared home or connection"), words, where)


def sanction_words(sanction: Sanction) -> str:
    """A decision as the person reads it, in the current language and their own time zone."""
    until = ""
    if sanction.until is not None:
        until = zoned_words(timezone.localtime(sanction.until, zone_of(sanction.user)))
    return say(SANCTION_TEXTS[Kind(sanction.kind)], until=until, reason=sanction.reason)


def email_powers(person: User, powers: Mapping[str, str], reason: str) -> None:
    """Email a person what they can do at the desk from now on: `powers` by name, each in words. Owners of closed
    accounts get it too."""
    with override_language(person.language):
        facts = {name: say(YES_NO[words]) if words in YES_NO else words for name, words in powers.items()}
    email_act(person, POWERS, even_closed=True, reason=reason, **facts)


def email_hold(*, game: Game) -> None:
    """After the commit: email everyone who can restart a game on hold, or the whole staff if nobody can. A moderator's
    own hold is no news."""
    if not game.before:
        _email_staff(game, "On hold", "mail/held.txt")


def email_risk(*, game: Game) -> None:
    """Email the same people before a deadline whose resolution has failed in a dry run."""
    _email_staff(game, "At risk", "mail/at_risk.txt")


def _send(person: User, subject: str, text: str, *, even_closed: bool = False) -> None:
    with override_language(person.language):
        where = say("All answers and decisions are here: {url}", url=settings.SITE_URL + reverse("my_cases"))
        _queue(person, subject, say(text), where if person.is_active else "", even_closed=even_closed)


def _queue(person: User, subject: str, text: str, where: str, *, even_closed: bool = False) -> None:
    if not (person.is_active or even_closed) or not is_confirmed(person):
        return
    with override_language(person.language):
        body = f"{text}\n\n{where}".strip() + "\n"
        emails.queue_email(EmailMessage(say(subject), body, to=[person.email]), valid_for=VALID_FOR)


def _email_staff(game: Game, topic: str, template: str) -> None:
    staff = [user for user in User.objects.filter(is_active=True, is_staff=True).order_by("pk") if is_confirmed(user)]
    able = [user for user in staff if user.has_perm(Intervention.RETRY.permission)] or staff
    if not able:
        return
    url = settings.SITE_URL + reverse("admin:game_game_change", args=[game.pk])
    text = render_to_string(template, {"game": game, "url": url})
    subject = " ".join(f"{topic}: {apart(game.name)}".split())
    with override_language("en"):  # as the desk speaks
        emails.queue_email(EmailMessage(subject, text, to=[user.email for user in able]), valid_for=VALID_FOR)
