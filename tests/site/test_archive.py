"""A finished game is made small without losing a phase, and what earlier rules stored is read, moved on and not judged
again."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command

from game.engine.ruleset import Ruleset
from game.models import Bundle, Game, LoggedAction, Status
from game.rulesets.registry import RULESETS
from game.services import archive, moves, rewind, sweep
from game.services.replay import hash_of, replay_game
from tests.site.tables import moderator, seen
from tests.site.test_projections import assert_rebuilt_equals_stored
from tests.tables import READY, at_phase, everybody_ready, fresh, new_game, send, steps_to_the_end, sweep_again

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]


@pytest.fixture
def over(settings: Any) -> Game:
    """A game of two turns at its end."""
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", bots=3, max_turns=2)
    for _ in steps_to_the_end(game):
        pass
    return fresh(game)


def starts(game: Game) -> dict[int, str]:
    """Every phase start by its log entry, as a hash."""
    found = {}
    for entry in game.log.exclude(opened_serial=None):
        entry.game = game
        found[entry.number] = hash_of(game, entry.read_snapshot())
    return found


def test_the_sweep_bundles_a_finished_game_and_every_phase_still_opens(over: Game) -> None:
    before = starts(over)
    room = sum(len(bytes(packed)) for packed in over.log.exclude(snapshot=None).values_list("snapshot", flat=True))
    entries = list(over.log.values_list("number", "action", "events", "note"))
    sweep.put_away_finished()
    assert not over.log.exclude(snapshot=None).exists()
    assert starts(fresh(over)) == before
    assert list(over.log.values_list("number", "action", "events", "note")) == entries
    assert sum(len(bytes(bundle.packed)) for bundle in over.bundles.all()) < room / 2
    assert all(check.is_equal for check in replay_game(game=fresh(over)))
    assert len(list(replay_game(game=fresh(over)))) == len(before) + 1


def test_rows_are_rebuilt_from_a_thinned_game(over: Game) -> None:
    sweep.put_away_finished()
    assert_rebuilt_equals_stored(over)


def test_a_past_that_cannot_be_read_is_left_after_five_attempts(over: Game) -> None:
    LoggedAction.objects.filter(game=over).exclude(snapshot=None).update(snapshot=b"not a snapshot")
    for _ in range(5):
        assert archive.finished_games() == [over.pk]
        sweep.put_away_finished()
    assert archive.finished_games() == []
    assert not Bundle.objects.filter(game=over).exists()
    assert not fresh(over).is_archived


def test_thinning_twice_or_too_early_does_nothing(over: Game) -> None:
    assert archive.archive_game(game_id=over.pk)
    assert not archive.archive_game(game_id=over.pk)
    running = new_game("bob", bots=1)
    assert not archive.archive_game(game_id=running.pk)
    assert archive.finished_games() == []
    assert Bundle.objects.exclude(game=over).count() == 0


def test_a_finished_and_thinned_game_goes_back_and_ends_again(over: Game) -> None:
    sweep.put_away_finished()
    lena = moderator("Lena")
    moment = next(moment for moment in rewind.moments_of(over) if moment.phase.startswith("22"))
    rewind.rewind_to(game_id=over.pk, moderator=lena, seen=seen(over), reason="A wrong tie.", number=moment.number)
    back = fresh(over)
    assert (back.status, back.phase_name, back.is_archived) == (Status.RUNNING, "revenue_vote", False)
    for _ in steps_to_the_end(back):
        pass
    before = starts(fresh(over))
    sweep.put_away_finished()
    assert fresh(over).is_archived
    assert starts(fresh(over)) == before
    assert all(check.is_equal for check in replay_game(game=fresh(over)))
    assert_rebuilt_equals_stored(over)


@pytest.fixture
def later_rules() -> Ruleset:
    """The same rules under the next numbers: nothing about a position changed but the number of its shape."""
    rules = RULESETS["sectors"]
    return replace(
        rules, version=rules.version + 1, schema=rules.schema + 1, upgrades={**rules.upgrades, rules.schema: dict}
    )


def deploy(monkeypatch: pytest.MonkeyPatch, rules: Ruleset) -> None:
    monkeypatch.setitem(RULESETS, rules.key, rules)


def test_a_running_game_moves_on_under_later_rules(later_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    deploy(monkeypatch, later_rules)
    was = fresh(game)
    send(was, 0, {"kind": "pass"})
    now = fresh(game)
    assert (now.schema, now.ruleset_version, now.version) == (later_rules.schema, later_rules.version, was.version + 1)
    assert now.load_position().state == was.load_position().state
    assert 0 in now.load_position().pending
    after = everybody_ready(now)
    assert after.phase_serial > now.phase_serial


def test_what_earlier_rules_did_is_not_judged_by_later_ones(
    later_rules: Ruleset, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    first = game.log.latest("number").number
    deploy(monkeypatch, later_rules)
    assert list(replay_game(game=fresh(game))) == []
    call_command("replay_game", str(game.pk))
    assert "Nothing to compare" in capsys.readouterr().out
    at_phase(everybody_ready(fresh(game)), "revenue_vote")
    checks = list(replay_game(game=fresh(game)))
    assert checks
    assert all(check.is_equal and check.number > first for check in checks)


def test_a_game_goes_back_to_what_earlier_rules_stored(later_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_phase(new_game("ada", "bob", bots=1), "revenue_vote")
    entry = LoggedAction.objects.filter(game=game, opened_serial__isnull=False).order_by("number")[1]
    deploy(monkeypatch, later_rules)
    moves.rewind(game_id=game.pk, number=entry.number, user_id=None, note="A moderator went back.")
    back = fresh(game)
    assert back.schema == later_rules.schema
    send(back, back.waiting_seats[0], READY)


def test_one_games_trouble_is_not_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stored position that cannot be read holds its own game, and the sweep goes on to the next."""
    broken, sound = new_game("ada", bots=1), new_game("bob", bots=1)
    Game.objects.filter(pk=broken.pk).update(state=b"not a position", deadline_at="2026-01-01T00:00:00Z")
    Game.objects.filter(pk=sound.pk).update(deadline_at="2026-01-02T00:00:00Z")
    serial = sound.phase_serial
    for _ in range(6):
        sweep_again()
    assert fresh(sound).phase_serial > serial
    assert fresh(broken).status == Status.HELD
    assert bytes(fresh(broken).state) == b"not a position"
