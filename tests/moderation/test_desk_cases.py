"""Desk, points 1, 6 and 8: cases with frozen evidence and answers to both sides, sanctions that end, appeals."""

import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.addresses import note_bounce
from accounts.models import Bounce, User, WaitingMail
from game.chat import reading, rules, writing
from game.engine.actions import Refused
from game.lobby import lobby
from game.moderation import approvals, case_filing, cases, collusion, interventions, sanctions, views
from game.people import account_closure, two_people
from game.play import failures
from game.store.case_models import Case, Sanction
from game.store.game import Game
from game.store.moderation_models import ApprovalRequest, Intervention, number_of
from tests.scenes import moderator, of_role, person, run_out, seen, table
from tests.tables import fresh, signed_in

pytestmark = [pytest.mark.django_db]
WHY = "they told each other their orders"


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben", language="de"), person("Carla"))


def user(name: str) -> User:
    return User.objects.get(username=name)


def file(game: Game, kind: str = "collusion", seats: tuple[int, ...] = (1,)) -> Case:
    return case_filing.report_problem(game=game, user=user("Ada"), kind=kind, words=WHY, seats=seats)


def test_a_player_reports_a_problem_from_the_page_of_the_game(game: Game) -> None:
    ada, address = signed_in(user("Ada")), f"/games/{game.pk}/problem/"
    assert address in ada.get(f"/games/{game.pk}/").content.decode()
    form = ada.get(address).content.decode()
    assert "Replace an absent player" in form
    assert ada.post(address, {"kind": "collusion", "words": " "}).status_code == 422
    assert ada.post(address, {"kind": "nonsense", "words": WHY}).status_code == 422
    assert ada.post(address, {"kind": "collusion", "words": WHY, "seats": ["1", "x"]}).status_code == 302
    case = Case.objects.get()
    assert (case.source, case.kind, case.game, [*case.people.all()]) == ("player", "collusion", game, [user("Ben")])
    assert WHY in ada.get("/moderation/mine/").content.decode()
    assert signed_in(person("Max")).post("/people/Ben/report/", {"kind": "name", "words": WHY}).status_code == 302
    assert Case.objects.filter(people=user("Ben"), game=None, kind="name").count() == 1


def test_the_first_page_of_the_desk_counts_what_is_to_be_done_and_leads_there(game: Game) -> None:
    file(game)
    Case.objects.create(kind="chat", source="player", due_at=timezone.now() - timedelta(1), severity=3)
    lena = signed_in(moderator("Lena"))
    page = lena.get(reverse("admin:index")).content.decode()
    heading = r'<h2><a href="([^"]+)">([^<]+)</a> <span class="desk-count">(\d+)</span>'
    headings = {words: (at, number) for at, words, number in re.findall(heading, page)}
    assert {words: number for words, (_, number) in headings.items()} == {
        "Open cases, 1 overdue": "2",
        "Waiting longest": "1",
    }
    for at, number in headings.values():
        counted = re.search(r"(\d+) results?|(\d+) [a-z ]+\s*</p>", lena.get(at).content.decode())
        assert counted
        assert number in counted.groups()


def test_evidence_stands_as_it_was_when_the_case_was_filed(game: Game) -> None:
    case = file(game)
    before = case.evidence["view"]["turn"], case.evidence["version"]
    run_out(game)
    rows = Case.objects.get().evidence
    assert (rows["view"]["turn"], rows["version"]) == before
    assert rows["version"] < fresh(game).version
    assert rows["log"]
    assert rows["view"]["seat"] is None, "what a stranger saw"


