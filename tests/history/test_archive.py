"""A finished game is made small without losing a phase, and what earlier rules stored is read, moved on and not judged
again."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.functions import Now
from django.test import Client

from game.clock import sweep
from game.engine.ruleset import Ruleset
from game.history import archive, briefings, draws, past, stories
from game.moderation import rewind
from game.outbox import notices
from game.play import moves
from game.rulesets.registry import RULESETS
from game.store.game import Game, Status
from game.store.log import LoggedAction, Notice, PackedLog, PackedSnapshots
from game.store.log_notes import Sentence
from game.store.packed_log import every_entry
from game.store.replay import hash_of, replay_game
from tests.api.clients import Program
from tests.scenes import moderator, rewind_by_two, seen
from tests.store.test_projections import assert_rebuilt_equals_stored
from tests.tables import (
    READY,
    at_phase,
    everybody_ready,
    fresh,
    new_game,
    send,
    steps_to_the_end,
    sweep_again,
    without_chance,
)
from tests.toy_scenes import sits

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


def a_day_passes(game: Game) -> None:
    """Games rest before they are put away."""
    Game.objects.filter(pk=game.pk).update(finished_at=Now() - archive.ARCHIVE_AFTER)


def steps(game: Game) -> list[tuple[Any, ...]]:
    """The whole log as it was written, but for what a form is known by."""
    facts = ("number", "version", "kind", "branch", "serial", "turn", "phase_name", "seat", "step", "is_undone", "at")
    facts += ("note", "opened_serial", "asks", "back_to")
    found = []
    for entry in every_entry(game):
        entry.unpack()
        packed = [value and bytes(value) for value in (entry.action, entry.transfers, entry.draws)]
        found.append((*(getattr(entry, name) for name in facts), entry.events, *packed))
    return found


def test_the_sweep_puts_a_finished_game_away_and_every_phase_and_step_still_opens(over: Game) -> None:
    before, log, rows = starts(over), steps(over), over.log.count()
    a_day_passes(over)
    sweep.archive_finished()
    assert not over.log.exclude(snapshot=None).exists()
    assert over.log.count() < rows / 2
    assert starts(fresh(over)) == before
    assert steps(fresh(over)) == log
    assert all(check.is_equal for check in replay_game(game=fresh(over)))
    assert len(list(replay_game(game=fresh(over)))) == len(before) + 1


def test_it_rests_a_day_before_it_is_put_away(over: Game) -> None:
    sweep.archive_finished()
    assert archive.finished_games() == []
    assert not fresh(over).is_archived


def test_rows_are_rebuilt_from_a_thinned_game(over: Game) -> None:
    assert archive.archive_game(game_id=over.pk)
    assert_rebuilt_equals_stored(over)


def test_a_past_that_cannot_be_read_is_left_after_five_attempts(over: Game) -> None:
    LoggedAction.objects.filter(game=over).exclude(snapshot=None).update(snapshot=b"not a snapshot")
    a_day_passes(over)
    for _ in range(5):
        assert archive.finished_games() == [over.pk]
        sweep.archive_finished()
    assert archive.finished_games() == []
    assert not PackedSnapshots.objects.filter(game=over).exists()
    assert not fresh(over).is_archived


def test_thinning_twice_or_too_early_does_nothing(over: Game) -> None:
    assert archive.archive_game(game_id=over.pk)
    assert not archive.archive_game(game_id=over.pk)
    running = new_game("bob", bots=1)
    assert not archive.archive_game(game_id=running.pk)
    assert archive.finished_games() == []
    assert PackedSnapshots.objects.exclude(game=over).count() == 0


def test_a_finished_and_thinned_game_goes_back_and_ends_again(over: Game) -> None:
    log = steps(over)
    assert archive.archive_game(game_id=over.pk)
    lena = moderator("Lena")
    moment = next(moment for moment in rewind.moments_of(over) if moment.start.number == "22")
    rewind_by_two(game_id=over.pk, moderator=lena, seen=seen(over), reason="A wrong tie.", number=moment.number)
    back = fresh(over)
    assert (back.status, back.phase_name, back.is_archived) == (Status.RUNNING, "revenue_vote", False)
    assert steps(back)[: len(log)] == log
    assert not PackedLog.objects.exists()
    for _ in steps_to_the_end(back):
        pass
    before, log = starts(fresh(over)), steps(fresh(over))
    assert archive.archive_game(game_id=over.pk)
    assert steps(fresh(over)) == log
    assert starts(fresh(over)) == before
    assert all(check.is_equal for check in replay_game(game=fresh(over)))
    assert_rebuilt_equals_stored(over)


def test_a_damaged_volume_costs_what_it_holds_and_no_more(over: Game) -> None:
    """Pages say where the record is damaged; a rewind keeps the packed log, and what it holds is not put away again."""
    assert archive.archive_game(game_id=over.pk)
    packed_log = over.packed_logs.get()
    PackedLog.objects.filter(pk=packed_log.pk).update(packed=bytes(packed_log.packed)[:-40])
    page = Client().get(over.get_absolute_url())
    assert "The record of this step is damaged and cannot be shown." in page.content.decode()
    moment = rewind.moments_of(over)[1]
    moves.rewind(game_id=over.pk, number=moment.number, user_id=None, note=Sentence.COPY_GOES_BACK())
    for _ in steps_to_the_end(fresh(over)):
        pass
    assert archive.archive_game(game_id=over.pk)
    assert [packed_log.number for packed_log in over.packed_logs.order_by("number")] == [0, 1]
    PackedLog.objects.filter(pk=packed_log.pk).update(packed=packed_log.packed)
    assert all(check.is_equal for check in replay_game(game=fresh(over)))


def test_its_players_are_told_first_and_their_mails_go_with_it(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = new_game("ada", "bob", pace="daily", max_turns=2)
    for _ in steps_to_the_end(game):
        notices.write_notices()
    notices.write_notices()
    assert Notice.objects.filter(game=game, kind=Notice.Kind.FINISHED).exists()
    assert archive.archive_game(game_id=game.pk)
    assert not Notice.objects.filter(game=game).exists()


def test_every_page_shows_the_same_once_it_is_put_away(over: Game, settings: Any) -> None:
    readers = (sits("ada"), Client(), Client(headers=Program("ada").headers))
    before = [everything_shown(over, reader) for reader in readers]
    seated, program = before[0], before[2]
    keys = {address for address, (status, _) in [*seated.items(), *program.items()] if status == 200}
    assert set(seated) - keys == set()
    assert archive.archive_game(game_id=over.pk)
    for reader, keys in zip(readers, before, strict=True):
        after = everything_shown(over, reader)
        assert after.keys() == keys.keys()
        assert [address for address in after if after[address] != keys[address]] == []


def everything_shown(game: Game, reader: Client) -> dict[str, tuple[int, str]]:
    """Every page and file of a finished game, as if no process had seen it."""
    for cache in (stories._cached, past.past_views, draws._proofs, briefings.briefings):
        cache.clear()
    here, api = f"/games/{game.pk}/", f"/api/v1/games/{game.pk}"
    pages = ["", "results/", "story/", "history/", "spreadsheet/", "charts/", "draws/", "draws.json", "outcomes/"]
    found = [here + page for page in pages]
    found += [f"{here}outcomes/?turn={turn}" for turn in (1, 2)]
    found += [f"{here}history/?at={serial}" for serial in range(1, game.phase_serial + 1)]
    found += [
        f"{here}export/{what}.{form}" for what in ("log", "ledger", "companies", "players") for form in ("csv", "json")
    ]
    found += [f"{api}{part}" for part in ("", "/log", "/results", "/history", "/history/5", "/position")]
    found += [f"{api}/log?after={number}" for number in (1, 20)]
    found += ["/people/ada/", "/games/"]
    fields = {}
    for address in found:
        answer = reader.get(address)
        assert answer.status_code < 500
        fields[address] = (answer.status_code, without_chance(answer.getvalue().decode()))
    return fields


@pytest.fixture
def later_rules() -> Ruleset:
    """A copy of the rules with the next numbers of version and schema, whose positions are otherwise equal."""
    rules = RULESETS["sectors"]
    version, schema = rules.version + 1, rules.schema + 1
    changes, upgrades = {**rules.changes, version: "Only its number."}, {**rules.upgrades, rules.schema: dict}
    return replace(rules, version=version, schema=schema, changes=changes, upgrades=upgrades)


def deploy(monkeypatch: pytest.MonkeyPatch, rules: Ruleset) -> None:
    monkeypatch.setitem(RULESETS, rules.key, rules)


def test_a_running_game_moves_on_under_later_rules(later_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_phase(new_game("ada", "bob", bots=1), "stock_orders")
    deploy(monkeypatch, later_rules)
    was = fresh(game)
    send(was, 0, {"kind": "pass"})
    now = fresh(game)
    assert (now.schema, now.ruleset_version, now.version) == (later_rules.schema, was.ruleset_version, was.version + 1)
    assert now.load_position().state == was.load_position().state
    assert 0 in now.load_position().pending
    after = everybody_ready(now)
    assert after.phase_serial > now.phase_serial
    assert after.ruleset_version == later_rules.version


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
    moves.rewind(game_id=game.pk, number=entry.number, user_id=None, note=Sentence.COPY_GOES_BACK())
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
