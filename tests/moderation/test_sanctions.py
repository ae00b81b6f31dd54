"""What a decision about a person does beside others of its kind, and beside what they do with their account."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import RefusedAddress, User, WaitingMail
from game import tasks
from game.bots import accounts
from game.chat import reading, writing
from game.chat.models import Report
from game.delivery.notice_sending import send_due_notices
from game.engine.actions import Refused
from game.moderation import case_filing, cases, chat_moderation, sanctions
from game.people import account_deletion
from game.reputation import bans as barring
from game.store import account_locks
from game.store.case_models import KeptSanction, Sanction, Silence
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest
from tests.scenes import close_by_two, moderator, of_role, person, table
from tests.servers import Mailbox

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def mal() -> User:
    return person("mal")


def decide(kind: str, days: int, reason: str = "no tricks", by: str = "Lena") -> Sanction:
    lena = User.objects.filter(username=by).first() or moderator(by)
    rows = sanctions.impose(
        person=User.objects.get(username="mal"), moderator=lena, kind=kind, reason=reason, days=days
    )
    if rows is not None:
        sanctions.confirm_ban(request_id=rows.pk, moderator=moderator("Max"))
    return Sanction.objects.latest("pk")


def banned_days() -> int:
    until = User.objects.get(username="mal").banned_until
    return 0 if until is None else round((until - timezone.now()) / timedelta(days=1))


def silent_days(name: str = "mal") -> int:
    silence = Silence.objects.filter(user__username=name, until__gt=timezone.now()).first()
    return 0 if silence is None else round((silence.until - timezone.now()) / timedelta(days=1))


def test_a_short_ban_does_not_end_the_long_one_of_two_people(mal: User) -> None:
    decide("ban", 365)
    short = decide("ban", 1)
    assert banned_days() == 365
    sanctions.lift(
        person=short.user, number=short.pk, moderator=User.objects.get(username="Lena"), reason="once is enough"
    )
    assert banned_days() == 365


def days_pass(days: int) -> None:
    for ban in Sanction.objects.all():
        ban.at, ban.until = ban.at - timedelta(days=days), (ban.until or ban.at) - timedelta(days=days)
        ban.save()


def bans(days: int, by: User) -> bool:
    """Whether a moderator alone bans somebody for so long."""
    who = {"person": User.objects.get(username="mal"), "moderator": by}
    return sanctions.impose(**who, kind="ban", reason="no tricks", days=days) is None


def test_whether_somebody_is_banned_is_asked_of_the_database_only_for_who_was(
    mal: User, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        assert account_locks.ban_of(mal) is None


def test_nobody_alone_makes_a_long_ban_of_short_ones(mal: User) -> None:
    lena = moderator("Lena")
    assert bans(30, lena)
    assert bans(30, lena), "the same day: it ends no later"
    days_pass(29)
    assert not bans(30, lena)
    ApprovalRequest.objects.all().delete()
    assert bans(1, lena), "thirty days in all"
    assert not bans(2, moderator("Max")), "nor by another one alone"
    ApprovalRequest.objects.all().delete()
    days_pass(7)
    assert not bans(1, lena), "a week has not passed since the last one ended"
    ApprovalRequest.objects.all().delete()
    days_pass(2)
    assert bans(30, lena)


def test_an_appeal_is_answered_by_neither_of_the_two_who_banned(mal: User) -> None:
    sanction = decide("ban", 90)
    lena, max_ = User.objects.get(username="Lena"), User.objects.get(username="Max")
    assert (sanction.by, sanction.confirmed_by) == (lena, max_)
    case = case_filing.appeal(sanction_id=sanction.pk, user=mal, words="It was my brother.")
    ina = moderator("Ina")
    for judge in (lena, max_):
        with pytest.raises(Refused, match="You had a part in this decision"):
            cases.close(case_id=case.pk, moderator=judge, reason="no", outcome="upheld")
    cases.close(case_id=case.pk, moderator=ina, reason="their brother", outcome="lifted")
    assert banned_days() == 0


def test_an_appeal_against_a_closing_is_answered_by_neither_of_the_two(mal: User) -> None:
    lena = moderator("Lena")
    close_by_two(user_id=mal.pk, moderator=lena, reason="no tricks")
    moderator("Ina")
    sanction = Sanction.objects.get()
    case = case_filing.appeal(sanction_id=sanction.pk, user=mal, words="It was my brother.")
    for judge in (sanction.by, sanction.confirmed_by):
        assert judge is not None
        with pytest.raises(Refused, match="You had a part in this decision"):
            cases.close(case_id=case.pk, moderator=judge, reason="no", outcome="upheld")


def test_an_appeal_is_answered_by_those_who_could_end_the_decision_and_play_elsewhere(mal: User) -> None:
    pia, ina = of_role("Pia", "moderator"), of_role("Ina", "moderator")
    table(pia, mal)
    sanction = decide("ban", 9)
    case = case_filing.appeal(sanction_id=sanction.pk, user=mal, words="It was my brother.")
    answer = {"case_id": case.pk, "reason": "believable", "outcome": "lifted"}
    with pytest.raises(Refused, match="it needs the permission"):
        cases.close(**answer, moderator=of_role("Hella", "helper"))
    for outcome in ("lifted", "upheld"):
        with pytest.raises(Refused, match="You play with mal in"):
            cases.close(**{**answer, "outcome": outcome}, moderator=pia)
    assert banned_days() == 9
    cases.close(**answer, moderator=ina)
    assert banned_days() == 0


@pytest.mark.parametrize("kind", ["ban", "closed"])
def test_where_there_is_no_third_moderator_the_one_who_confirmed_answers_the_appeal(mal: User, kind: str) -> None:
    """Staff who may not work on it, or no longer, are no third one; who decided never answers."""
    declared = accounts.Declared(["sectors"], ["daily"], 2, 8, 3)
    bot = accounts.make_bot(owner=mal, name="Robbie", declared=declared).user
    if kind == "ban":
        decide("ban", 90)
    else:
        close_by_two(user_id=mal.pk, moderator=moderator("Lena"), reason="no tricks")
    sanction = Sanction.objects.get()
    decided, confirmed = sanction.by, sanction.confirmed_by
    assert decided is not None
    assert confirmed is not None
    case = case_filing.appeal(sanction_id=sanction.pk, user=mal, words="It was my brother.")
    moderator("Pia", "pause")
    moderator("Old", is_active=False)
    with pytest.raises(Refused, match="You had a part in this decision"):
        cases.close(case_id=case.pk, moderator=decided, reason="no", outcome="upheld")
    assert User.objects.get(pk=bot.pk).is_active is (kind == "ban")
    cases.close(case_id=case.pk, moderator=confirmed, reason="their brother", outcome="lifted")
    assert not Sanction.objects.get().is_in_force
    assert User.objects.get(pk=bot.pk).is_active, "bots that were closed with it are back as well"


def test_of_two_silences_the_one_that_is_left_holds(mal: User) -> None:
    lena, long = moderator("Lena"), decide("mute", 20, "spam")
    short = decide("mute", 2, "insults")
    assert silent_days() == 20
    sanctions.lift(person=long.user, number=long.pk, moderator=lena, reason="it was a quotation")
    assert (silent_days(), Silence.objects.get().reason) == (2, "insults")
    sanctions.lift(person=short.user, number=short.pk, moderator=lena, reason="that too")
    assert silent_days() == 0


@pytest.fixture
def report(mal: User) -> Report:
    ada = person("Ada")
    game: Game = table(ada, mal)
    result = writing.say(game_id=game.pk, user=mal, text="Rubbish!")
    reading.report(game_id=game.pk, user=ada, number=result.number, reason="rude")
    return Report.objects.get()


def test_a_reported_message_cuts_no_silence_short(report: Report) -> None:
    decide("mute", 20)
    helper = moderator("Hal", "silence")
    chat_moderation.silence(report_id=report.pk, moderator=helper, reason="rude", hours=24)
    assert silent_days() == 20
    with pytest.raises(Refused, match=r"needs the permission game\.can_lift_sanction"):
        chat_moderation.silence(report_id=report.pk, moderator=helper, reason="a joke", hours=0)
    assert silent_days() == 20
    chat_moderation.silence(report_id=report.pk, moderator=moderator("Ina"), reason="a joke", hours=0)
    assert silent_days() == 0


def test_a_silence_from_a_report_is_written_to_whom_it_is_about(report: Report) -> None:
    chat_moderation.silence(report_id=report.pk, moderator=moderator("Ina"), reason="rude words", hours=24)
    letter = WaitingMail.objects.get(recipient__startswith="mal@")
    assert letter.subject == "A moderator’s decision about your account"
    assert "rude words" in letter.text


def test_nobody_lifts_what_was_decided_about_them() -> None:
    mal, until = moderator("mal"), timezone.now() + timedelta(days=3)
    silenced = Sanction.objects.create(user=mal, kind="mute", reason="rude", by=moderator("Ina"), until=until)
    with pytest.raises(Refused, match="This is about you"):
        sanctions.lift(person=silenced.user, number=silenced.pk, moderator=mal, reason="I was right")
    silenced.refresh_from_db()
    assert silenced.is_in_force


def sign_up(name: str, address: str) -> Any:
    fields = {"username": name, "email": address, "password1": "correct horse battery"}
    return Client().post(reverse("account_signup"), fields)


def confirm(address: str) -> None:
    row = EmailAddress.objects.get(email=address)
    Client().post(reverse("account_confirm_email", args=[EmailConfirmationHMAC(row).key]))
    assert EmailAddress.objects.get(email=address).verified


def main_of(answer: Any) -> str:
    page = Client().get(answer["Location"]).content.decode()
    return page[page.index("<main") : page.index("</main>")]


@pytest.mark.parametrize("again", ["mal@example.org", "MAL+new@example.org"])
def test_who_deletes_a_banned_account_signs_up_again_when_the_ban_ends(mal: User, again: str, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    decide("ban", 30)
    client = Client()
    client.force_login(mal)
    client.post(reverse("account_reauthenticate"), {"password": "correct horse battery"})
    assert "before your ban ends on" in client.get("/accounts/delete/").content.decode()
    assert client.post("/accounts/delete/", {"name": "mal"}).status_code == 302
    WaitingMail.objects.all().delete()
    refused, other = sign_up("lam", again), sign_up("Grace", "grace@example.org")
    assert (refused.status_code, refused["Location"]) == (other.status_code, other["Location"]), "no page tells"
    assert main_of(refused) == main_of(other)
    assert not User.objects.filter(username="lam").exists()
    assert "no account\ncan be made" in WaitingMail.objects.get(recipient=again.lower()).text
    rows = RefusedAddress.objects.get()
    assert "mal" not in rows.digest
    RefusedAddress.objects.update(until=timezone.now())
    tasks.forget_old_traces()
    assert not RefusedAddress.objects.exists()
    assert sign_up("lam", again).status_code == 302
    assert User.objects.filter(username="lam").exists()


@pytest.mark.parametrize("kind", ["ban", "closed"])
def test_while_somebody_is_banned_or_closed_no_spelling_of_their_addresses_opens_another_account(
    mal: User, kind: str, settings: Any
) -> None:
    """Nor of one that they confirm meanwhile."""
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    if kind == "ban":
        decide("ban", 30)
    else:
        close_by_two(user_id=mal.pk, moderator=moderator("Lena"), reason="no tricks")
    EmailAddress.objects.create(user=mal, email="m.al@gmail.com")
    confirm("m.al@gmail.com")
    for address in ("mal+1@example.org", "mal@googlemail.com", "ma.l+2@gmail.com"):
        assert sign_up("again", address).status_code == 302
        assert "no account\ncan be made" in WaitingMail.objects.get(recipient=address).text
    assert not User.objects.filter(username="again").exists()
    WaitingMail.objects.all().delete()
    assert sign_up("again", "mal@example.org").status_code == 302
    assert "no account\ncan be made" not in WaitingMail.objects.get().text, "they have one"
    barring.end(Sanction.objects.get(), None)
    assert not RefusedAddress.objects.exists()
    assert sign_up("again", "mal@googlemail.com").status_code == 302
    assert User.objects.filter(username="again").exists()


def test_of_a_ban_and_a_closing_the_longer_one_refuses_the_address(mal: User) -> None:
    ban = decide("ban", 30)
    assert RefusedAddress.objects.get().until == ban.until
    close_by_two(user_id=mal.pk, moderator=moderator("Ina"), reason="no tricks")
    assert RefusedAddress.objects.get().until is None
    barring.end(Sanction.objects.get(kind="closed"), None)
    assert RefusedAddress.objects.get().until == ban.until


def test_where_no_mail_is_sent_the_page_says_that_an_address_is_refused(mal: User, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    decide("ban", 30)
    EmailAddress.objects.create(user=mal, email="a.stranger@example.org", verified=False)
    account_deletion.delete_account(user=User.objects.get(pk=mal.pk))
    assert RefusedAddress.objects.count() == 1, "not of a stranger whose address they typed"
    assert "You cannot sign up with this email address." in sign_up("mal", "mal@example.org").content.decode()


def test_who_deletes_an_account_that_is_not_banned_leaves_nothing(mal: User) -> None:
    decide("warning", 0)
    for kind in ("ban", "mute", "no_join"):
        sanction = decide(kind, 30)
        sanctions.lift(
            person=sanction.user, number=sanction.pk, moderator=User.objects.get(username="Lena"), reason="a mistake"
        )
    account_deletion.delete_account(user=User.objects.get(pk=mal.pk))
    assert not RefusedAddress.objects.exists()
    assert not KeptSanction.objects.exists()


def held_from(kind: str, name: str = "mal") -> bool:
    """Whether a decision of this kind holds for the account that is called so now."""
    if kind == "mute":
        return silent_days(name) > 0
    try:
        barring.check_may_join(User.objects.get(username=name))
    except Refused:
        return True
    return False


@pytest.mark.parametrize("again", ["mal@example.org", "mal+new@example.org"])
@pytest.mark.parametrize("kind", ["mute", "no_join"])
def test_what_was_decided_about_a_deleted_account_holds_for_the_next_one_with_its_address(
    mal: User, kind: str, again: str, settings: Any
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    before = decide(kind, 20, "mal was rude")
    client = Client()
    client.force_login(mal)
    client.post(reverse("account_reauthenticate"), {"password": "correct horse battery"})
    text = "This also applies to a new account with the same address."
    assert text in client.get("/accounts/delete/").content.decode()
    assert client.post("/accounts/delete/", {"name": "mal"}).status_code == 302
    rows = KeptSanction.objects.get()
    assert (rows.reason, "mal" in rows.digest) == ("? was rude", False)
    assert sign_up("lam", again).status_code == 302
    assert not held_from(kind, "lam"), "whose address it is nobody knows yet"
    WaitingMail.objects.all().delete()
    confirm(again)
    assert held_from(kind, "lam")
    now = Sanction.objects.get()
    assert (now.kind, now.at, now.until, now.by) == (kind, before.at, before.until, before.by)
    assert "? was rude" in WaitingMail.objects.get(recipient=again).text
    assert not KeptSanction.objects.exists()
    sanctions.lift(person=now.user, number=now.pk, moderator=User.objects.get(username="Lena"), reason="once is enough")
    assert not held_from(kind, "lam")


def test_of_two_addresses_each_brings_a_decision_back_and_the_same_one_once(mal: User, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.create(user=mal, email="other@example.org", verified=True)
    EmailAddress.objects.create(user=mal, email="a.stranger@example.org", verified=False)
    decide("mute", 20)
    account_deletion.delete_account(user=User.objects.get(pk=mal.pk))
    assert KeptSanction.objects.count() == 2, "not of a stranger whose address they typed"
    sign_up("mal", "mal@example.org")
    confirm("mal@example.org")
    EmailAddress.objects.create(user=User.objects.get(username="mal"), email="other@example.org")
    confirm("other@example.org")
    assert (Sanction.objects.count(), silent_days(), KeptSanction.objects.count()) == (1, 20, 0)
    account_deletion.delete_account(user=User.objects.get(username="mal"))
    assert KeptSanction.objects.count() == 2, "and it goes on again"


def test_what_is_kept_of_a_decision_is_forgotten_when_it_ends(mal: User, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    decide("no_join", 20)
    account_deletion.delete_account(user=User.objects.get(pk=mal.pk))
    tasks.forget_old_traces()
    assert KeptSanction.objects.exists()
    KeptSanction.objects.update(until=timezone.now())
    sign_up("mal", "mal@example.org")
    confirm("mal@example.org")
    assert not held_from("no_join")
    tasks.forget_old_traces()
    assert not KeptSanction.objects.exists()


def test_who_is_banned_is_told_of_a_game_and_asked_for_nothing(mailbox: Mailbox, mal: User) -> None:
    table(person("ada"), mal)
    User.objects.filter(pk=mal.pk).update(banned_until=timezone.now() + timedelta(days=1))
    send_due_notices()
    (message,) = [each for each in mailbox.messages if mal.email in each["To"]]
    assert "has started" in message["Subject"]


def test_a_dot_tells_two_people_apart_where_it_tells_two_mailboxes_apart(mal: User, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    decide("ban", 30)
    sign_up("Malte", "m.al@example.org")
    assert User.objects.filter(username="Malte").exists()