def test_what_goes_wrong_by_itself_opens_one_case(game: Game) -> None:
    writing.say(game_id=game.pk, user=user("Ben"), text="You fool!")
    for name in ("Ada", "Carla"):
        reading.report(game_id=game.pk, user=user(name), number=1, reason="insult")
    for _ in range(failures.ATTEMPTS + 1):
        failures.note_failure(game_id=game.pk, error=RuntimeError("a rule broke"))
    note_bounce("ben@example.org", Bounce.Why.UNKNOWN, "no such user")
    note_bounce("ben@example.org", Bounce.Why.UNKNOWN, "no such user")
    found = Case.objects.order_by("source").values_list("source", "severity")
    assert list(found) == [("bounce", 4), ("chat", 3), ("held", 1)]
    assert Case.objects.get(source="chat").evidence["text"] == "You fool!"


def test_the_queue_has_a_clock_filters_and_constant_sql(game: Game, django_assert_max_num_queries: Any) -> None:
    lena = moderator("Lena")
    client, queue = signed_in(lena), reverse("admin:game_case_changelist")
    first = file(game)
    page = client.get(queue).content.decode()
    assert "left" in page
    assert "Case " in page
    Case.objects.filter(pk=first.pk).update(due_at=timezone.now() - timedelta(hours=3), assignee=lena)
    assert "overdue for 3" in client.get(queue, {"state": "late"}).content.decode()
    assert f"Case {number_of(first, first.pk)}" in client.get(queue, {"state": "mine"}).content.decode()
    assert f"Case {number_of(first, first.pk)}" not in client.get(queue, {"kind__exact": "chat"}).content.decode()
    for kind in ("pause", "replace", "rules", "other"):
        file(game, kind)
    with django_assert_max_num_queries(12):
        assert client.get(queue).status_code == 200


def test_a_case_is_taken_weighed_noted_closed_and_opened_again(game: Game) -> None:
    case, lena = file(game, "rules"), moderator("Lena")
    client = signed_in(lena)

    def do(key: str, **fields: Any) -> int:
        return int(client.post(reverse("admin:handle_case", args=[case.pk, key]), fields).status_code)

    assert do("take", reason="mine") == 302
    assert do("weigh", reason="it spreads", severity=1) == 302
    assert do("note", text="asked the engineers") == 302
    case.refresh_from_db()
    assert (case.assignee, case.severity, case.due_at - case.at) == (lena, 1, timedelta(hours=4))
    WaitingMail.objects.all().delete()
    assert do("close", reason="fixed", outcome="upheld") == 422, "an outcome of appeals"
    assert do("close", reason="fixed", outcome="nothing") == 302
    for address in (
        reverse("admin:game_case_change", args=[case.pk]),
        reverse("admin:game_case_changelist") + "?state=closed",
    ):
        page = client.get(address).content.decode()
        assert re.search(r"closed <time [^>]*>today \d\d:\d\d", page), address
        assert "&lt;time" not in page, address
    values_by_key = {mail.recipient: mail.text for mail in WaitingMail.objects.all()}
    assert "found nothing against the rules" in values_by_key["ada@example.org"]
    assert "nichts gegen die Regeln" in values_by_key["ben@example.org"]
    assert "Ada" not in values_by_key["ben@example.org"], "nobody learns who reported"
    page = client.get(reverse("admin:game_case_change", args=[case.pk])).content.decode()
    assert "asked the engineers" in page
    assert do("reopen", reason="again") == 302
    case.refresh_from_db()
    assert (case.closed_at, case.reopened) == (None, 1)


def test_a_case_offers_what_can_be_done_and_tells_its_evidence_in_words(game: Game) -> None:
    case, lena = file(game), moderator("Lena")
    client, address = signed_in(lena), reverse("admin:game_case_change", args=[case.pk])
    fresh_case = client.get(address).content.decode()
    assert "Take the case" in fresh_case
    assert "Leave it to others" not in fresh_case
    assert "the decision stands" not in fresh_case, "an outcome of appeals"
    assert "Ada, Ben, Carla, Abacus</p>" in fresh_case
    cases.assign(case_id=case.pk, moderator=lena, to_me=True)
    taken = client.get(address).content.decode()
    assert "Take the case" not in taken
    assert "Leave it to others" in taken
    sanctions.impose(person=user("Ben"), moderator=moderator("Max"), kind="mute", reason="no tricks", days=2)
    appeal = case_filing.appeal(sanction_id=Sanction.objects.get().pk, user=user("Ben"), words="It was my brother.")
    html = client.get(reverse("admin:game_case_change", args=[appeal.pk])).content.decode()
    assert "kind: mute, reason: no tricks" in html
    assert "found nothing" not in html
    assert "the decision stands" in html


