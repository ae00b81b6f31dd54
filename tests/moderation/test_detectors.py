"""What figures alone say about two accounts at one table opens one case for people to judge, and does nothing else."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from game import tasks
from game.engine.ledger import Transfer
from game.history import archive
from game.history.ledger import Movement
from game.moderation import case_filing, cases, collusion, detectors
from game.moderation.models import Fingerprint
from game.moderation.multi_accounts import note_visit
from game.seats import takeover
from game.store.case_models import Case, Comparison, Sanction
from game.store.game import Game, Status
from game.store.log import LoggedAction
from game.store.moderation_models import ModeratorAction
from game.store.seat_models import Tenure
from tests.reputation.test_ratings import finish, rated
from tests.scenes import moderator, play_on
from tests.servers import ROOT
from tests.tables import READY, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db]
HOME = "192.0.2.10"


def game_of(*names: str, **more: Any) -> Game:
    return new_game(*names, ruleset="toy", pace="daily", **more)


def ended(*names: str) -> Game:
    """A short game in which everybody lets the clock run out."""
    return play_on(game_of(*names, rounds=1))


def share_browser(*names: str) -> None:
    people = [person(name) for name in names]
    note_visit(user=people[0], address=HOME, others_here=[other.pk for other in people[1:]])
    Fingerprint.objects.exclude(kind=Fingerprint.Kind.DEVICE).delete()


def page_of(case: Case, reader: User) -> str:
    client = Client()
    client.force_login(reader)
    return client.get(reverse("admin:game_case_change", args=[case.pk])).content.decode()


def noticed(case: Case) -> list[str]:
    return list(case.evidence["detectors"])


def bidding(*, carla: int) -> Game:
    """Ada and Ben bid nothing in each of twelve rounds, Carla so much in the first ten."""
    game = game_of("ada", "ben", "carla", rounds=12)
    while (now := fresh(game)).status == Status.RUNNING:
        if now.phase_name != "bidding":
            send(game, now.waiting_seats[0], {"kind": "stop"})
            continue
        for seat, coins in enumerate((0, 0, carla if now.turn <= 10 else 0)):
            send(game, seat, {"kind": "bid", "coins": coins}, READY)
    return fresh(game)


@pytest.fixture(autouse=True)
def many_rounds(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"rounds": (12,)}


@pytest.fixture
def bids() -> Game:
    """Carla bids something else than the others, and later."""
    game = bidding(carla=1)
    LoggedAction.objects.filter(game=game, seat=2).update(at=F("at") + timedelta(minutes=9))
    return game


def test_accounts_that_share_a_browser_get_one_case_and_nothing_is_done_to_them() -> None:
    share_browser("ada", "ben")
    running = game_of("ada", "ben", rounds=1)
    first = ended("ada", "ben", "carla")
    tasks.compare_ended()
    tasks.compare_ended()
    case = Case.objects.get()
    assert (case.source, case.kind, case.severity, case.game) == ("detector", "collusion", 3, first)
    assert set(case.people.values_list("username", flat=True)) == {"ada", "ben"}
    assert (noticed(case), case.evidence["seats_compared"]) == (["device"], [1, 2])
    frozen = case.evidence
    second = ended("ben", "ada")
    tasks.compare_ended()
    case = Case.objects.get()
    assert [*case.games.all()] == [second], "one open case a pair, to which later games are linked"
    assert case.evidence == frozen
    assert not Comparison.objects.filter(game=running).exists(), "a running game is not looked at"
    assert not Sanction.objects.exists()
    assert not ModeratorAction.objects.exists()
    assert not User.objects.filter(is_active=False).exists()


@pytest.mark.parametrize(("days", "cases_opened"), [(4, 0), (5, 1)])
def test_a_shared_address_opens_a_case_from_its_threshold_on(days: int, cases_opened: int) -> None:
    for name in ("ada", "ben"):
        note_visit(user=person(name), address=HOME)
    today = timezone.now().date()
    for fingerprint in Fingerprint.objects.filter(user__username="ada", kind="address"):
        for back in range(1, days):
            Fingerprint.objects.create(
                user=fingerprint.user, kind=fingerprint.kind, digest=fingerprint.digest, day=today - timedelta(back)
            )
    ended("ada", "ben")
    assert detectors.compare_ended() == cases_opened
    assert [*Case.objects.values_list("severity", flat=True)] == [Case.Severity.LOW] * cases_opened


def test_the_same_choices_at_once_stand_out_beside_the_rest_of_the_table(bids: Game) -> None:
    share_browser("ada", "ben")
    tasks.compare_ended()
    case = Case.objects.get()
    assert set(case.people.values_list("username", flat=True)) == {"ada", "ben"}
    assert noticed(case) == ["device", "choices", "timing"]
    assert case.severity == Case.Severity.HIGH, "the accounts and the play"
    values_by_key = {each["detector"]: each for each in case.evidence["play"]}
    assert [values_by_key["choices"][key] for key in ("value", "counted", "usual", "threshold")] == [100, 12, 17, 80]
    lena = moderator("Lena", "handle_cases", "compare_players")
    page = page_of(case, lena)
    assert "100% of 12, usual at this table 17%" in page
    assert "one browser" not in page, "figures of accounts are for those who may see hints"
    pairs = reverse("admin:pairs", args=[bids.pk])
    assert f"{pairs}?a=0&amp;b=1#beside" in page


@pytest.mark.parametrize(
    ("won", "of", "is_rated", "cases_opened"), [(8, 8, True, 1), (7, 7, True, 0), (8, 9, True, 0), (8, 8, False, 0)]
)
def test_one_who_always_comes_out_above_the_same_other_in_rated_games_is_noticed(
    won: int, of: int, is_rated: bool, cases_opened: int
) -> None:
    """Also where strangers cannot look at those games; what came of games that count for nothing does not matter."""
    people = [person(name) for name in ("ada", "ben", "carla")]
    for number in range(of):
        game = rated(*people, is_rated=is_rated)
        Game.objects.filter(pk=game.pk).update(is_open=False)
        ada, ben = (1, 3) if number < won else (3, 1)
        finish(game, ada, ben, (ada, 2, 4)[number % 3])
    tasks.compare_ended()
    assert Case.objects.count() == cases_opened
    for case in Case.objects.all():
        assert noticed(case) == ["results"]
        assert set(case.people.values_list("username", flat=True)) == {"ada", "ben"}
        assert case.evidence["play"][0]["text"].startswith("Rated games in which the same one came out above")


def test_games_that_one_of_two_played_without_the_other_and_ties_say_nothing_of_their_results() -> None:
    ada, ben, carla = 1, 2, 3
    together, tie = {ada: 1, ben: 2, carla: 3}, {ada: 1, ben: 1, carla: 3}
    games = [together, tie, {ada: 2, carla: 1}, {ben: 1, carla: 2}]
    finding = detectors.results_between(ada, ben, games)
    assert (finding.value, finding.counted) == (100, 1)


def test_nobody_is_compared_by_the_results_of_a_seat_they_took_over_or_gave_up() -> None:
    ada, ben, carla, dora = (person(name) for name in ("ada", "ben", "carla", "dora"))
    games = detectors.BY_KEY["results"].counted
    for number in range(games):
        game = rated(ada, carla, ben)
        takeover.resign(game_id=game.pk, user=ben)
        takeover.take_seat(game_id=game.pk, user=dora, number=2)
        finish(game, 2, (1, 4)[number % 2], 3)
    assert detectors.compare_ended() == 0
    assert Comparison.objects.count() == games


def test_side_by_side_each_phase_leads_to_its_moment_in_the_history(bids: Game) -> None:
    client = Client()
    client.force_login(moderator("Lena"))
    page = client.get(reverse("admin:pairs", args=[bids.pk]), {"a": 0, "b": 1}).content.decode()
    moments = re.findall(r'href="(/games/\d+/history/\?at=\d+)"', page)
    assert len(moments) > 12
    assert {client.get(moment).status_code for moment in (moments[0], moments[-1])} == {200}


def test_nobody_answers_for_who_had_the_seat_before(bids: Game) -> None:
    Tenure.objects.create(game=bids, number=1, user=person("dora"), ended_at=timezone.now(), end="resigned")
    assert detectors.compare_ended() == 0


def test_where_all_choose_alike_and_at_once_nobody_stands_out() -> None:
    game = bidding(carla=0)
    assert {row.share for row in collusion.concords(collusion.choices_of(game), range(3))} == {100}
    assert detectors.compare_ended() == 0


def test_what_was_found_to_be_nothing_opens_no_case_again_for_a_time() -> None:
    share_browser("ada", "ben")
    ended("ada", "ben")
    detectors.compare_ended()
    case = Case.objects.get()
    cases.close(
        case_id=case.pk, moderator=moderator("Lena"), reason="a couple", outcome="nothing", exculpatory="One home."
    )
    ended("ada", "ben")
    assert detectors.compare_ended() == 0
    Case.objects.filter(pk=case.pk).update(closed_at=timezone.now() - case_filing.DISMISSED_FOR - timedelta(days=1))
    ended("ada", "ben")
    assert detectors.compare_ended() == 1


def test_figures_are_shown_to_those_who_may_see_where_they_come_from() -> None:
    share_browser("ada", "ben")
    ended("ada", "ben")
    detectors.compare_ended()
    case = Case.objects.get()
    helper = page_of(case, moderator("Hugo", "handle_cases"))
    assert "one browser" not in helper
    assert "Families share" not in helper
    assert "your role does not see" in helper
    full = page_of(case, moderator("Lena", "handle_cases", "see_hints"))
    assert "one browser was signed in to both accounts: 1 (threshold 1)" in full
    assert "Against it: Families share a computer" in full


def test_a_round_that_finds_nothing_new_costs_one_statement(django_assert_num_queries: Any) -> None:
    ended("ada", "ben")
    detectors.compare_ended()
    with django_assert_num_queries(1):
        assert detectors.compare_ended() == 0


def test_a_game_whose_log_is_damaged_is_looked_at_once(bids: Game) -> None:
    LoggedAction.objects.filter(game=bids).update(action=b"\x00", transfers=b"\x00")
    assert detectors.compare_ended() == 0
    assert Comparison.objects.filter(game=bids).exists()


def test_money_far_from_market_counts_by_its_direction() -> None:
    now, seats = timezone.now(), {"cash:0": 0, "cash:1": 1, "cash:2": 2}
    usual = [("cash:2", "bank", 10)] * 9
    given = [("cash:0", "cash:1", 90), ("cash:0", "cash:1", 70), ("cash:1", "cash:0", 40)]

    def found(*paid: tuple[str, str, int]) -> detectors.Finding:
        moved = [Movement(now, Transfer(payer, payee, amount, "shares")) for payer, payee, amount in paid]
        return detectors.payments_between((0, 1), collusion.compare_payments(moved, seats))

    assert (found(*usual, *given).value, found(*usual, *given).counted) == (80, 3)
    assert found(*usual, *given).stands_out
    assert not found(*usual, *given, ("cash:1", "cash:0", 60)).stands_out, "both gave"
    assert not found(*usual, *given[:2]).stands_out, "too few"
    assert found(("cash:0", "cash:1", 90)).counted == 0, "like no other: nothing to compare it with"


def test_choices_of_a_game_that_was_put_away_are_compared_like_before(bids: Game) -> None:
    before = collusion.concords(collusion.choices_of(bids), range(3))
    assert archive.archive_game(game_id=bids.pk)
    assert collusion.concords(collusion.choices_of(fresh(bids)), range(3)) == before


def test_the_page_about_moderation_shows_the_same_thresholds() -> None:
    result = (ROOT / "docs" / "moderation.md").read_text(encoding="utf-8")
    assert "\n".join(detectors.as_markdown()) in result
