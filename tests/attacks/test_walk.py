"""Everybody opens and posts to every address: each answer is as the table says, no canary is in any byte of an answer
to somebody who may not see it, and nothing changes that may not."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.signals import pre_save

from game.moderation import interventions
from game.seats import stand_ins, takeover
from game.store.game import Game
from game.store.moderation_models import Intervention
from tests.api.operations import every_operation
from tests.attacks.laying import undone
from tests.attacks.rules import DESK_READ, FORM, OPEN_FORM, RULES, WITHOUT_TOKEN
from tests.attacks.walk import API, Address, Answer, addresses, answer_of, differences, path_of
from tests.attacks.world import (
    AT_DESK,
    DESK,
    DRAFTED,
    FUTURE,
    GUEST,
    NOBODY,
    NOTED,
    ORDERED,
    OWN,
    REDRAFTED,
    REPLACED,
    REVISED,
    RIVAL,
    ROLES,
    SAID,
    SEATS,
    STAFF,
    STRANGER,
    World,
    order,
    revise,
)
from tests.scenes import by_two

pytestmark = pytest.mark.django_db
Answers = dict[tuple[str, str], Answer]
ADMIN = "admin/"
SITE = [each for each in addresses() if not each.pattern.startswith((API, ADMIN))]
ADMIN_SITE = [each for each in addresses() if each.pattern.startswith(ADMIN)]
EVERYTHING = [*SITE, *ADMIN_SITE]
GAMES = [each for each in SITE if each.is_of_a_game]
SHOWN = [each for each in SITE if RULES.get(each.name) not in (FORM, OPEN_FORM)]
SHOWN_OF_GAMES = [each for each in SHOWN if each.is_of_a_game]
"""Addresses that can be opened: those that take forms alone answer nobody's opening, whatever it is about."""
Changes = dict[tuple[str, str], list[str]]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """One world for the module, always with the same draws; nothing of it is left."""

    def seal(instance: Game, **_: Any) -> None:
        if instance._state.adding:
            instance.secret = sha256(instance.name.encode()).hexdigest()

    pre_save.connect(seal, sender=Game)
    with django_db_blocker.unblock(), transaction.atomic():
        yield World()
        transaction.set_rollback(True)
    pre_save.disconnect(seal, sender=Game)


def opened(
    world: World, game: Game, places: list[Address], roles: tuple[str, ...] = ROLES, changes: Changes | None = None
) -> Answers:
    """What each role is answered when it opens each address; what that changes is undone, and noted in `changes`."""
    found: Answers = {}
    for role in roles:
        with undone():
            client = world.client(role)
            held = None if changes is None else Tables()
            for place in places:
                found[role, place.name] = answer_of(client.get(path_of(place, world, game)))
                if changes is not None and held and (differs := held.changed()):
                    changes[role, place.name], held = differs, Tables()
    return found


@pytest.fixture(scope="module")
def changes() -> Changes:
    """What is changed by opening the addresses of `public`."""
    return {}


@pytest.fixture(scope="module")
def public(world: World, changes: Changes) -> Answers:
    """Every address, opened by everybody, about the open game; the desk by those who differ there."""
    site = opened(world, world.open, SITE, changes=changes)
    return site | opened(world, world.open, ADMIN_SITE, AT_DESK, changes)


@pytest.fixture(scope="module")
def private(world: World) -> Answers:
    """Every address of a game that can be opened, about the one by invitation."""
    return opened(world, world.private, SHOWN_OF_GAMES)


def test_a_new_address_needs_a_rule() -> None:
    assert {each.name for each in SITE} == set(RULES), (
        "tests/attacks/rules.py says who is answered what at each address"
    )
    ours = {each.pattern for each in addresses() if each.pattern.startswith(API)}
    walked = {f"api/v1/{place.pattern}" for place in every_operation()}
    assert {each for each in ours - walked if not each.startswith("api/^")} == set(), "the API is walked by tests/api"


def test_a1_every_address_answers_every_role_as_the_table_says(public: Answers) -> None:
    found = {place.name: tuple(public[role, place.name].status for role in ROLES) for place in SITE}
    assert {name: row for name, row in found.items() if row != RULES[name]} == {}