def test_a_case_of_collusion_is_not_closed_without_what_speaks_for_them(game: Game) -> None:
    case, lena = file(game), moderator("Lena")
    close = {"case_id": case.pk, "moderator": lena, "reason": "clear", "outcome": "acted"}
    with pytest.raises(Refused, match="what speaks in favour of the players"):
        cases.close(**close, exculpatory="  ")
    cases.close(**close, exculpatory="They are new and play in one room.")
    assert Case.objects.get().exculpatory


def test_nobody_is_banned_for_a_case_of_collusion_without_what_speaks_for_them(game: Game) -> None:
    case, lena = file(game), signed_in(moderator("Lena"))
    decide = reverse("admin:act_on_person", args=[user("Ben").pk, "decide"])
    ban = {"kind": "ban", "days": 7, "reason": "collusion", "case": number_of(case, case.pk)}
    assert "what speaks in favour of the players" in lena.post(decide, ban).content.decode()
    assert lena.post(decide, {**ban, "case": number_of(case, case.pk + 1)}).status_code == 422
    assert not Sanction.objects.exists()
    assert lena.post(decide, {**ban, "exculpatory": "They share a room."}).status_code == 302
    assert Sanction.objects.get().case == case
    cases.close(case_id=case.pk, moderator=user("Lena"), reason="clear", outcome="acted")
    assert Case.objects.get().exculpatory == "They share a room."
    carla = reverse("admin:act_on_person", args=[user("Carla").pk, "decide"])
    assert lena.post(carla, ban).status_code == 422, "the case is not about her"


@pytest.mark.parametrize("found", ["a report of collusion", "a detector"])
@pytest.mark.parametrize("kind", ["no_join", "ban", "closed"])
def test_nobody_under_suspicion_is_kept_out_without_naming_the_case(game: Game, found: str, kind: str) -> None:
    case = file(game)
    if found == "a detector":
        Case.objects.filter(pk=case.pk).update(source="detector", kind="other")
    ben, lena = user("Ben"), signed_in(moderator("Lena"))
    values: dict[str, Any] = {"reason": "collusion"}
    address = reverse("admin:close_account", args=[ben.pk])
    if kind != "closed":
        values |= {"kind": kind, "days": 40}
        address = reverse("admin:act_on_person", args=[ben.pk, "decide"])

    def answer(**more: Any) -> tuple[int, str]:
        page = lena.post(address, values | more)
        return page.status_code, page.content.decode()

    for more, why in (
        ({}, "Enter the number of the case"),
        ({"case": number_of(case, case.pk)}, "what speaks in favour of the players"),
    ):
        status, page = answer(**more)
        assert (status, why in page) == (422, True)
        assert not Sanction.objects.exists()
        assert not ApprovalRequest.objects.exists()
    assert answer(case=number_of(case, case.pk), exculpatory="They share a room.")[0] == 302
    assert Case.objects.get().exculpatory == "They share a room."
    for request in ApprovalRequest.objects.all():
        two_people.confirm(request_id=request.pk, moderator=moderator("Max"))
    assert (Sanction.objects.get().kind, Sanction.objects.get().case) == (kind, case)


