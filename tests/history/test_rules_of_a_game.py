"""A corrected rule holds for running games from their next step on, and their players are told so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.languages import override_language
from accounts.models import User
from game.delivery.notice_sending import send_due_notices
from game.history.game_log import tell
from game.moderation import rewind
from game.rulesets.registry import RULESETS
from game.rulesets.sectors.ruleset import SECTORS
from game.rulesets.sectors.upgrades import CHANGES
from game.store import replay
from game.store.game import Game, Status
from game.store.log import Kind
from tests.api.clients import Program
from tests.moderation.test_restoring import damage, hold
from tests.scenes import let_time_pass, moderator, person, rewind_by_two, run_out, seen, silent, table
from tests.servers import Mailbox
from tests.store import stored_games
from tests.store.stored_games import Told
from tests.store.test_projections import assert_rebuilt_equals_stored
from tests.tables import READY, clock_runs_out, fresh, send
from tests.toy_scenes import page_of, sits, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("judged")]
MAIL_ALWAYS = {"quiet_from": 0, "quiet_until": 0}
NOW = SECTORS.version
FROM_HERE_ON = f"From here on the game follows version {NOW} of the rules (was {NOW - 1}): "


@pytest.fixture
def earlier(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Game]], Game]:
    """What makes a game while the site still has the version of Sectors before today's."""

    def made(make: Callable[[], Game]) -> Game:
        rules = RULESETS["sectors"]
        changes = {version: words for version, words in rules.changes.items() if version < NOW}
        with monkeypatch.context() as then:
            then.setitem(RULESETS, "sectors", replace(rules, version=NOW - 1, changes=changes))
            game = make()
        assert fresh(game).ruleset_version == NOW - 1
        return fresh(game)

    return made


def told(game: Game, code: str = "en") -> list[str]:
    """The lines of the whole log that everybody reads, oldest first."""
    entries = list(game.log.order_by("number"))
    for entry in entries:
        entry.game = game
    names = [seat.shown_name for seat in game.seats.order_by("number")]
    with override_language(code):
        chapters = tell(entries, flow=game.rules.flow_of(game.load_position()), names=names, seat=None)
    return [line.text for chapter in reversed(chapters) for line in chapter.entries]


def lines_about_rules(game: Game, code: str = "en") -> list[str]:
    return [line for line in told(game, code) if "follows version" in line or "gilt in diesem Spiel Version" in line]


@pytest.mark.parametrize("kept", stored_games.kept(), ids=str)
def test_a_game_of_every_version_is_read_shown_and_moved(kept: Told) -> None:
    """F22."""
    game = stored_games.restore(kept.path)
    assert (game.ruleset_version, game.schema) == (kept.version, kept.schema)
    assert words_of(page_of(game, sits("ada")))
    assert all(check.is_equal for check in replay.replay_game(game=game))
    replay.rebuild_projections(game_id=game.pk)
    now = clock_runs_out(game)
    rules = now.rules
    assert now.phase_serial > game.phase_serial
    assert (now.ruleset_version, now.schema) == (rules.version, rules.schema)
    sentences = [event.sentence(str) for event in rules.changed_since(kept.version)]
    assert lines_about_rules(now) == sentences
    assert [bool(sentences)] == [kept.version < rules.version]
    assert lines_about_rules(clock_runs_out(now)) == sentences, "it is told once"
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))
    assert_rebuilt_equals_stored(game)
    assert words_of(page_of(game, sits("ada")))


def test_the_line_comes_before_what_the_newer_rules_did(earlier: Any) -> None:
    game = clock_runs_out(earlier(lambda: table(person("Ada"), silent())))
    kinds = list(game.log.order_by("number").values_list("kind", flat=True))
    assert kinds == [Kind.START, Kind.RULES, Kind.CLOSE]
    lines = told(game)
    assert lines.index(FROM_HERE_ON + CHANGES[NOW]) < len(lines) - 1
    assert lines_about_rules(game, "de")[0].startswith(
        f"Ab hier gilt in diesem Spiel Version {NOW} der Regeln (bisher {NOW - 1}): "
    )
    assert CHANGES[NOW] not in lines_about_rules(game, "de")[0]