def test_a2_the_desk_is_closed_to_all_but_staff_and_mere_staff_read_games_alone(public: Answers) -> None:
    desk = [each.name for each in ADMIN_SITE]
    for role in AT_DESK:
        open_to = {name for name in desk if public[role, name].status == 200}
        assert role not in {NOBODY, OWN} or not open_to, role
        assert role != STAFF or open_to <= DESK_READ, open_to - DESK_READ


def leaks(world: World, answers: Answers) -> list[str]:
    return [
        f"{role} reads {canary.words} at {name}"
        for (role, name), answer in answers.items()
        for canary in world.canaries
        if role not in canary.readers and canary.words.encode() in answer.everything
    ]


def test_a1_no_secret_is_in_any_answer_to_somebody_who_may_not_see_it(
    world: World, public: Answers, private: Answers
) -> None:
    assert leaks(world, public) + leaks(world, private) == []


def test_the_canaries_can_be_found(world: World, public: Answers, private: Answers) -> None:
    """Each that somebody may read is in an answer to them: a search that finds nothing would prove nothing."""
    for canary in world.canaries:
        read = {role for (role, _), answer in [*public.items(), *private.items()] if canary.words.encode() in
                answer.everything}  # fmt: skip
        assert bool(read) is bool(canary.readers) or canary.words in LATER, canary


OTHER_EACH_TIME = {"personal_data", "fresh_token"}
LATER = {str(REVISED), str(REDRAFTED)}  # what is revised below


def test_a1_a_game_by_invitation_is_answered_as_one_that_does_not_exist(world: World, private: Answers) -> None:
    nothing = Game(pk=world.private.pk + 1000, phase_serial=world.private.phase_serial)
    strangers = tuple(role for role in ROLES if role not in {*SEATS, REPLACED})
    missing = {key: as_of(nothing, answer) for key, answer in opened(world, nothing, SHOWN_OF_GAMES, strangers).items()}
    found = {key: as_of(world.private, answer) for key, answer in private.items() if key in missing}
    assert differences(found, missing) == []


def as_of(game: Game, answer: Answer) -> Answer:
    """The answer without the number of the game that was asked for."""
    there = f"/games/{game.pk}/"
    headers = tuple((name, value.replace(there, "/games/N/")) for name, value in answer.headers)
    return Answer(answer.status, headers, answer.body.replace(there.encode(), b"/games/N/"))


def test_a26_nobody_can_tell_that_a_seat_revised_what_it_sealed(world: World, public: Answers) -> None:
    """Two states that differ in one seat's sealed order, draft and notes give everybody else the same bytes. One's own
    data name the second of one's last sign-in, and are searched alone."""
    with undone():
        revise(world.open)
        after, own = seen_by_others(world, public), opened(world, world.open, SHOWN_OF_GAMES, (OWN,))
    # Words such as “a minute ago” change by themselves: what differs from the walk of before is looked at anew.
    different = {key for key in after if public[key] != after[key]}
    before = opened_again(world, different)
    with undone():
        revise(world.open)
        assert differences(before, opened_again(world, different)) == []
    assert any(str(REVISED).encode() in answer.everything for answer in own.values())
    assert leaks(world, after) + leaks(world, own) == []


def seen_by_others(world: World, public: Answers) -> Answers:
    """That a moderator looked is on the record, so its pages differ by the looks of this test; a fresh token is another
    one each time. Of the desk they open what is open to them."""
    others = (NOBODY, STRANGER, RIVAL, REPLACED, DESK)
    found = opened(world, world.open, [each for each in SHOWN if each.name not in OTHER_EACH_TIME], others)
    for role in (STAFF, DESK):
        desk = [each for each in ADMIN_SITE if public[role, each.name].status == 200]
        found |= opened(world, world.open, [each for each in desk if "moderatoraction" not in each.name], (role,))
    return found


def opened_again(world: World, keys: set[tuple[str, str]]) -> Answers:
    """What these roles are answered at these addresses now."""
    found: Answers = {}
    for role in {role for role, _ in keys}:
        found |= opened(world, world.open, [place for place in EVERYTHING if (role, place.name) in keys], (role,))
    return found