@pytest.mark.parametrize("kind", ["ban", "closed"])
def test_nobody_confirms_without_naming_the_case_what_was_asked_before_the_suspicion(game: Game, kind: str) -> None:
    ben, lena, max_ = user("Ben"), moderator("Lena"), moderator("Max")
    if kind == "ban":
        sanctions.impose(person=ben, moderator=lena, kind="ban", reason="insults", days=40)
    else:
        account_closure.request_closure(user_id=ben.pk, moderator=lena, reason="insults")
    request, case = ApprovalRequest.objects.get(), file(game)
    with pytest.raises(Refused, match="by now in an open case of collusion"):
        two_people.confirm(request_id=request.pk, moderator=max_)
    assert approvals.is_open(ApprovalRequest.objects.get())
    assert (Sanction.objects.count(), user("Ben").is_active) == (0, True)
    cases.close(case_id=case.pk, moderator=lena, reason="a couple", outcome="nothing")
    two_people.confirm(request_id=request.pk, moderator=max_)
    assert Sanction.objects.get().kind == kind


def test_a_suspicion_that_was_acted_on_and_a_warning_need_no_case(game: Game) -> None:
    case, lena = file(game), moderator("Lena")
    who: dict[str, Any] = {"person": user("Ben"), "moderator": lena, "reason": "insults"}
    sanctions.impose(**who, kind="warning")
    sanctions.impose(**who, kind="mute", days=1)
    cases.close(case_id=case.pk, moderator=lena, reason="clear", outcome="acted", exculpatory="They are new.")
    sanctions.impose(**who, kind="ban", days=1)
    assert Sanction.objects.count() == 3


@pytest.mark.parametrize("outcome", ["nothing", "helped"])
def test_nobody_finds_nothing_in_a_case_and_decides_by_it_or_past_it(game: Game, outcome: str) -> None:
    case, lena = file(game), moderator("Lena")
    cases.close(case_id=case.pk, moderator=lena, reason="a couple", outcome=outcome)
    ban: dict[str, Any] = {"person": user("Ben"), "kind": "ban", "reason": "collusion", "days": 7}
    for who in (lena, moderator("Max")):
        with pytest.raises(Refused, match="closed in the last 90 days"):
            sanctions.impose(**ban, moderator=who)
        with pytest.raises(Refused, match="closed in the last 90 days"):
            account_closure.request_closure(user_id=user("Ben").pk, moderator=who, reason="collusion")
        with pytest.raises(
            Refused, match=f"Case {number_of(case, case.pk)} was closed without anything .* Open it again"
        ):
            sanctions.impose(**ban, moderator=who, case=case, exculpatory="They are new.")
    assert not Sanction.objects.exists()
    cases.reopen(case_id=case.pk, moderator=lena, reason="I was wrong")
    sanctions.impose(**ban, moderator=lena, case=case, exculpatory="They are new.")
    assert Sanction.objects.get().case == case


def test_what_was_found_to_be_nothing_is_named_no_more_after_a_while_or_beside_another_case(game: Game) -> None:
    case, lena = file(game), moderator("Lena")
    cases.close(case_id=case.pk, moderator=lena, reason="a couple", outcome="nothing")
    ban: dict[str, Any] = {"person": user("Ben"), "moderator": lena, "kind": "ban", "reason": "insults", "days": 7}
    insults = file(game, "chat")
    sanctions.impose(**ban, case=insults)
    Case.objects.filter(pk=case.pk).update(closed_at=timezone.now() - timedelta(days=91))
    sanctions.impose(**ban)
    assert [each.case for each in Sanction.objects.all()] == [None, insults]


