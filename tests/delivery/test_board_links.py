"""The link of an email that shows a board without signing in: that seat's view, for a day, and nothing to do."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from game.delivery import board_links
from game.delivery.notice_sending import send_due_notices
from game.store.game import Game, Seat
from game.store.log import Draft, Notice
from tests.delivery.test_notices import BID, mails_to, page_of, text_of
from tests.scenes import person, table
from tests.servers import Mailbox
from tests.tables import at_phase, fresh, send

pytestmark = [pytest.mark.django_db]


@pytest.fixture
def ada() -> User:
    return person("Ada")


@pytest.fixture
def ben() -> User:
    return person("Ben")


@pytest.fixture
def game(ada: User, ben: User) -> Game:
    return table(ada, ben, name="The Tuesday Consortium")


def link_of(game: Game, user: User) -> str:
    notice = Notice(game=game, seat=game.seats.get(user=user), user=user, kind="turn")
    return board_links.board_url(notice).removeprefix("http://testserver")


def test_the_mail_has_a_link_that_needs_no_sign_in(mailbox: Mailbox, client: Client, game: Game, ada: User) -> None:
    send_due_notices()
    message = mails_to(mailbox, ada)[0]
    found = re.search(r"http://testserver(/look/\S+/)", text_of(message))
    assert found
    assert found[1] in page_of(message)
    answer = client.get(found[1])
    words = answer.content.decode()
    assert answer.status_code == 200
    assert "as Ada sees it" in words
    assert game.name in words
    assert "sessionid" not in answer.cookies, "nobody is signed in by it"


def test_nothing_can_be_done_with_it(client: Client, game: Game, ada: User) -> None:
    path = link_of(game, ada)
    words = client.get(path).content.decode()
    posts = set(re.findall(r'<form[^>]*action="([^"]+)"', words))
    assert posts <= {"/theme/", "/language/", "/accounts/way-in/"}, posts
    assert "data-socket" not in words
    assert client.post(path).status_code == 405
    before = fresh(game).entries
    assert client.post(f"/games/{game.pk}/actions/", {"action": "ready"}).status_code in {302, 403}
    assert fresh(game).entries == before
    assert Seat.objects.get(game=game, user=ada).seen_version == 0, "a mail scanner that follows it is no visit"


def test_the_address_is_told_to_nobody(client: Client, game: Game, ada: User) -> None:
    answer = client.get(link_of(game, ada))
    assert answer["Referrer-Policy"] == "strict-origin"
    assert "noindex" in answer["X-Robots-Tag"]
    assert answer["Cache-Control"] == "private, no-store"


def without_times(page: str) -> str:
    """A page without clock times, down to the millisecond, and without what is made up anew each time."""
    return re.sub(r"\d\d:\d\d(:\d\d(\.\d+)?)?|[\w-]{40,}", "", page)


def test_what_the_seat_submitted_and_saved_stays_sealed(client: Client, game: Game, ada: User, ben: User) -> None:
    """An email is not confidential, and nor is what its links open."""
    before = without_times(client.get(link_of(game, ada)).content.decode())
    send(game, 0, {"kind": "bid_influence", "points": 37})
    Draft.objects.create(seat=game.seats.get(number=0), serial=game.phase_serial, content=[BID | {"points": 41}])
    send(game, 1, {"kind": "bid_influence", "points": 43})
    after = without_times(client.get(link_of(game, ada)).content.decode())
    for number in ("37", "41", "43"):
        assert len(re.findall(rf"\b{number}\b", after)) == len(re.findall(rf"\b{number}\b", before)), number


def test_it_shows_what_only_that_seat_may_see(client: Client, game: Game, ada: User, ben: User) -> None:
    """The view is the seat's own; the other's link shows the other's."""
    game = at_phase(game, "stock_orders")
    own, other = (client.get(link_of(game, who)).content.decode() for who in (ada, ben))
    assert "as Ada sees it" in own
    assert "as Ben sees it" in other


@pytest.mark.parametrize(
    "what", ["password", "address", "closed", "banned", "handed over", "resigned", "old", "forged", "other"]
)
def test_a_link_that_is_no_longer_valid_is_not_found(
    client: Client, game: Game, ada: User, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = link_of(game, ada)
    if what == "password":
        ada.set_password("quite another horse")
        ada.save()
    if what == "address":
        User.objects.filter(pk=ada.pk).update(email="ada@elsewhere.example")
    if what == "closed":
        User.objects.filter(pk=ada.pk).update(is_active=False)
    if what == "banned":
        User.objects.filter(pk=ada.pk).update(banned_until=timezone.now() + timedelta(days=1))
    if what == "handed over":
        Seat.objects.filter(game=game, user=ada).update(user=person("Eve"))
    if what == "resigned":
        Seat.objects.filter(game=game, user=ada).update(keeper="resigned")
    if what == "old":
        later = timezone.now() + board_links.VALID_FOR + timedelta(seconds=1)
        monkeypatch.setattr("game.delivery.board_links.timezone.now", lambda: later)
    if what == "forged":
        path = path[:-4] + "abc/"
    if what == "other":
        path = "/look/nonsense/"
    answer = client.get(path)
    assert answer.status_code == 404
    assert "This link is no longer valid" in answer.content.decode()


def test_a_game_by_invitation_can_be_looked_at_by_its_players_link_alone(client: Client, ada: User, ben: User) -> None:
    game = table(ada, ben)
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert client.get(f"/games/{game.pk}/").status_code == 404
    assert client.get(link_of(game, ada)).status_code == 200