def test_a31_no_shared_cache_keeps_a_page_of_somebody(public: Answers, private: Answers) -> None:
    """What was shown to somebody who is signed in is kept by their own browser at most; what everybody is shown depends
    on the cookie, and says so. The script that waits for pushes is the same for all."""
    rows = []
    for (role, name), answer in [*public.items(), *private.items()]:
        values_by_key = {key.lower(): value for key, value in answer.headers}
        is_private = "private" in values_by_key.get("cache-control", "") or "no-store" in values_by_key.get(
            "cache-control", ""
        )
        varies = "cookie" in values_by_key.get("vary", "").lower()
        if answer.status == 200 and name != "push_worker" and not (varies if role == NOBODY else is_private and varies):
            rows.append((role, name, values_by_key.get("cache-control"), values_by_key.get("vary")))
    assert rows == []


def test_a2_who_takes_a_seat_over_finds_nothing_of_who_sat_there(world: World) -> None:
    with undone():
        takeover.take_seat(game_id=world.open.pk, user=world.people[FUTURE], number=2)
        seated = opened(world, world.open, SHOWN, (FUTURE,))
        left = opened(world, world.open, SHOWN, (REPLACED,))
    assert seated[FUTURE, "chat"].status == 200, "they sit there"
    assert [words for words in leaks(world, seated) if SAID not in words] == []
    assert leaks(world, left) == []


def stand_in(world: World, game: Game) -> None:
    """`FUTURE` plays for `OWN`."""
    who: Any = {
        "game_id": game.pk,
        "moderator": world.people[DESK],
        "seen": interventions.seen_of(game),
        "reason": "ill",
    }
    by_two(Intervention.SET_PROXY, **who, seat_number=0, username=world.people[FUTURE].username, days=7)


@pytest.mark.parametrize("name", ["open", "private"])
def test_a2_one_head_plays_a_hand_before_while_and_after_somebody_stands_in(world: World, name: str) -> None:
    """The stand-in reads what the seat may, and never the player's own notes, and the player reads nothing of it.
    Afterwards it is the other way round, at every address of both games."""
    game, of_hand = getattr(world, name), {str(ORDERED), str(DRAFTED), SAID}
    with undone():
        before = opened(world, game, SHOWN_OF_GAMES, (FUTURE, OWN))
        stand_in(world, game)
        during = opened(world, game, SHOWN_OF_GAMES, (FUTURE, OWN, RIVAL, STRANGER))
        stand_ins.give_back(game_id=game.pk, user=world.people[FUTURE])
        after = opened(world, game, SHOWN_OF_GAMES, (FUTURE, OWN))
    assert read_by(FUTURE, before, of_hand) == read_by(OWN, during, of_hand) == read_by(FUTURE, after, of_hand) == set()
    assert read_by(OWN, before, of_hand) == read_by(FUTURE, during, of_hand) == read_by(OWN, after, of_hand) == of_hand
    assert not read_by(FUTURE, during, {NOTED})
    assert leaks(world, {key: answer for key, answer in during.items() if key[0] in {RIVAL, STRANGER}}) == []
    assert statuses(FUTURE, after) == statuses(FUTURE, before)
    assert statuses(FUTURE, during) == statuses(OWN, before) | {"resign": 302, "substitutes": 404}
    assert 200 == during[OWN, "game"].status != during[OWN, "chat"].status


def statuses(role: str, answers: Answers) -> dict[str, int]:
    return {name: answer.status for (who, name), answer in answers.items() if who == role}


def read_by(role: str, answers: Answers, words: set[str]) -> set[str]:
    """The words among these that appear in any answer to this role."""
    lines = [answer.everything for (who, _), answer in answers.items() if who == role]
    return {word for word in words if any(word.encode() in each for each in lines)}