def test_nobody_confirms_by_a_case_in_which_nothing_was_found_since(game: Game) -> None:
    case, lena, max_ = file(game), moderator("Lena"), moderator("Max")
    ban: dict[str, Any] = {"person": user("Ben"), "kind": "ban", "reason": "collusion", "days": 40}
    sanctions.impose(**ban, moderator=lena, case=case, exculpatory="They are new.")
    cases.close(case_id=case.pk, moderator=lena, reason="a couple", outcome="nothing")
    request = ApprovalRequest.objects.get()
    with pytest.raises(Refused, match="Open it again"):
        two_people.confirm(request_id=request.pk, moderator=max_)
    assert approvals.is_open(ApprovalRequest.objects.get())
    cases.reopen(case_id=case.pk, moderator=max_, reason="the log says otherwise")
    two_people.confirm(request_id=request.pk, moderator=max_)
    assert Sanction.objects.get().case == case


@pytest.mark.parametrize(
    ("source", "outcome", "spared"),
    [
        ("detector", "nothing", None),
        ("detector", "acted", None),
        ("player", "acted", "Nothing was decided about you."),
    ],
)
def test_whoever_a_case_is_about_is_told_what_is_true_of_them(
    game: Game, source: str, outcome: str, spared: str | None
) -> None:
    """Ben is warned by the case and Carla is not. Whom a detector found learns only what was decided about them."""
    lena, case = moderator("Lena"), file(game, seats=(1, 2))
    Case.objects.filter(pk=case.pk).update(source=source, reporter=None)
    values: dict[str, Any] = {"moderator": lena, "reason": "clear", "exculpatory": "They are new."}
    if outcome == "acted":
        sanctions.impose(person=user("Ben"), kind="warning", case=case, **values)
    WaitingMail.objects.all().delete()
    cases.close(case_id=case.pk, outcome=outcome, **values)
    ben, carla = (WaitingMail.objects.filter(recipient=f"{name}@example.org").first() for name in ("ben", "carla"))
    assert bool(ben) is (outcome == "acted")
    assert ben is None or "auf deiner Seite" in ben.text
    assert (carla is None) if spared is None else (carla is not None and spared in carla.text)


def test_nobody_works_on_a_case_they_have_a_part_in(game: Game) -> None:
    case = file(game)
    for name in ("Ada", "Ben", "Carla"):
        User.objects.filter(username=name).update(is_staff=True, is_superuser=True)
        assert signed_in(user(name)).get(reverse("admin:game_case_change", args=[case.pk])).status_code == 404
        with pytest.raises(Refused, match="no such case, or you have a part in it"):
            cases.add_note(case_id=case.pk, moderator=user(name), text="x")
    dora = person("Dora")
    lines = [
        _decide_by(user("Carla"), dora, number) for number in (number_of(case, case.pk), number_of(case, case.pk + 1))
    ]
    assert lines == ["There is no such case, or you have a part in it."] * 2, "nor do they learn that there is one"


def _decide_by(moderator: User, about: User, number: int) -> str:
    """What the desk answers to somebody who warns another one and names a case."""
    sent = {"kind": "warning", "days": 0, "reason": "no tricks", "case": number}
    answer = signed_in(moderator).post(reverse("admin:act_on_person", args=[about.pk, "decide"]), sent)
    assert answer.status_code == 422
    return " ".join(map(str, answer.context["messages"]))


def test_nobody_is_offered_a_decision_that_their_role_does_not_make(game: Game) -> None:
    for role, kinds in (("helper", ["warning", "mute"]), ("moderator", ["warning", "mute", "no_join", "ban"])):
        desk = signed_in(of_role(role, role)).get(reverse("admin:person_desk", args=[user("Ben").pk]))
        decide = next(form for act, form in desk.context["forms"] if act.key == "decide")
        assert [value for value, _ in decide.fields["kind"].choices] == kinds
        assert "each decision ends by itself" in desk.content.decode()


def test_only_who_may_end_a_decision_is_offered_the_answer_to_its_appeal(game: Game) -> None:
    sanctions.impose(person=user("Ben"), moderator=moderator("Max"), kind="mute", reason="no tricks", days=2)
    appeal = case_filing.appeal(sanction_id=Sanction.objects.get().pk, user=user("Ben"), words="It was my brother.")
    for case, offers in (
        (file(game), {"helper": True, "moderator": True}),
        (appeal, {"helper": False, "moderator": True}),
    ):
        for role, is_offered in offers.items():
            who = signed_in(User.objects.filter(username=role).first() or of_role(role, role))
            page = who.get(reverse("admin:game_case_change", args=[case.pk])).content.decode()
            assert ("Close and answer both sides" in page) is is_offered, (case.source, role)