def test_a_sealed_submission_under_newer_rules_shows_nothing(earlier: Any) -> None:
    """Else the line would tell when somebody revised theirs."""
    bid = {"kind": "bid_influence", "points": 3}

    def one_bid() -> Game:
        game = table(person("Ada"), silent())
        send(game, 0, bid)
        return game

    game = earlier(one_bid)
    send(game, 0, {**bid, "points": 4})
    now = fresh(game)
    assert (now.version, now.ruleset_version) == (game.version, NOW - 1)
    assert not lines_about_rules(now)
    for seat in now.waiting_seats:
        send(now, seat, READY)
    assert lines_about_rules(fresh(game)) == [FROM_HERE_ON + CHANGES[NOW]]


def test_the_next_mail_and_the_page_tell_it(earlier: Any, mailbox: Mailbox) -> None:
    ada = person("Ada", **MAIL_ALWAYS)
    game = earlier(lambda: table(ada, silent()))
    send_due_notices()
    client = Client()
    client.force_login(ada)
    page_of(game, client)
    run_out(game)
    let_time_pass(game, timedelta(hours=1))
    send_due_notices()
    mail = [message for message in mailbox.messages if message["To"] == ada.email][-1]
    assert FROM_HERE_ON in " ".join(mail.get_body(("plain",)).get_content().split())
    page = page_of(game, client)
    assert FROM_HERE_ON.strip() in words_of(page[page.index('id="happened-t"') :].split("</section>")[0])


def test_programs_read_both_versions(earlier: Any) -> None:
    game = clock_runs_out(earlier(lambda: table(person("Ada"), silent())))
    items = Program("Ada").get(f"games/{game.pk}/log").json()["items"]
    (line,) = [item for item in items if item["kind"] == "rules_changed"]
    assert line["facts"] == {"was": NOW - 1, "now": NOW, "changes": [CHANGES[NOW]]}
    assert line["text"] == FROM_HERE_ON + CHANGES[NOW]


def test_a_rewind_to_a_phase_of_earlier_rules_says_again_which_hold(earlier: Any) -> None:
    def two_phases() -> Game:
        game = table(person("Ada"), silent())
        run_out(game)
        return game

    game = earlier(two_phases)
    run_out(game)
    moment = rewind.moments_of(fresh(game))[-1]
    assert fresh(game).log.get(number=moment.number).read_stored().version == NOW - 1
    rewind_by_two(game_id=game.pk, moderator=moderator("Mona"), reason="A slip.", seen=seen(game), number=moment.number)
    run_out(game)
    assert lines_about_rules(fresh(game)) == [FROM_HERE_ON + CHANGES[NOW]] * 2
    assert all(check.is_equal for check in replay.replay_game(game=fresh(game)))


def test_a_game_restored_from_its_log_tells_it_with_its_next_step(earlier: Any) -> None:
    game = earlier(lambda: table(person("Ada"), silent()))
    restored(game)
    assert (fresh(game).ruleset_version, lines_about_rules(fresh(game))) == (NOW - 1, [])
    Game.objects.filter(pk=game.pk).update(status=Status.RUNNING)
    run_out(game)
    assert lines_about_rules(fresh(game)) == [FROM_HERE_ON + CHANGES[NOW]]
    game.log.filter(opened_serial=fresh(game).phase_serial).update(snapshot=b"\0")
    restored(game)
    assert lines_about_rules(fresh(game)) == [FROM_HERE_ON + CHANGES[NOW]]


def restored(game: Game) -> None:
    """The game after a damage that a moderator has repaired."""
    damage(game)
    hold(game)
    mona = User.objects.filter(username="Mona").first() or moderator("Mona")
    rewind.restore_from_log(game_id=game.pk, moderator=mona, reason="A disk.", seen=seen(game))
