"""Phases that ask in secret: two courses of the same table that differ in whom the phase asks. When it has closed, the
others are shown the same, numbers of their reliability included."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from game.delivery import webhooks
from game.delivery.emails import EmailChannel
from game.moderation import rewind
from game.store.game import Game
from game.store.log import LoggedAction, Notice
from game.store.seat_models import Tenure
from tests.api.clients import Program
from tests.attacks.laying import lay, store, undone
from tests.attacks.readers import Answers, Reader, paths_about
from tests.attacks.secrets import HIDDEN
from tests.attacks.walk import differences
from tests.scenes import TIME_LEFT, of_role, rewind_by_two
from tests.scenes import seen as seen_now
from tests.tables import READY, clock_runs_out, fresh, new_game, person, send

pytestmark = pytest.mark.django_db
KEY, SUSPENDED, BLANK = "stock_market_tycoon", "suspended", "blank"
ADA, BEN, CID = "ada", "bob", "cid"


def ready(game: Game) -> None:
    """Whoever is asked decides in time to do nothing."""
    for seat in fresh(game).waiting_seats:
        send(game, seat, READY)


def at_one_time(game: Game) -> None:
    """Both courses happened in the same instant."""
    at = game.started_at
    assert at is not None
    LoggedAction.objects.filter(game=game).update(at=at)
    Game.objects.update(moved_at=at, clock_since=at, deadline_at=at + timedelta(hours=20, seconds=30))


@pytest.mark.parametrize("course", [ready, clock_runs_out])
def test_a26_who_was_asked_in_secret_is_not_known_afterwards(course: Callable[[Game], object]) -> None:
    game = lay(new_game(ADA, BEN, CID, ruleset=KEY, pace="daily"), HIDDEN[KEY]["asked"].at())
    Tenure.objects.filter(game=game).update(decisions=30, missed=2, made_weight=30, missed_weight=2, in_a_row=1)
    people = [f"/people/{name}/" for name in (ADA, CID)]
    reader = Reader(BEN, [*paths_about(game, ADA), *people])
    seen: list[Answers] = []
    for asked, other in ((0, 2), (2, 0)):
        with undone():
            position = fresh(game).load_position()
            position.state.hands[asked], position.state.hands[other] = [SUSPENDED], [BLANK]
            store(game, position)
            assert fresh(game).waiting_seats == [asked]
            course(game)
            assert fresh(game).phase_name != "suspend"
            at_one_time(game)
            seen.append(reader.see())
    assert set(people) <= {*seen[0]}
    assert differences(*seen) == []


def taken_back(game: Game) -> None:
    """Whoever is asked decides; an hour later moderators let the phase begin again."""
    start = rewind.moments_of(fresh(game))[0]
    for seat in fresh(game).waiting_seats:
        send(game, seat, {"kind": "suspend", "companies": ["NT"]})
    Game.objects.filter(pk=game.pk).update(deadline_at=F("deadline_at") - timedelta(hours=1))
    rewind_by_two(
        game_id=game.pk, moderator=person("mona"), seen=seen_now(game), reason="a mistake", number=start.number
    )


LISTS = ("notice", "moderatoraction", "tenure", "seat", "loggedaction")
SORTED_BY = re.compile(r'href="\?o=(\d)"')
ENTRY = re.compile(r"/admin/game/loggedaction/\d+/change/")
COUNTED = re.compile(r"\d{5,}|name=.csrfmiddlewaretoken.[^>]*|nonce=.[^\"']*.|(datetime=.)?\d\d:\d\d(:\d\d)?")


def desk(game: Game, staff: Client) -> dict[str, str]:
    """What staff read of the game, sorted by each column, without keys and times."""
    paths = ["/admin/", *(f"/admin/game/{name}/?o=" for name in LISTS), f"/admin/game/game/{game.pk}/change/"]
    pages = {path: staff.get(path).content.decode() for path in paths}
    orders = [f"{path}{order}" for path in paths for order in sorted({*SORTED_BY.findall(pages[path])})]
    assert len(orders) > 3 * len(LISTS)
    pages |= {path: staff.get(path).content.decode() for path in orders}
    entries = ENTRY.findall(pages["/admin/game/loggedaction/?o="])
    pages |= {f"entry {place}": staff.get(path).content.decode() for place, path in enumerate(entries)}
    return {path: COUNTED.sub("", TIME_LEFT.sub("", page)) for path, page in pages.items()}


@pytest.mark.parametrize("course", [ready, clock_runs_out, taken_back])
def test_a26_nor_does_the_desk_tell_who_was_asked_in_secret(course: Callable[[Game], object]) -> None:
    """By a notice that a decision was missed, or that a submission no longer counts, nor by the record of a rewind."""
    game = lay(new_game(ADA, BEN, CID, ruleset=KEY, pace="daily"), HIDDEN[KEY]["asked"].at())
    for name in ("mona", "Second", "lena"):
        of_role(name, "moderator")
    staff = Client()
    staff.force_login(person("lena"))
    seen: list[dict[str, str]] = []
    for asked, other in ((0, 2), (2, 0)):
        with undone():
            position = fresh(game).load_position()
            position.state.hands[asked], position.state.hands[other] = [SUSPENDED], [BLANK]
            store(game, position)
            course(game)
            at_one_time(game)
            seen.append(desk(game, staff))
    assert [path for path in seen[0] if seen[0][path] != seen[1][path]] == []


def test_a26_no_number_of_a_mail_or_message_counts_those_to_others() -> None:
    """Nor, with it, how many others a phase has asked in secret."""
    game, started = new_game(ADA, BEN, CID, ruleset=KEY, pace="daily"), timezone.now()
    hook = webhooks.add(user=person(BEN), url="https://ben.example.org/")
    for serial in (1, 2):
        for seat in game.seats.order_by("number"):
            Notice.objects.create(
                game=game, user=seat.user, seat=seat, kind=Notice.Kind.HELD, serial=serial, due_at=started
            )
        webhooks.ping(webhook=hook)
    own = Notice.objects.filter(user=person(BEN), kind=Notice.Kind.HELD)
    mails = [EmailChannel().write([each], now=started).extra_headers["Message-ID"] for each in own]
    messages = Program(BEN).get(f"me/webhooks/{hook.pk}/deliveries").json()["items"]
    for one, other, *_ in ([int(re.findall(r"\d+", each)[0]) for each in mails], [each["id"] for each in messages]):
        assert abs(one - other) > 1000