def test_sanctions_hold_and_end_by_themselves(game: Game) -> None:
    User.objects.filter(username="Ben").update(timezone="Europe/Berlin")
    lena, ben = moderator("Lena"), user("Ben")
    WaitingMail.objects.all().delete()
    for kind, days in (("warning", 0), ("mute", 2), ("no_join", 3)):
        assert sanctions.impose(person=ben, moderator=lena, kind=kind, reason="no tricks", days=days) is None
    assert rules.silence_words(ben)
    with pytest.raises(Refused, match=r"cannot create or join games until .* \(UTC time\)"):
        lobby.create_game(host=ben, name="New", seats=3)
    assert WaitingMail.objects.filter(recipient="ben@example.org").count() == 3
    assert "Ein Moderator" in WaitingMail.objects.filter(recipient="ben@example.org")[0].text
    for each in (
        WaitingMail.objects.filter(text__contains="Chat").get().text,
        signed_in(ben).get("/moderation/mine/").content.decode(),
    ):
        assert re.search(r"bis \d{1,2}\. [A-ZÄ][a-zä]+ 20\d\d, \d\d:\d\d Uhr \(Zeitzone Berlin\)", each)
    Sanction.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert lobby.create_game(host=ben, name="New", seats=3).host == ben
    assert not any(each.is_in_force for each in Sanction.objects.all())


def test_a_ban_shows_why_and_until_when_and_nothing_else(game: Game) -> None:
    lena, carla = moderator("Lena"), signed_in(user("Carla"))
    sanctions.impose(person=user("Carla"), moderator=lena, kind="ban", reason="threats", days=7)
    for address in ("/games/", f"/games/{game.pk}/", "/people/Ada/"):
        kept_out = carla.get(address)
        assert kept_out.status_code == 403
        assert "threats" in kept_out.content.decode()
    assert carla.get("/moderation/mine/").status_code == 200
    assert game.seats.filter(user=user("Carla")).exists(), "no game goes because somebody is banned"
    sanction = Sanction.objects.get()
    sanctions.lift(person=sanction.user, number=sanction.pk, moderator=lena, reason="a mistake")
    assert carla.get("/games/").status_code == 200


def test_a_ban_for_more_than_thirty_days_needs_a_second_person(game: Game) -> None:
    lena, ben = moderator("Lena"), user("Ben")
    long = {"person": ben, "moderator": lena, "kind": "ban", "reason": "again"}
    assert sanctions.impose(**long, days=30) is None
    result = sanctions.impose(**long, days=31)
    assert result is not None
    assert Sanction.objects.count() == 1
    with pytest.raises(Refused, match="yourself"):
        sanctions.confirm_ban(request_id=result.pk, moderator=lena)
    max_ = signed_in(moderator("Max"))
    assert max_.get(reverse("admin:game_approvalrequest_change", args=[result.pk])).status_code == 200
    assert max_.post(reverse("admin:second", args=[result.pk, "confirm"])).status_code == 302
    assert Sanction.objects.first().by == lena  # type: ignore[union-attr]
    assert ApprovalRequest.objects.get().answered_by == user("Max")
    assert user("Ben").banned_until > timezone.now() + timedelta(days=30)


