"""Desk, points 2, 5, 7, 9 and 11: a game's facts, repair, what is sealed only under break-glass, pairs, the site."""

import io
import json
import re
import zipfile
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.languages import override_language
from accounts.models import User
from game.bots import accounts
from game.clock import outages, sweep
from game.delivery import unsubscribing
from game.engine.actions import Refused
from game.engine.ledger import Transfer
from game.history.ledger import Movement
from game.moderation import break_glass, collusion, repairs, site_desk
from game.outbox.models import Topic
from game.people import account_deletion
from game.seats import takeover
from game.store.game import Game, Status
from game.store.heartbeats import Outage
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction
from game.store.seat_models import Tenure
from game.templatetags.times import span_on
from tests.scenes import by_two, moderator, person, play_on, run_out, seen, table
from tests.tables import READY, fresh, new_game, send, signed_in
from tests.toy_scenes import words_of

pytestmark = [pytest.mark.django_db]
WHY = "a player says an order vanished"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game() -> Game:
    return table(person("Ada"), person("Ben"))


def user(name: str) -> User:
    return User.objects.get(username=name)


def page(client: Client, name: str, *args: Any) -> str:
    return str(client.get(reverse(f"admin:{name}", args=args)).content.decode())


def open_glass(game: Game, asker: User, second: User) -> ApprovalRequest:
    result = break_glass.request_reading(game_id=game.pk, moderator=asker, reason=WHY)
    break_glass.confirm(request_id=result.pk, moderator=second)
    return result


def test_the_game_desk_counts_and_names_nobody_who_is_not_ready(game: Game) -> None:
    send(game, 0, {"kind": "bid_influence", "points": 47})
    words = page(signed_in(moderator("Lena")), "game_game_change", game.pk)
    for expected in ("Waiting for", "Last dry run", "Rules", "Sealed orders", "Export for engineers", "sent"):
        assert expected in words
    for heading in ("Seat", "State", "Last seen", "Mail"):  # on a phone, where the table has no head
        assert f'<td data-heading="{heading}">' in words
    text = words_of(words.split('class="desk-two"')[1].split("Record")[0])  # addresses hold any number
    assert not re.search(r"(?<![:\d])47\b", text)


def test_secrets_are_read_only_with_a_reason_and_a_second_person_for_an_hour(game: Game) -> None:
    """Break-glass: nothing before, each look on record, the end by itself."""
    send(game, 0, {"kind": "bid_influence", "points": 31})
    lena, max_ = moderator("Lena"), moderator("Max")
    client, address = signed_in(lena), reverse("admin:secrets", args=[game.pk])
    assert "points" not in page(client, "secrets", game.pk)
    assert client.post(address, {"do": "read"}).status_code == 422
    assert client.post(address, {"reason": ""}).status_code == 200
    assert client.post(address, {"reason": WHY}).status_code == 302
    queryset = ApprovalRequest.objects.get()
    assert client.post(address, {"do": "read"}).status_code == 422, "asked for is not confirmed"
    with pytest.raises(Refused, match="yourself"):
        break_glass.confirm(request_id=queryset.pk, moderator=lena)
    assert signed_in(max_).post(reverse("admin:second", args=[queryset.pk, "confirm"])).status_code == 302
    html = client.post(address, {"do": "read"}).content.decode()
    assert "&quot;points&quot;: 31" in html
    assert game.secret not in html
    assert signed_in(max_).post(address, {"do": "read"}).status_code == 422, "only whoever asked"
    assert ModeratorAction.objects.filter(verb="read_secrets").count() == 1
    ApprovalRequest.objects.update(ends_at=timezone.now())
    assert client.post(address, {"do": "read"}).status_code == 422


def test_the_public_numbers_tell_of_a_reading_no_sooner_than_the_table_hears_of_it(game: Game) -> None:
    """Where one game runs, a number says whose orders are being read."""

    def counted() -> int:
        return Client().get("/moderation/").content.decode().count("<td>1</td>")

    lena = moderator("Lena")
    open_glass(game, lena, moderator("Max"))
    break_glass.read(game_id=game.pk, moderator=lena)
    assert counted() == 0
    ApprovalRequest.objects.update(ends_at=timezone.now() - break_glass.ANNOUNCED_AFTER)
    assert break_glass.announce_readings() == 1
    assert counted() == 1


