"""The draws of a finished game can be made again from its secret; before the end nobody sees it."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from hashlib import blake2b, sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.bots import playing
from game.delivery.notice_sending import send_due_notices
from game.history import archive
from game.history import draws as fairness
from game.history.draws import proof_of
from game.lobby import lobby
from game.moderation import rewind
from game.rulesets.registry import RULESETS
from game.store.game import Game, Status
from game.store.log import LoggedAction, Notice
from game.store.log_notes import Sentence
from game.store.proposals import VoteTopic
from game.store.replay import replay_game
from game.votes import voting
from tests import kept_games
from tests.scenes import moderator, play_on, rewind_by_two, run_out, seen
from tests.scenes import person as with_address
from tests.tables import fresh, new_game, person, shortest, steps_to_the_end
from tests.toy_scenes import sits

pytestmark = [pytest.mark.django_db]
GAMES = sorted(RULESETS)


def begun(ruleset: str, settings: Any, **more: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    options = shortest(ruleset)
    return new_game("ada", bots=3 if ruleset == "sectors" else 2, ruleset=ruleset, **options, **more)


def over(ruleset: str, settings: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    return kept_games.finished(ruleset, bots=3 if ruleset == "sectors" else 2, **shortest(ruleset))


def draws(game: Game, who: Client) -> dict[str, Any]:
    answer = who.get(f"/games/{game.pk}/draws.json")
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "private, no-store"
    result: dict[str, Any] = json.loads(answer.content)
    return result


def made_again(told: dict[str, Any], draw: dict[str, Any]) -> int:
    key = f"{told['secrets'][draw['secret']]['secret']}/{draw['name']}"
    return int.from_bytes(blake2b(key.encode(), digest_size=16).digest(), "big") % draw["values"]


@pytest.mark.parametrize("ruleset", GAMES)
def test_after_the_end_every_draw_follows_from_the_secret_whose_fingerprint_everybody_saw(
    ruleset: str, settings: Any
) -> None:
    game = begun(ruleset, settings)
    html = Client().get(f"/games/{game.pk}/").content.decode()
    result = draws(play_on(game), Client())
    assert result["whole"]
    assert [sha256(each["secret"].encode()).hexdigest() for each in result["secrets"]] == [game.secret_hash]
    assert game.secret_hash in html
    assert [made_again(result, draw) for draw in result["draws"]] == [draw["value"] for draw in result["draws"]]
    assert result["draws"]


def test_where_players_take_turns_the_draws_stand_under_their_names(settings: Any) -> None:
    game = over("power_up", settings)
    page = Client().get(f"/games/{game.pk}/draws/").content.decode()
    headings = [
        re.sub(r"<[^>]*>", "", each).split() for each in re.findall(r'scope="rowgroup">(.*?)</th>', page, re.DOTALL)
    ]
    names = {seat.shown_name for seat in game.seats.all()}
    drew = {" ".join(words[3:]) for words in headings if words[0] == "Turn"}
    assert drew - {"2 Final sale"} == names


def test_the_lots_that_were_drawn_are_those_the_game_was_played_with(settings: Any) -> None:
    game = over("sectors", settings)
    drawn = [draw for phase in proof_of(game).phases for draw in phase.draws if draw.label == "sectors"]
    assert drawn
    assert all(check.is_equal for check in replay_game(game=game))


@pytest.mark.parametrize("path", ["draws/", "draws.json"])
def test_a_game_that_goes_on_shows_no_draw_and_no_secret(path: str, settings: Any) -> None:
    game = begun("sectors", settings)
    for now in (game, next(steps_to_the_end(game))):
        for who in (sits("ada"), Client()):
            answer = who.get(f"/games/{now.pk}/{path}")
            assert answer.status_code == 404
            assert now.secret not in answer.content.decode()


def test_a_game_that_was_ended_by_agreement_shows_its_draws_too(settings: Any) -> None:
    game = new_game("ada", "ben", bots=1, ruleset="power_up")
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ada"))
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ben"), number=1)
    assert fresh(game).status == Status.ABANDONED
    result = draws(fresh(game), Client())
    assert result["whole"]
    assert [made_again(result, draw) for draw in result["draws"]] == [draw["value"] for draw in result["draws"]]
    assert f"/games/{game.pk}/draws/" in sits("ada").get(f"/games/{game.pk}/").content.decode()


def test_a_table_that_was_given_up_before_it_began_has_no_draws() -> None:
    table = lobby.create_game(host=person("ada"), name="Never", seats=2, ruleset="toy")
    lobby.leave_game(game_id=table.pk, user=person("ada"))
    assert sits("ada").get(f"/games/{table.pk}/draws.json").status_code == 404


@pytest.mark.parametrize("path", ["draws/", "draws.json"])
def test_a_private_game_shows_its_draws_to_its_seats_alone(path: str, settings: Any) -> None:
    game = over("sectors", settings)
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert sits("ada").get(f"/games/{game.pk}/{path}").status_code == 200
    assert sits("eve").get(f"/games/{game.pk}/{path}").status_code == 404
    assert Client().get(f"/games/{game.pk}/{path}").status_code == 404


def test_a_game_rewound_after_its_end_takes_a_new_secret_and_shows_both_at_its_second_end(
    settings: Any, mailoutbox: Any
) -> None:
    with_address("ada")
    game = over("sectors", settings)
    first = game.secret
    send_due_notices()
    before = len(mailoutbox)
    moment = rewind.moments_of(game)[4]
    rewind_by_two(
        game_id=game.pk, moderator=moderator("Mona"), reason="A wrong price.", seen=seen(game), number=moment.number
    )
    again = fresh(game)
    assert again.status == Status.RUNNING
    assert again.secret != first
    page = Client().get(f"/games/{game.pk}/").content.decode()
    assert again.secret_hash in page
    assert again.secret not in page
    assert first not in page
    assert all(check.is_equal for check in replay_game(game=again))
    note = LoggedAction.objects.filter(game=game, note__contains=again.secret_hash).get()
    assert note.branch == again.branch
    keep_the_fingerprint(again, mailoutbox, before)
    before = len(mailoutbox)
    moment = rewind.moments_of(again)[-1]
    rewind_by_two(
        game_id=game.pk, moderator=moderator("Mia"), reason="A wrong share.", seen=seen(again), number=moment.number
    )
    rewind.notify_void_submissions(game.pk, {0})
    Notice.objects.filter(game=game, sent_at=None).update(due_at=Now())
    send_due_notices()
    told_void = [mail.body for mail in list(mailoutbox)[before:]]
    assert told_void
    assert not any("new secret" in body for body in told_void), "a running game keeps its secret"
    again = fresh(game)
    result = draws(play_on(again), Client())
    assert result["whole"]
    assert [each["secret"] for each in result["secrets"]] == [first, again.secret]
    assert {draw["secret"] for draw in result["draws"]} == {0, 1}
    assert [made_again(result, draw) for draw in result["draws"]] == [draw["value"] for draw in result["draws"]]


def keep_the_fingerprint(game: Game, mailoutbox: Any, before: int) -> None:
    """Everybody who sits there gets the new fingerprint by mail, in both forms, and no secret."""
    Notice.objects.filter(game=game, sent_at=None).update(due_at=Now())
    send_due_notices()
    mails = list(mailoutbox)[before:]
    seated = set(game.seats.filter(bot="", user__isnull=False).values_list("user__email", flat=True))
    assert {address for mail in mails for address in mail.to} == seated
    for mail in mails:
        for text in (mail.body, mail.alternatives[0][0]):
            assert game.secret_hash in text
            assert not any(secret in text for secret in (game.secret, game.past_secrets[0][1]))


def test_a_secret_that_was_exchanged_does_not_fit_what_the_log_published(settings: Any) -> None:
    """Whoever exchanges the secret, and all that came of it, has not exchanged what players saw at the start."""
    game = over("sectors", settings)
    start, other = LoggedAction.objects.get(game=game, kind="start"), "ab" * 32
    LoggedAction.objects.filter(pk=start.pk).update(**Sentence.DRAWS_SEALED(fingerprint=other).columns)
    result = draws(game, Client())
    assert not result["whole"]
    assert [each["fingerprint"] for each in result["secrets"]] == [other]


def test_a_secret_without_a_published_fingerprint_proves_nothing(settings: Any) -> None:
    """Its own SHA-256 would always agree with it."""
    game = over("power_up", settings)
    LoggedAction.objects.filter(game=game, kind="start").update(note="", remark=None)
    result = draws(game, Client())
    assert not result["whole"]
    assert [each["fingerprint"] for each in result["secrets"]] == [""]
    assert result["draws"]
    page = Client().get(f"/games/{game.pk}/draws/").content.decode()
    assert 'data-whole="false"' in page
    assert "The log published none." in page
    assert game.secret_hash not in page


def deploy_later_rules(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the rules with the next version number."""
    rules = RULESETS[ruleset]
    changes = {**rules.changes, rules.version + 1: "Only its number."}
    monkeypatch.setitem(RULESETS, ruleset, replace(rules, version=rules.version + 1, changes=changes))


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_draws_of_every_step_stay_when_later_rules_come(
    ruleset: str, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of the game, after its end and once it is put away: what was drawn under rules that are no longer
    there is listed as it was."""
    game = begun(ruleset, settings)
    for _ in range(4):
        playing.play_bots(game_id=game.pk)
        run_out(game)
    deploy_later_rules(ruleset, monkeypatch)
    result = draws(play_on(game), Client())
    assert result["whole"]
    assert [made_again(result, draw) for draw in result["draws"]] == [draw["value"] for draw in result["draws"]]
    assert not proof_of(fresh(game)).is_replayed
    assert archive.archive_game(game_id=game.pk)
    deploy_later_rules(ruleset, monkeypatch)
    assert draws(fresh(game), Client()) == result
    assert "Part of this game was played by earlier rules" in Client().get(f"/games/{game.pk}/draws/").content.decode()
    deploy_later_rules(ruleset, monkeypatch)
    last = game.log.exclude(draws=b"").exclude(draws=None).latest("number")
    LoggedAction.objects.filter(pk=last.pk).update(draws=b"spoilt")
    assert not draws(fresh(game), Client())["whole"]


def run_program(game: Game, told: dict[str, Any], where: Path) -> str:
    """What the program on the page says of these draws."""
    page = Client().get(f"/games/{game.pk}/draws/").content.decode()
    program = unescape(page.partition('<pre class="draws-code"><code>')[2].partition("</code>")[0])
    (where / "draws.json").write_text(json.dumps(told))
    ran = subprocess.run([sys.executable, "-c", program], cwd=where, capture_output=True, text=True, check=True)
    return ran.stdout


def test_the_program_on_the_page_finds_what_its_own_check_finds(settings: Any, tmp_path: Path) -> None:
    game = over("sectors", settings)
    result = draws(game, Client())
    drawn, count = result["draws"], len(result["draws"])
    fingerprint = f"fingerprint {game.secret_hash}\n"
    assert run_program(game, result, tmp_path) == f"{fingerprint}{count} draws, 0 wrong\n"
    other = {**drawn[0], "value": drawn[0]["value"] + 1}
    assert (
        run_program(game, {**result, "draws": [other, *drawn[1:]]}, tmp_path)
        == f"{fingerprint}{count} draws, 1 wrong\n"
    )
    assert run_program(game, {**result, "draws": [drawn[0], *drawn]}, tmp_path).split(", ")[1] != "0 wrong\n"
    again = {**result, "draws": [*drawn, {**drawn[0], "again": True}]}
    assert run_program(game, again, tmp_path) == f"{fingerprint}{count + 1} draws, 0 wrong\n"
    exchanged = [{**result["secrets"][0], "fingerprint": "0" * 64}]
    assert run_program(game, {**result, "secrets": exchanged}, tmp_path) == f"{fingerprint}{count} draws, 1 wrong\n"


def test_draws_that_were_taken_out_of_the_record_are_found_as_long_as_their_rules_are_there(settings: Any) -> None:
    game = over("sectors", settings)
    entry = game.log.exclude(draws=b"").earliest("number")
    LoggedAction.objects.filter(pk=entry.pk).update(draws=b"")
    assert not draws(game, Client())["whole"]


def test_what_nobody_wrote_down_is_played_again_or_else_missing(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was played before draws were on record."""
    game = over("power_up", settings)
    result = draws(game, Client())
    game.log.update(draws=None)
    fairness._proofs.clear()
    assert draws(game, Client()) == result
    assert result["whole"]
    deploy_later_rules("power_up", monkeypatch)
    result = draws(game, Client())
    assert not result["whole"]
    assert not result["draws"]
    assert "Draws may be missing here." in Client().get(f"/games/{game.pk}/draws/").content.decode()


def test_what_was_published_is_read_where_earlier_rules_played_the_game(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Today's rules skip those entries; an exchanged fingerprint in them is found all the same."""
    game, other = play_on(begun("toy", settings)), "ab" * 32
    deploy_later_rules("toy", monkeypatch)
    start = LoggedAction.objects.get(game=game, kind="start")
    LoggedAction.objects.filter(pk=start.pk).update(**Sentence.DRAWS_SEALED(fingerprint=other).columns)
    result = draws(game, Client())
    assert not result["whole"]
    assert [each["fingerprint"] for each in result["secrets"]] == [other]


def test_a_rewind_of_a_running_game_keeps_its_secret(settings: Any) -> None:
    game = begun("sectors", settings)
    for now in steps_to_the_end(game):
        if now.turn == 2:
            break
    moment = rewind.moments_of(fresh(game))[2]
    rewind_by_two(
        game_id=game.pk, moderator=moderator("Mona"), reason="A wrong price.", seen=seen(fresh(game)),
        number=moment.number,
    )  # fmt: skip
    assert fresh(game).secret == game.secret
    assert fresh(game).past_secrets == []


def test_a_game_whose_log_does_not_lead_to_what_is_stored_says_so(settings: Any) -> None:
    game = over("sectors", settings)
    game.log.filter(kind="submit").order_by("number").last().delete()  # type: ignore[union-attr]
    game = fresh(game)
    assert not proof_of(game).is_whole
    assert "is damaged" in sits("ada").get(f"/games/{game.pk}/draws/").content.decode()