def test_an_appeal_is_answered_by_somebody_else(game: Game) -> None:
    lena, max_, ben = moderator("Lena"), moderator("Max"), signed_in(user("Ben"))
    sanctions.impose(person=user("Ben"), moderator=lena, kind="no_join", reason="no tricks", days=9)
    sanction = Sanction.objects.get()
    address = reverse("appeal", args=[sanction.pk])
    assert address in ben.get("/moderation/mine/").content.decode()
    assert signed_in(user("Ada")).get(address).status_code == 404
    assert ben.post(address, {"words": "It was my brother."}).status_code == 302
    assert ben.post(address, {"words": "Again."}).status_code == 422
    case = Case.objects.get(source="appeal")
    answer = {"case_id": case.pk, "reason": "believable", "outcome": "lifted"}
    with pytest.raises(Refused, match="You had a part in this decision"):
        cases.close(**answer, moderator=lena)
    cases.close(**answer, moderator=max_)
    assert not Sanction.objects.get().is_in_force
    assert "zurückgenommen" in ben.get("/moderation/mine/").content.decode()


def test_the_person_desk_shows_what_two_won_beside_their_fair_share() -> None:
    """In games with 5, 5 and 4 seats two players would win 2/5 + 2/5 + 2/4 of three games, which is 43%."""
    dora, emil = person("Dora"), person("Emil")
    for bots, places in ((3, (1, 2)), (3, (3, 2)), (2, (4, 1)), (3, None)):
        shared = table(dora, emil, bots=bots)
        for number, place in enumerate(places or ()):
            shared.seats.filter(number=number).update(place=place)
    (emil_at,) = collusion.companions_of(dora)
    assert (emil_at.games, emil_at.finished, emil_at.won, emil_at.won_together) == (4, 3, 1, 2)
    assert (emil_at.percent, emil_at.fair_percent) == (67, 43)
    page = signed_in(moderator("Lena")).get(reverse("admin:person_desk", args=[dora.pk])).content.decode()
    assert '2 (67%)</td>\n<td data-heading="Fair share">43%</td>' in page


def test_the_person_desk_tells_what_a_moderator_needs(game: Game) -> None:
    lena = signed_in(moderator("Lena"))
    page = reverse("admin:person_desk", args=[user("Ben").pk])
    file(game)
    assert (
        lena.post(reverse("admin:act_on_person", args=[user("Ben").pk, "note"]), {"text": "a note"}).status_code == 302
    )
    words = lena.get(page).content.decode()
    for expected in ("a note", "Plays with", "Carla", "help each other", "confirmed", "Missed"):
        assert expected.lower() in words.lower()
    decide = reverse("admin:act_on_person", args=[user("Ben").pk, "decide"])
    assert lena.post(decide, {"kind": "mute", "days": 99, "reason": "spam"}).status_code == 422
    assert lena.post(decide, {"kind": "mute", "days": 3, "reason": "spam"}).status_code == 302
    number = Sanction.objects.get().pk
    lift = reverse("admin:lift_sanction", args=[user("Ben").pk, number])
    answer = lena.post(lift, {"reason": ""})
    assert (answer.status_code, "Reason: This field is required." in answer.content.decode()) == (422, True)
    assert lena.post(lift, {"reason": "enough"}).status_code == 302
    assert lena.post(lift, {"reason": "again"}).status_code == 422
    carla = reverse("admin:lift_sanction", args=[user("Carla").pk, number])
    assert lena.post(carla, {"reason": "of somebody else"}).status_code == 422
    assert signed_in(person("Staff", is_staff=True)).get(page).status_code == 403


def test_every_intervention_is_counted_for_everybody_once() -> None:
    counted = Counter(verb for verbs in views.KINDS.values() for verb in verbs)
    assert counted == Counter(Intervention)


def test_everybody_reads_how_often_moderators_did_what(game: Game) -> None:
    interventions.pause(game_id=game.pk, moderator=moderator("Lena"), reason="a secret reason", seen=seen(game))
    page = Client().get("/moderation/").content.decode()
    assert "Clocks: paused" in page
    assert "<td>1</td>" in page
    assert "a secret reason" not in page
    assert "Lena" not in page