def test_whoever_could_read_a_game_takes_no_seat_in_it(game: Game) -> None:
    """Nobody plays against what they saw, long after the hour either, nor do their bots; who only confirmed may."""
    lena, max_, otto = moderator("Lena"), moderator("Max"), moderator("Otto")
    open_glass(game, lena, max_)
    ApprovalRequest.objects.update(ends_at=timezone.now() - timedelta(days=20))
    declared = accounts.Declared(["sectors"], ["daily"], 2, 8, 5)
    bot = accounts.make_bot(owner=lena, name="Robbie", declared=declared).user
    takeover.resign(game_id=game.pk, user=user("Ben"))
    for each in (lena, bot):
        with pytest.raises(Refused, match="could read what is hidden"):
            takeover.take_seat(game_id=game.pk, user=each, number=1)
    why: dict[str, Any] = {"game_id": game.pk, "moderator": otto, "reason": WHY, "seen": seen(game)}
    with pytest.raises(Refused, match="Lena, or somebody they share a home with, could read the sealed orders"):
        by_two(Intervention.HAND_SEAT_TO_USER, **why, seat_number=1, username="Lena")
    with pytest.raises(Refused, match="Lena, or somebody they share a home with, could read the sealed orders"):
        by_two(Intervention.SET_PROXY, **why, seat_number=0, username="Lena", days=3)
    assert takeover.why_not(game=fresh(game), user=max_) == ""


def test_a_game_one_plays_or_played_in_shows_no_secrets_to_superusers(game: Game) -> None:
    """A19."""
    root = person("Root", is_staff=True, is_superuser=True)
    Tenure.objects.create(game=game, number=1, user=root, ended_at=timezone.now(), end=Tenure.End.HANDED_OVER)
    for name in ("secrets", "rerun", "pairs", "bundle"):
        assert signed_in(root).get(reverse(f"admin:{name}", args=[game.pk])).status_code == 403
    with pytest.raises(Refused, match="You play or played"):
        break_glass.request_reading(game_id=game.pk, moderator=root, reason=WHY)


def test_the_table_learns_of_it_when_the_game_is_over(game: Game) -> None:
    result = open_glass(game, moderator("Lena"), moderator("Max"))
    ApprovalRequest.objects.update(ends_at=timezone.now())
    assert break_glass.announce_readings() == 0
    Game.objects.filter(pk=game.pk).update(status=Status.FINISHED, deadline_at=None, finished_at=timezone.now())
    assert break_glass.announce_readings() == 1
    assert break_glass.announce_readings() == 0
    (note,) = game.log.filter(note__contains="read what was sealed").values_list("note", flat=True)
    assert "Lena and Max" in note
    result.refresh_from_db()
    assert result.told_at is not None


def test_a_long_game_is_told_after_thirty_days(game: Game) -> None:
    open_glass(game, moderator("Lena"), moderator("Max"))
    ApprovalRequest.objects.update(ends_at=timezone.now() - break_glass.ANNOUNCED_AFTER - timedelta(minutes=1))
    assert break_glass.announce_readings() == 1


def test_a_reader_whose_account_is_gone_meanwhile_is_not_named(game: Game) -> None:
    lena = moderator("Lena")
    open_glass(game, lena, moderator("Max"))
    User.objects.filter(pk=lena.pk).update(is_staff=False)
    account_deletion.delete_account(user=user("Lena"))
    ApprovalRequest.objects.update(ends_at=timezone.now() - break_glass.ANNOUNCED_AFTER)
    assert break_glass.announce_readings() == 1
    assert game.log.filter(note__contains="moderators ? and Max read what was sealed").exists()


