"""No number that staff see counts what is hidden from them: neither keys, nor gaps between them, nor totals."""

import itertools
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from accounts.models import User
from game.admin.record_words import words_of
from game.moderation import case_filing, cases, interventions, repairs, views
from game.store.case_models import Case
from game.store.game import Game
from game.store.log import LoggedAction
from game.store.moderation_models import MOST, ApprovalRequest, ModeratorAction, key_of, number_of
from tests.scenes import moderator, person, run_out, seen, send, table
from tests.tables import signed_in

pytestmark = [pytest.mark.django_db]
WHY = "they told each other their orders"
ROWS = re.compile(r"/admin/game/(\w+)/(\d+)/")


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"))


@pytest.fixture
def lena() -> User:
    return moderator("Lena")


def file(game: Game, about: int = 1) -> Case:
    user = User.objects.get(username="Ada")
    return case_filing.report_problem(game=game, user=user, kind="collusion", words=WHY, seats=[about])


def test_every_number_stands_for_one_key_and_back() -> None:
    keys = [*range(2000), MOST]
    numbers = [number_of(Case, key) for key in keys]
    assert [key_of(Case, number) for number in numbers] == keys
    assert len(set(numbers)) == len(keys)
    assert numbers != [number_of(ApprovalRequest, key) for key in keys], "each kind of row has its own"
    assert max(abs(one - other) for one, other in itertools.pairwise(numbers)) > MOST // 2
    for wrong in (-1, MOST + 1):
        with pytest.raises(ValueError, match="32 bits"):
            key_of(Case, wrong)


def test_a_request_keeps_the_number_that_was_mailed_under_its_model_s_former_name() -> None:
    former: Any = SimpleNamespace(_meta=SimpleNamespace(label="game.SecondOpinion"))
    assert number_of(ApprovalRequest, 7) == number_of(former, 7)


def test_addresses_of_rows_hold_no_keys(game: Game, lena: User) -> None:
    case = file(game)
    interventions.pause(game_id=game.pk, moderator=lena, seen=seen(game), reason="a while")
    run_out(game)
    client = signed_in(moderator("Root", is_superuser=True))
    found: dict[str, set[int]] = {}
    for kind in ("case", "loggedaction", "moderatoraction", "notice", "company", "order", "seat", "tenure"):
        page = client.get(f"/admin/game/{kind}/").content.decode()
        for model, number in ROWS.findall(page):
            found.setdefault(model, set()).add(int(number))
            assert client.get(f"/admin/game/{model}/{number}/change/").status_code == 200
    assert {"case", "loggedaction", "moderatoraction", "company", "seat"} <= found.keys()
    keys = set(LoggedAction.objects.values_list("pk", flat=True))
    assert not found["loggedaction"] & keys
    assert found["case"] == {number_of(Case, case.pk)}
    assert client.get(f"/admin/game/case/{case.pk}/change/").status_code == 404
    assert (
        f"Case {number_of(case, case.pk)}"
        in client.get(f"/admin/game/case/{min(found['case'])}/change/").content.decode()
    )


@pytest.mark.parametrize("number", ["4294967296", "9999999999", "99999999999", "1" * 40, "-1", "x", "0"])
def test_what_is_no_number_of_a_row_is_not_found(lena: User, number: str) -> None:
    client = signed_in(lena)
    for kind in ("case", "approvalrequest", "report", "loggedaction"):
        assert client.get(f"/admin/game/{kind}/{number}/change/").status_code in {302, 404}
    with pytest.raises(NoReverseMatch):
        reverse("admin:game_case_change", args=[MOST + 1])


def test_a_sealed_revision_changes_no_number_of_the_log(game: Game, lena: User) -> None:
    """Neither the addresses of the entries around it nor what the last resolution says of itself."""
    bid = {"kind": "bid_influence", "points": 3}
    for points in range(5):
        send(game, 0, bid | {"points": points})
    run_out(game)
    client = signed_in(lena)
    html = [int(number) for _, number in ROWS.findall(client.get("/admin/game/loggedaction/").content.decode())]
    assert html
    assert not set(html) & set(LoggedAction.objects.values_list("pk", flat=True))
    again = client.get(reverse("admin:rerun", args=[game.pk])).content.decode()
    assert "No difference" in again
    assert "played again" not in again
    assert repairs.compare_rerun(game)._fields == ("phase", "differences")


def test_what_was_done_tells_no_number_of_the_log(game: Game, lena: User) -> None:
    case = file(game)
    details = {"from_entry": 17, "replayed": 23, "entries": 4, "number": 9, "case": case.pk, "did": "restored"}
    text = words_of(ModeratorAction(verb="restore_from_log", details=details))
    assert text.endswith(f": case {number_of(case, case.pk)}, restored")


def test_totals_leave_out_cases_that_the_reader_may_not_know_of(game: Game, lena: User) -> None:
    file(game)
    Case.objects.update(due_at=timezone.now())
    ben = User.objects.get(username="Ben")
    User.objects.filter(pk=ben.pk).update(is_staff=True, is_superuser=True)
    dora = moderator("Dora", is_superuser=True)
    overdue = [signed_in(who).get("/admin/game/sitestate/").context["late_cases"] for who in (ben, dora)]
    assert overdue == [0, 1]


def test_what_is_done_about_a_case_is_counted_for_everybody_once_it_is_closed(game: Game, lena: User) -> None:
    """Somebody whom it is about could else tell that there is one, by what their own record lacks."""

    case = file(game)
    cases.assign(case_id=case.pk, moderator=lena, to_me=True)
    assert _counted() == 0
    cases.close(case_id=case.pk, moderator=lena, reason="nothing", outcome="nothing", exculpatory="they joked")
    assert _counted() == 2


def _counted() -> int:
    row: Any = list(views.KINDS).index("Cases, exports, comparisons, shared homes recorded")
    return sum(month.counts[row] for month in views.monthly_counts())
