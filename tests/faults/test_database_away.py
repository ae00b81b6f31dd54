"""A database that is busy, full or away: a plain page that says so, nothing half done, and the site goes on
afterwards."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.db import InterfaceError, OperationalError, connection
from django.db.models.functions import Now
from django.test import Client

from accounts.models import User
from game.chat.models import Message
from game.clock import sweep
from game.store.game import Game
from game.store.log import Draft, Notice
from game.store.replay import replay_game
from tests.tables import everything, fresh, new_game, person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.embedded, pytest.mark.usefixtures("judged")]
TROUBLES = [
    OperationalError("database or disk is full"),
    OperationalError("database is locked"),
    InterfaceError("connection already closed"),
]


AWAY = (OperationalError, InterfaceError)
# What the database says of one statement, and then serves the next: somebody else was first.
CLASHES = [
    OperationalError("deadlock detected"),
    OperationalError("could not serialize access due to concurrent update"),
]


class Failing(contextlib.ContextDecorator):
    """The database answers so many statements and then none any more, or all others where it fails `once`."""

    def __init__(self, trouble: Exception, *, from_statement: int, once: bool = False) -> None:
        self.trouble, self.first, self.once = trouble, from_statement, once
        self.asked = 0

    @property
    def has_failed(self) -> bool:
        """Whether so many statements were asked."""
        return self.asked >= self.first

    def __enter__(self) -> Failing:
        self.wrapper = connection.execute_wrapper(self._fail)
        self.wrapper.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.wrapper.__exit__(*error)

    def _fail(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.asked += 1
        if self.asked == self.first or (self.has_failed and not self.once):
            raise self.trouble
        return execute(sql, params, many, context)


@pytest.fixture
def game() -> Game:
    return new_game("ada", "bob")


@pytest.fixture
def ada() -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(person("ada"))
    return client


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
@pytest.mark.parametrize("where", ["/", "/games/", "/games/{}/", "/games/{}/version/", "/accounts/login/"])
def test_pages_say_that_the_database_does_not_answer(ada: Client, game: Game, trouble: Exception, where: str) -> None:
    with Failing(trouble, from_statement=1):
        answer = ada.get(where.format(game.pk))
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "Earlier submissions are safe" in answer.content.decode()
    assert ada.get(f"/games/{game.pk}/").status_code == 200


@pytest.mark.parametrize("trouble", TROUBLES, ids=str)
def test_a_visitor_still_sees_the_front_page(trouble: Exception) -> None:
    with Failing(trouble, from_statement=1):
        answer = Client().get("/")
    assert answer.status_code == 200
    assert "A game among bots" in answer.content.decode()


@dataclass(frozen=True)
class Deed:
    """Something that somebody sends, `kept` as these rows; the same again changes nothing more."""

    path: str
    fields: dict[str, str]
    kept: Callable[[], Any]
    signed_in: bool = True


DEEDS = {
    "submission": Deed(
        "/games/{}/actions/",
        {"do": "submit", "points": "7", "token": "one form"},
        lambda: (everything(Game.objects.get()), [*Notice.objects.order_by("pk").values_list("pk", "cancelled_at")]),
    ),
    "draft": Deed(
        "/games/{}/drafts/",
        {"points": "7", "touched": "1", "token": "one draft"},
        lambda: [*Draft.objects.order_by("pk").values_list("seat", "serial", "content")],
    ),
    "message": Deed(
        "/games/{}/chat/say/",
        {"text": "Good luck to all.", "token": "one message"},
        lambda: [*Message.objects.order_by("pk").values_list("pk", "text")],
    ),
    "account": Deed(
        "/accounts/signup/",
        {"username": "Grace", "email": "grace@example.org", "password1": "a sesame for all"},
        lambda: [User.objects.filter(username="Grace").count(), EmailAddress.objects.count()],
        signed_in=False,
    ),
}


@pytest.mark.parametrize("once", [False, True], ids=["from then on", "once"])
@pytest.mark.parametrize("deed", DEEDS.values(), ids=list(DEEDS))
def test_what_is_sent_is_taken_whole_or_not_at_all_whichever_statement_fails(
    ada: Client, game: Game, deed: Deed, once: bool
) -> None:
    client = ada if deed.signed_in else Client(raise_request_exception=False)
    asked = deed.path.format(game.pk), deed.fields | {"serial": str(game.phase_serial)}
    before, statement = deed.kept(), 0
    troubles = itertools.cycle(CLASHES if once else TROUBLES)
    while deed.kept() == before:
        statement += 1
        cache.clear()  # limits of attempts are another matter
        with Failing(next(troubles), from_statement=statement, once=once) as failing:
            answer = client.post(*asked)
        assert answer.status_code in ({503, 302, 200} if once or not failing.has_failed else {503})
        assert failing.has_failed or deed.kept() != before, "left alone it is done"
    assert statement > 5
    after = deed.kept()
    # The same sent again: once is enough.
    assert client.post(*asked).status_code in {302, 200}
    assert deed.kept() == after


@pytest.mark.parametrize("once", [False, True], ids=["from then on", "once"])
def test_a_closing_is_done_whole_or_not_at_all_whichever_statement_of_a_sweep_fails(once: bool) -> None:
    troubles, statement = itertools.cycle(CLASHES if once else TROUBLES), 0
    game, closed = due(), 0
    before = everything(game)
    while True:
        statement += 1
        Game.objects.update(not_before=None, attempts=0)  # each is the first attempt
        with Failing(next(troubles), from_statement=statement, once=once) as failing, contextlib.suppress(*AWAY):
            sweep.sweep()
        if not failing.has_failed:
            break
        if fresh(game).phase_serial == game.phase_serial:
            assert everything(game) == before
            continue
        assert all(check.is_equal for check in replay_game(game=fresh(game)))
        game, closed = due(), closed + 1
        before = everything(game)
    assert statement > 15
    assert closed > 0, "a statement after the last commit"
    assert fresh(game).phase_serial > game.phase_serial, "the next attempt succeeds"
    assert fresh(game).attempts == 0


def due() -> Game:
    """A game whose deadline has come."""
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(deadline_at=Now())
    return fresh(game)