def test_a_resolution_is_carried_out_again_and_compared(game: Game) -> None:
    with pytest.raises(Refused, match="No phase has closed"):
        repairs.compare_rerun(game)
    run_out(game)
    assert repairs.compare_rerun(fresh(game)).differences == []
    lena = signed_in(moderator("Lena"))
    assert "No difference" in page(lena, "rerun", game.pk)
    # What an earlier fault stored is seen beside what the rules make of it.
    entry = game.log.exclude(opened_serial=None).latest("number")
    first = game.log.exclude(opened_serial=None).earliest("number")
    entry.snapshot = first.snapshot
    entry.save(update_fields=["snapshot"])
    assert repairs.compare_rerun(fresh(game)).differences
    assert "Rewind to before it" in page(lena, "rerun", game.pk)


def test_a_bundle_for_engineers_has_secrets_only_under_break_glass(game: Game) -> None:
    send(game, 0, {"kind": "bid_influence", "points": 31})
    lena = moderator("Lena")

    def files() -> dict[str, Any]:
        answer = signed_in(lena).post(reverse("admin:bundle", args=[game.pk]), {"reason": WHY})
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            return {name: json.loads(archive.read(name)) for name in archive.namelist()}

    plain = files()
    assert set(plain) == {"game.json", "public.json"}
    assert '"points": 31' not in json.dumps(plain)
    open_glass(game, lena, moderator("Max"))
    full = files()
    assert '"points": 31' in json.dumps(full["actions.json"])
    assert game.secret not in json.dumps(full)


def test_payments_between_seats_far_from_market_come_first() -> None:
    now, seats = timezone.now(), {"cash:0": 0, "cash:1": 1, "cash:2": 2}
    paid = [("cash:0", "cash:1", 90), ("cash:0", "bank", 10), ("cash:2", "bank", 12), ("cash:2", "cash:1", 11)]
    moved = [Movement(now, Transfer(payer, payee, amount, "shares")) for payer, payee, amount in paid]
    gift = Movement(now, Transfer("cash:1", "cash:2", 5, "gift"))
    found = collusion.compare_payments([*moved, gift], seats)
    assert [(each.payer, each.payee, each.amount, each.is_far) for each in found] == [
        (0, 1, 90, True), (1, 2, 5, True), (2, 1, 11, False),
    ]  # fmt: skip


def test_pairs_are_compared_when_the_game_is_over() -> None:
    """In any game: two seats that always choose the same stand out beside one that does not."""
    game = new_game("ada", "ben", "carla", ruleset="toy", pace="daily")
    for seat, coins in ((0, 2), (1, 2), (2, 0)):
        send(game, seat, {"kind": "bid", "coins": coins}, READY)
    assert collusion.choices_of(fresh(game)) == [], "nothing of a running game"
    over = play_on(fresh(game))
    rows = collusion.concords(collusion.choices_of(over), range(3))
    bids = [each for each in collusion.choices_of(over) if each.slot == "bid" and each.serial == 1]
    first = {each.seats: each for each in collusion.concords(bids, range(3))}
    assert (first[0, 1].share, first[0, 2].share, first[1, 2].share) == (100, 0, 0)
    assert first[0, 1].pace == 100
    assert len(rows) == 3
    words = signed_in(moderator("Lena")).get(reverse("admin:pairs", args=[game.pk]), {"a": 0, "b": 1}).content.decode()
    assert "ada and ben" in words
    assert "coins 2" in words
    assert ModeratorAction.objects.filter(verb="compare_players").count() == 1


def test_a_banner_stands_on_every_page_in_its_readers_language(game: Game) -> None:
    root = moderator("Lena")
    set_to = {"english": "Work tonight at 22:00.", "german": "Arbeiten heute um 22 Uhr.", "until": None}
    with pytest.raises(Refused, match="both languages"):
        site_desk.set_banner(moderator=root, reason=WHY, **{**set_to, "german": ""}, is_read_only=False)
    site_desk.set_banner(moderator=root, reason=WHY, **set_to, is_read_only=False)
    site_desk.refresh()
    for address in ("/", f"/games/{game.pk}/", "/rules/", "/accounts/login/"):
        assert "Work tonight" in Client().get(address).content.decode()
        assert "Arbeiten heute" in Client().get(address, headers={"Accept-Language": "de"}).content.decode()
    site_desk.set_banner(moderator=root, reason=WHY, english="", german="", until=None, is_read_only=False)
    site_desk.refresh()
    assert "Work tonight" not in Client().get("/").content.decode()


