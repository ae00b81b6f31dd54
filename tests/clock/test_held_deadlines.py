"""Deadlines that were held while people's times changed, and what comes to them later."""

from datetime import timedelta

import pytest
from django.db.models.functions import Now

from game.clock import extensions, play_times
from game.delivery.notice_sending import send_due_notices
from game.moderation import interventions
from game.play import clocks
from game.seats import takeover
from game.store.game import Status
from game.store.log import Notice
from game.store.moderation_models import Intervention
from tests.clock.test_play_times import A_MOMENT, DAY, NIGHTS, away, days_pass, opened_with, playable
from tests.delivery.test_notices import ALWAYS_AWAKE, mails_to
from tests.scenes import by_two, moderator, seen, table
from tests.scenes import person as mailed_person
from tests.servers import Mailbox
from tests.tables import READY, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.mark.parametrize("given", ["by a player", "by a moderator"])
def test_time_that_is_given_after_a_deadline_came_nearer_stays(given: str) -> None:
    """Whoever is ready later takes none of it away."""
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=6), 3 * DAY)
    days_pass(game, 4)
    send(game, 0, READY)
    before = fresh(game)
    if given == "by a player":
        extensions.extend(game_id=game.pk, user=person("fay"), serial=before.phase_serial)
        more = extensions.extension_of(before)
    else:
        more, lena = DAY, moderator("Lena")
        interventions.extend_deadline(game_id=game.pk, moderator=lena, reason="asked", seen=seen(game), minutes=24 * 60)
    assert more
    assert abs(fresh(game).deadline_at - before.deadline_at - more) < A_MOMENT
    send(game, 2, READY)
    assert abs(fresh(game).deadline_at - before.deadline_at - more) < A_MOMENT


def test_a_pause_counts_once_beside_a_vacation() -> None:
    """Away for six days, of which the game is paused for three: whoever is there then has had their time."""
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=6), 3 * DAY)
    began = fresh(game).clock_since
    stopped = fresh(game)
    stopped.now = began + DAY
    clocks.stop_clock(game=stopped, status=Status.PAUSED)
    stopped.now = began + 4 * DAY
    clocks.start_clock(game=stopped)
    assert abs(stopped.deadline_at - began - 9 * DAY) < A_MOMENT


def test_who_sits_down_for_somebody_on_vacation_brings_no_deadline_closer() -> None:
    game = new_game("eve", "fay", "gus", pace="relaxed")
    opened_with(game, away("eve", days=6), 3 * DAY)
    before = days_pass(game, 4)
    lena, carla = moderator("Lena"), person("carla")
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=game.pk,
        moderator=lena,
        seen=seen(game),
        reason="asked",
        seat_number=0,
        username=carla.username,
    )
    assert fresh(game).deadline_at == before.deadline_at
    takeover.resign(game_id=game.pk, user=carla)
    now = fresh(game)
    assert abs(now.deadline_at - now.now - timedelta(hours=18)) < A_MOMENT


def test_a_deadline_that_wider_hours_brought_no_closer_stays_when_somebody_else_is_ready() -> None:
    play_times.choose_hours(user=person("bob"), hours=NIGHTS)
    game = playable("ada", "bob", "cid")
    play_times.choose_hours(user=person("bob"), hours=range(168))
    send(game, 0, READY)
    assert fresh(game).deadline_at == game.deadline_at


def test_whoever_is_still_waited_for_is_reminded_when_the_deadline_comes_nearer(mailbox: Mailbox) -> None:
    game = table(*(mailed_person(name, **ALWAYS_AWAKE) for name in ("Eve", "Fay", "Gus")), bots=0)
    opened_with(game, away("Eve", days=6), DAY)
    days_pass(game, 4)
    send_due_notices()
    before = len(mails_to(mailbox, person("Fay")))
    Notice.objects.filter(kind="reminder").update(due_at=Now() + DAY)
    send(game, 0, READY)
    send_due_notices()
    part = mails_to(mailbox, person("Fay"))[before:]
    assert [message["Subject"] for message in part if "reminder" in message["Subject"].lower()], part