def bodies(game: Game) -> dict[str, dict[str, object]]:
    """Forms that would do something if their sender sat where they do not; all others are sent empty."""
    fields = {**order(game, REVISED), "serial": game.phase_serial, "token": "t", "do": "submit", "touched": "yes"}
    values = {
        "text": "Hello",
        "message": "Hello",
        "reason": "insults",
        "token": "t",
        "confirmed": "yes",
        "revision": "0",
    }
    names = ("chat_say", "chat_report", "notes", "resign", "chat_switch", "propose_ending", "propose_pause")
    return {"submit_action": fields, "save_draft": fields} | dict.fromkeys(names, values)


def test_a4_nobody_does_anything_at_a_table_where_they_do_not_sit(world: World) -> None:
    """With every form of both games, and the tokens they need. Only who may take a free seat takes it."""
    sent, changed, held = bodies(world.open), [], Tables()
    for role in (NOBODY, STRANGER, GUEST, REPLACED, STAFF):
        client = world.client(role)
        for place in [*TABLES, *ADMIN_SITE] if role == STAFF else TABLES:
            for game in (world.open, world.private) if role != NOBODY else (world.open,):
                with undone():
                    answer = client.post(path_of(place, world, game), sent.get(place.name, {}))
                    has_changed = held.changed()
                assert answer.status_code in {200, 302, 400, 403, 404, 405, 409, 422}, (role, place.name)
                if has_changed:
                    changed.append((role, place.name, game.name))
    assert set(changed) == {(role, "take_seat", world.open.name) for role in (STRANGER, STAFF)}


TABLES = [each for each in GAMES if each.name != "report_problem"]  # which everybody may report


LOOKED = {"django_session", "usersessions_usersession", "game_readmark", "game_trace", "game_moderatoraction"}
"""Tables that say only who has looked, and when."""


class Tables:
    """What every table holds, to be compared with what it holds after a request that has written a row."""

    def __init__(self) -> None:
        self.sums, self.written = sums_of_tables(), rows_written()

    def changed(self) -> list[str]:
        """The tables that do not hold what they held."""
        if self.written == rows_written():
            return []
        self.written = rows_written()
        return sorted(name for name, held in sums_of_tables().items() if held != self.sums[name])


def rows_written() -> int:
    """In this transaction until now, also where that was taken back."""
    written = "SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_xact_user_tables WHERE relname <> ALL (%s)"
    with connection.cursor() as cursor:
        cursor.execute(written, [[*LOOKED]])
        return int(cursor.fetchone()[0])


def sums_of_tables() -> dict[str, str]:
    """What every table holds, in a few letters each, but for those that say only who has looked."""
    tables = [name for name in connection.introspection.table_names() if name not in LOOKED]
    seen = "'{seen_version,seen_at,away_version,away_at,last_login}'::text[]"
    each = " UNION ALL ".join(
        f"SELECT '{name}', md5(coalesce(string_agg((to_jsonb(t) - {seen})::text, ',' ORDER BY t::text), ''))"
        f' FROM "{name}" t'
        for name in tables
    )
    with connection.cursor() as cursor:
        cursor.execute(each)
        return dict(cursor.fetchall())


def test_a9_opening_an_address_changes_nothing(public: Answers, changes: Changes) -> None:
    """A picture in a message opens what it likes, with the cookies of whoever reads it."""
    assert public
    assert changes == {}


def test_a9_no_form_is_taken_without_a_token_of_its_own(world: World) -> None:
    """From another site it comes with the reader's cookies and without the token, or with one of somebody else."""
    before, foreign = sums_of_tables(), {"csrfmiddlewaretoken": "f" * 64}
    taken = []
    for role, places, form in ((NOBODY, SITE, {}), (OWN, SITE, foreign), (DESK, ADMIN_SITE, {})):
        client = world.client(role, strict=True)
        for place in places:
            with undone():
                answer = client.post(path_of(place, world, world.open), form)
            if place.name in WITHOUT_TOKEN:
                assert place.is_free_of_csrf
            elif answer.status_code != 403:
                taken.append((role, place.name, answer.status_code))
    assert taken == []
    assert {each.name for each in EVERYTHING if each.is_free_of_csrf} == set(WITHOUT_TOKEN)
    assert sums_of_tables() == before