@pytest.mark.parametrize(
    ("minutes", "hours_ago", "moved", "is_told"),
    [(38, 1, 1, True), (38, 25, 1, False), (4, 1, 1, False), (38, 1, 0, False)],
)
def test_every_page_tells_of_an_outage_for_a_day(
    game: Game, minutes: int, hours_ago: int, moved: int, is_told: bool
) -> None:
    """Whoever was here before it sees from when to when the clock stood still; a short one is in the games' logs, and
    of one that moved no deadline there is nothing to tell."""
    ended = timezone.now() - timedelta(hours=hours_ago)
    began = ended - timedelta(minutes=minutes)
    Outage.objects.create(began_at=began, ended_at=ended, settled_at=ended, moved_up_to=moved)
    site_desk.refresh()
    for address in ("/", f"/games/{game.pk}/", "/rules/", "/accounts/login/"):
        page = Client().get(address).content.decode()
        assert ("The clock was stopped" in page) == is_told, address
        assert (f'datetime="{ended:%Y-%m-%dT%H:%M}' in page) == is_told


HERE, DAY = timezone.get_fixed_timezone(60), timedelta(days=1)
MORNING = datetime(2026, 11, 23, 4, 3, tzinfo=HERE)


@pytest.mark.parametrize(
    ("today", "ended", "english", "german"),
    [
        (MORNING, MORNING + 38 * MINUTE, "today from 04:03 to 04:41", "heute von 04:03 bis 04:41 Uhr"),
        (
            MORNING + DAY, MORNING + 38 * MINUTE,
            "on Monday 23 Nov from 04:03 to 04:41", "am Montag, 23. Nov, von 04:03 bis 04:41 Uhr",
        ),
        (
            MORNING + DAY, MORNING + DAY,
            "from Monday 23 Nov, 04:03, to today 04:03", "von Montag, 23. Nov, 04:03 Uhr bis heute 04:03",
        ),
        (
            MORNING + 45 * DAY, MORNING + MINUTE,
            "on Monday 23 Nov 2026 from 04:03 to 04:04", "am Montag, 23. Nov 2026, von 04:03 bis 04:04 Uhr",
        ),
    ],
)  # fmt: skip
def test_an_outage_names_a_day_once(today: datetime, ended: datetime, english: str, german: str) -> None:
    for language, told in (("en", english), ("de", german)):
        with override_language(language):
            words = span_on(MORNING, ended, today.date())
        assert re.sub(r"<[^>]+>", "", words) == told
        assert re.findall(r'datetime="([^"]+)"', words) == [MORNING.isoformat(), ended.isoformat()]


def test_a_short_outage_hides_no_long_one_before_it() -> None:
    now = timezone.now()
    for minutes, ago in ((38, 2), (1, 1)):
        ended = now - timedelta(hours=ago)
        began = ended - timedelta(minutes=minutes)
        Outage.objects.create(began_at=began, ended_at=ended, settled_at=ended, moved_up_to=1)
    site_desk.refresh()
    assert site_desk.last_outage() == (now - timedelta(hours=2, minutes=38), now - timedelta(hours=2))


