"""The work of bots is dealt out person by person, whoever has how many games."""

from collections.abc import Iterable
from datetime import timedelta

import pytest
from django.db.models import F
from django.db.models.functions import Now

from accounts.guests import number_of_network
from accounts.models import User
from game import tasks
from game.bots import playing
from game.bots.models import BotShare
from game.bots.playing import Job
from game.clock import sweep
from game.play import leases
from game.store.game import Game
from game.store.log import LoggedAction
from tests.tables import fresh, new_game

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


def games_of(name: str, number: int) -> list[int]:
    return [new_game(name, bots=1).pk for _ in range(number)]


def order_of_jobs(games: Iterable[int]) -> list[int]:
    """The games in the order in which their bots acted."""
    acted = LoggedAction.objects.filter(game__in=games, seat__gt=0).order_by("pk").values_list("game_id", flat=True)
    return list(dict.fromkeys(acted))


def taken() -> Job:
    job = playing.claim_job()
    assert job is not None
    return job


def test_a35_behind_twelve_games_of_one_account_another_person_s_bots_are_the_next_job_but_one() -> None:
    crowd, [other] = games_of("ada", 12), games_of("bob", 1)
    for game in (*crowd, other):  # the calls, in the order in which they were made
        tasks.play_bots(game)
    assert order_of_jobs([*crowd, other]) == [crowd[0], other, *crowd[1:]]


def test_a35_bots_that_come_while_a_job_is_under_way_are_the_next_one() -> None:
    crowd = games_of("ada", 3)
    first = taken()
    [other] = games_of("bob", 1)
    assert [first.claim.game_id, taken().claim.game_id, playing.claim_job()] == [crowd[0], other, None]


def networks(number: int) -> list[str]:
    """Networks that do not share a number; the site's secret, which is another one in every clone, decides who does."""
    by_number = {number_of_network(network): network for network in (f"192.0.2.{each}" for each in range(250))}
    return list(by_number.values())[:number]


def guests_games(network: str, number: int) -> list[int]:
    """A game of each of so many guests of a network."""
    games = [games_of(f"{network} {each}", 1)[0] for each in range(number)]
    hosts = User.objects.filter(username__startswith=f"{network} ")
    hosts.update(is_guest=True, guest_network=number_of_network(network))
    return games


def act(games: Iterable[int]) -> None:
    """The calls, in the order in which they were made."""
    for game in games:
        tasks.play_bots(game)


def test_a35_behind_twelve_guests_of_one_network_another_guest_s_bots_are_the_next_job_but_one() -> None:
    one, another = networks(2)
    crowd, [other] = guests_games(one, 12), guests_games(another, 1)
    act([*crowd, other])
    assert order_of_jobs([*crowd, other]) == [crowd[0], other, *crowd[1:]]


def test_a35_behind_twelve_games_of_an_account_a_guest_s_bots_are_the_next_job_but_one() -> None:
    crowd, [other] = games_of("ada", 12), guests_games("192.0.2.1", 1)
    act([*crowd, other])
    assert order_of_jobs([*crowd, other]) == [crowd[0], other, *crowd[1:]]


def test_a35_behind_guests_of_many_networks_an_account_s_bots_are_the_next_job_but_one() -> None:
    crowd = [guests_games(network, 1)[0] for network in networks(12)]
    first, second = games_of("bob", 2)
    act([*crowd, first, second])
    assert order_of_jobs([*crowd, first, second]) == [crowd[0], first, crowd[1], second, *crowd[2:]]


def test_a_guest_of_the_time_before_networks_had_numbers_has_a_share_too() -> None:
    [game] = guests_games("192.0.2.1", 1)
    User.objects.update(guest_network=None)
    act([game])
    assert order_of_jobs([game]) == [game]


def test_three_people_take_turns() -> None:
    games = {name: games_of(name, 2) for name in ("ada", "bob", "cleo")}
    sweep.play_due_bots()
    assert order_of_jobs([pk for each in games.values() for pk in each]) == [
        *(each[0] for each in games.values()),
        *(each[1] for each in games.values()),
    ]


def test_a_person_s_next_job_begins_when_the_one_before_has_ended() -> None:
    first, second = games_of("ada", 2)
    job = taken()
    assert (job.claim.game_id, playing.claim_job()) == (first, None)
    sweep.play_claimed(job.claim)
    playing.finish(job)
    assert taken().claim.game_id == second


def test_the_job_of_a_worker_that_died_counts_until_its_lease_is_over() -> None:
    [game] = games_of("ada", 1)
    taken()
    assert playing.claim_job() is None
    BotShare.objects.update(until=Now())
    Game.objects.update(not_before=Now())
    job = taken()
    assert (job.claim.game_id, job.claim.attempts) == (game, 2)


def test_a_game_that_has_failed_waits_for_the_others_of_its_host_alone() -> None:
    crowd, [broken, sound] = games_of("ada", 3), games_of("bob", 2)
    Game.objects.filter(pk=broken).update(attempts=1)
    sweep.play_due_bots()
    assert order_of_jobs([*crowd, broken, sound]) == [crowd[0], sound, crowd[1], broken, crowd[2]]


def test_games_without_a_host_do_not_wait_for_each_other() -> None:
    games = games_of("ada", 2)
    Game.objects.update(host=None)
    assert [taken().claim.game_id, taken().claim.game_id] == games


def test_lost_calls_are_found_in_the_same_order() -> None:
    crowd, [other] = games_of("ada", 3), games_of("bob", 1)
    Game.objects.update(moved_at=F("moved_at") - leases.LOST_AFTER - timedelta(minutes=1))
    tasks.play_forgotten_bots()
    assert order_of_jobs([*crowd, other])[:2] == [crowd[0], other]
    assert not any(fresh(game).bots_due for game in Game.objects.all())


def test_whose_turn_it_was_yesterday_is_forgotten() -> None:
    games_of("ada", 1)
    playing.finish(taken())
    playing.forget_idle()
    assert BotShare.objects.exists()
    BotShare.objects.update(dealt_at=Now() - playing.FORGOTTEN_AFTER)
    playing.forget_idle()
    assert not BotShare.objects.exists()