def test_a_read_only_site_takes_nothing_from_players(game: Game) -> None:
    set_to = {"english": "Maintenance.", "german": "Wartung.", "until": None, "is_read_only": True}
    site_desk.set_banner(moderator=moderator("Lena"), reason=WHY, **set_to)
    site_desk.refresh()
    ada, before = signed_in(user("Ada")), fresh(game).entries
    refused = ada.post(f"/games/{game.pk}/actions/", {})
    assert refused.status_code == 503
    assert "Maintenance." in refused.content.decode()
    assert ada.get(f"/games/{game.pk}/").status_code == 200
    response = ada.post("/api/v1/games")
    assert (response.headers["Content-Type"], response.json()["code"]) == ("application/problem+json", "read_only")
    assert (response.json()["detail"], response.headers["Retry-After"]) == ("Maintenance.", "600")
    assert fresh(game).entries == before
    stop = unsubscribing.address(user("Ada"), [Topic.TURN]).removeprefix(settings.SITE_URL)
    assert Client().post(stop).status_code == 200, "who wants no more mail is not asked to come again"
    User.objects.filter(username="Ada").update(banned_until=timezone.now() + timedelta(days=1))
    assert ada.post(stop).status_code == 200


def test_stopped_deadlines_close_nothing_and_are_later_by_as_long(game: Game) -> None:
    root, due = moderator("Lena"), fresh(game).deadline_at
    assert due is not None
    site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=True)
    with pytest.raises(Refused, match="so already"):
        site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=True)
    began = timezone.now() - timedelta(hours=5)
    type(site_desk.state()).objects.update(stopped_since=began)
    Game.objects.filter(pk=game.pk).update(
        clock_since=began - timedelta(hours=20), deadline_at=timezone.now() - timedelta(hours=1)
    )
    sweep.sweep()
    assert fresh(game).phase_serial == game.phase_serial
    site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=False)
    assert outages.settle()
    sweep.sweep()
    at = fresh(game)
    assert at.phase_serial == game.phase_serial, "there are four hours left, as there were"
    assert at.deadline_at is not None
    assert timedelta(hours=3, minutes=50) < at.deadline_at - timezone.now() < timedelta(hours=4, minutes=10)


@pytest.mark.usefixtures("judged")
def test_f18_a_web_host_whose_clock_is_wrong_stops_deadlines_by_the_clock_of_the_database(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, began = moderator("Lena"), timezone.now()
    with monkeypatch.context() as host:
        host.setattr("django.utils.timezone.now", lambda: began - timedelta(hours=5))
        site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=True)
    site_desk.stop_resolving(moderator=root, reason=WHY, is_stopped=False)
    outage = Outage.objects.get()
    assert began - timedelta(minutes=5) < outage.began_at <= outage.ended_at < began + timedelta(minutes=5)


def test_all_deadlines_move_and_every_table_is_told(game: Game) -> None:
    other, before = table(person("Carla"), person("Dora")), fresh(game).deadline_at
    assert before is not None
    with pytest.raises(Refused, match="1 to 72 hours"):
        site_desk.shift_deadlines(moderator=moderator("Lena"), reason=WHY, hours=73)
    assert site_desk.shift_deadlines(moderator=user("Lena"), reason=WHY, hours=6) == 2
    assert fresh(game).deadline_at == before + timedelta(hours=6)
    assert other.log.filter(note__contains="6 hours").exists()


def test_a_double_click_moves_all_deadlines_once(game: Game) -> None:
    root, address = signed_in(moderator("Lena")), reverse("admin:game_sitestate_changelist")
    (token, *_) = re.findall(r'name="token" value="(\w+)"', root.get(address).content.decode())
    before = fresh(game).deadline_at
    for _ in range(2):
        assert root.post(address, {"do": "shift", "reason": WHY, "hours": "6", "token": token}).status_code == 302
    assert fresh(game).deadline_at == before + timedelta(hours=6)


def test_the_site_desk_shows_its_figures_and_asks_for_a_reason(game: Game) -> None:
    root, address = signed_in(moderator("Lena")), reverse("admin:game_sitestate_changelist")
    assert "Running games" in root.get(address).content.decode()
    assert root.post(address, {"do": "stop", "reason": ""}).status_code == 422
    assert root.post(address, {"do": "stop", "reason": WHY}).status_code == 302
    assert "Deadlines stand still" in root.get(address).content.decode()
    assert signed_in(moderator("Pia", "pause")).get(address).status_code == 403
    assert signed_in(moderator("Max", "set_banner")).post(address, {"do": "stop", "reason": WHY}).status_code == 403
    assert seen(game)
