"""The past of a game by its addresses: every moment as it was, to each reader what that reader could see then, and at
the end everything."""

import re
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from game.history import archive
from game.history.past import course_of, seen_at
from game.play import moves
from game.rulesets.registry import RULESETS
from game.store.game import Game, Seat
from game.store.log_notes import Sentence
from tests import kept_games
from tests.scenes import moderator, play_on, rewind_by_two, seen
from tests.tables import READY, at_phase, everybody_ready, fresh, new_game, person, send, shortest, steps_to_the_end
from tests.toy_scenes import at_turns, bid, hand, sits, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.embedded]
GAMES = sorted(RULESETS)
MOST_STATEMENTS = 9


def past(game: Game, who: Client, at: Any = None) -> Any:
    return who.get(f"/games/{game.pk}/history/", {} if at is None else {"at": at})


def page(game: Game, who: Client, at: Any = None) -> str:
    answer = past(game, who, at)
    assert answer.status_code == 200, (at, answer.status_code)
    return str(answer.content.decode())


def submitted(page: str) -> str:
    """The words of the section that tells what was submitted."""
    return words_of(page.partition('id="submitted"')[2].partition("</section>")[0])


def finished(ruleset: str, settings: Any, **more: Any) -> Game:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    options = shortest(ruleset)
    return kept_games.finished(ruleset, **options, **more)


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_phase_of_a_finished_game_has_an_address(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    last = course_of(game).stops[-1].serial
    assert last == game.phase_serial
    for who, step in ((sits("ada"), 1), (sits("eve"), 5), (Client(), 5)):
        for serial in range(step, last + 1, step):
            assert "read only" in page(game, who, serial)
    assert page(game, Client()).count("The end of the game") > 0


@pytest.mark.parametrize("ruleset", GAMES)
def test_a_past_page_can_send_nothing(ruleset: str, settings: Any) -> None:
    game = finished(ruleset, settings)
    board = page(game, sits("ada"), 2).partition("<main")[2]
    assert "<form" not in board
    assert not re.search(r'type="submit"', board)


def test_every_moment_is_seen_as_it_was_seen_then() -> None:
    """By the seat and by a stranger."""
    game, then = new_game("ada", bots=3, max_turns=8), {}
    for now in steps_to_the_end(game):
        if now.phase_serial > 60:
            break
        position = now.load_position()
        if not any(position.pending.values()) and not position.ready:
            then[now.phase_serial] = [msgspec.json.encode(now.rules.view(position, seat)) for seat in (0, None)]
    game = fresh(game)
    course = course_of(game)
    stops = {stop.serial: stop for stop in course.stops}
    assert len(then) > 6
    for serial, views in then.items():
        assert [msgspec.json.encode(seen_at(game, course, stops[serial], seat).view) for seat in (0, None)] == views


def test_a_page_of_a_game_that_goes_on_meanwhile_ends_where_it_was_read() -> None:
    """The log has grown since: it used to name a phase that this reader does not know."""
    read = new_game("ada", "bob")
    everybody_ready(fresh(read))
    assert fresh(read).phase_serial != read.phase_serial
    assert course_of(read).stops[-1].serial == read.phase_serial


def test_a_phase_that_passed_at_once_leads_to_where_it_led() -> None:
    game = at_phase(new_game("ada", "bob"), "stock_orders")
    stops = [stop.serial for stop in course_of(game).stops]
    passed = next(serial for serial in range(1, stops[-1]) if serial not in stops)
    text = words_of(page(game, Client(), passed))
    assert "That phase ended at once" in text


@pytest.mark.parametrize(
    ("asked", "status", "told"),
    [("0", 404, "numbered 1 to"), ("9999", 404, "numbered 1 to"), ("x", 400, "by its number"),
     ("-1", 400, "by its number"), ("1" * 40, 400, "by its number"), ("", 400, "by its number"),
     ("²", 400, "by its number")],
)  # fmt: skip
def test_a_moment_that_is_none_is_answered_in_a_sentence(asked: str, status: int, told: str) -> None:
    answer = past(new_game("ada", "bob"), Client(), asked)
    assert answer.status_code == status
    assert told in answer.content.decode()


def test_a_game_that_has_not_begun_has_no_past(client: Client) -> None:
    from game.lobby import lobby

    game = lobby.create_game(host=person("ada"), name="Later", seats=2)
    assert past(game, client).status_code == 404


def test_a_private_game_s_past_is_its_players_alone(settings: Any) -> None:
    game = new_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert past(game, sits("ada")).status_code == 200
    assert [past(game, who).status_code for who in (sits("eve"), Client())] == [404, 404]
    game = finished("toy", settings)
    Game.objects.filter(pk=game.pk).update(is_open=False)
    assert [past(game, who, 1).status_code for who in (sits("ada"), sits("eve"), Client())] == [200, 404, 404]


# --- secrets


def test_a_sealed_bid_is_its_owner_s_until_the_end() -> None:
    """Toy reveals bids as they resolve, so the canary is one that was changed before."""
    game = new_game("ada", "ben", ruleset="toy")
    send(game, 0, bid(7))
    for who, sees in ((sits("ada"), True), (sits("ben"), False), (Client(), False)):
        assert ("coins 7" in page(game, who)) is sees
    send(game, 0, READY)
    send(game, 1, bid(2), READY)
    assert "coins 7" in submitted(page(game, sits("ada"), 1))
    assert "coins 2" not in submitted(page(game, sits("ada"), 1))
    assert submitted(page(game, Client(), 1)) == ""
    game = play_on(game)
    for who in (sits("ada"), sits("ben"), Client()):
        assert all(words in submitted(page(game, who, 1)) for words in ("coins 7", "coins 2"))


def test_hands_are_hidden_in_the_past_until_the_end() -> None:
    game = at_turns()
    serial = game.phase_serial
    hands = [", ".join(map(str, sorted(hand(game, seat)))) for seat in (0, 1)]
    for _ in range(2):
        send(game, fresh(game).load_position().state.acting, {"kind": "stop"})
    ada, ben, nobody = (page(game, who, serial) for who in (sits("ada"), sits("ben"), Client()))
    assert [hands[0] in each for each in (ada, ben, nobody)] == [True, False, False]
    assert [hands[1] in each for each in (ada, ben, nobody)] == [False, True, False]
    game = play_on(game)
    for who in (sits("ada"), sits("ben"), Client()):
        assert all(held in page(game, who, serial) for held in hands)


def test_what_only_one_seat_was_told_is_told_to_all_at_the_end() -> None:
    game = at_turns()
    send(game, 0, {"kind": "draw"})
    send(game, 0, {"kind": "stop"})
    serial = fresh(game).phase_serial
    assert "You drew the" in page(game, sits("ada"), serial)
    assert "drew the" not in page(game, sits("ben"), serial)
    game = play_on(game)
    assert "Visible only to ada: “You drew the" in page(game, sits("ben"), serial)
    assert "Visible only to ada: “You drew the" in page(game, Client(), serial)


def test_orders_of_sectors_stay_sealed_in_the_past_until_the_end(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (2,)}
    game = at_phase(new_game("ada", "bob", max_turns=2), "influence_bid")
    serial = game.phase_serial
    send(game, 0, {"kind": "bid_influence", "points": 37}, READY)
    assert "37" in submitted(page(game, sits("ada"), serial))
    assert "37" not in submitted(page(game, sits("bob"), serial))
    send(game, 1, READY)
    game = play_on(game)
    assert "37" in submitted(page(game, sits("bob"), serial))
    assert game.secret not in page(game, sits("bob"), serial)


def test_the_deck_and_the_seed_are_shown_to_nobody(settings: Any) -> None:
    game = finished("toy", settings)
    course = course_of(game)
    for stop in course.stops:
        view = seen_at(game, course, stop, 0).view
        assert not hasattr(view, "deck")
        assert game.secret not in page(game, sits("ada"), stop.serial)


def test_who_takes_a_seat_over_sees_nothing_sealed_of_who_sat_there() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    send(game, 0, bid(7))
    eve = person("eve")
    Seat.objects.filter(game=game, number=0).update(user=eve)
    with moves.transaction.atomic():
        change = moves.transaction_of(moves.lock_running(game.pk))
        note = Sentence.GAVE_SEAT(moderator="Lena", was="ada", name="eve", reason="She left.")
        change.hand_over(0, user_id=eve.pk, note=note)
        change.commit()
    assert submitted(page(game, sits("eve"), 1)) == ""
    assert "coins 7" not in page(game, sits("eve"), 1)


# --- rewinds, archives, speed


def test_only_the_branch_that_stands_has_a_past() -> None:
    game = at_phase(new_game("ada", "bob"), "stock_orders")
    stops = course_of(game).stops
    target = stops[1]
    moves.rewind(game_id=game.pk, number=target.number, user_id=None, note=Sentence.COPY_GOES_BACK())
    game = fresh(game)
    after = course_of(game)
    assert [stop.serial for stop in after.stops] == [stops[0].serial, game.phase_serial]
    answer = past(game, Client(), stops[-1].serial)
    assert answer.status_code == 404
    assert "taken back" in answer.content.decode()
    everybody_ready(game)
    html = page(game, Client()).partition('id="log"')[2]
    assert html.count("The copy goes back one phase.") == 1


def test_a_game_that_goes_on_after_a_rewind_hides_again() -> None:
    """What was revealed while it was over is sealed as long as it runs."""
    game = at_turns()
    serial, hands = game.phase_serial, ", ".join(map(str, sorted(hand(game, 0))))
    game = play_on(game)
    assert hands in page(game, sits("ben"), serial)
    first = course_of(game).stops[-2]
    staff = moderator("Mod")
    rewind_by_two(game_id=game.pk, moderator=staff, reason="A test", seen=seen(game), number=first.number)
    assert hands not in page(game, sits("ben"), serial)


def test_an_archived_game_is_shown_byte_for_byte_as_before(settings: Any) -> None:
    from tests.tables import without_chance

    game, ada = finished("sectors", settings), sits("ada")
    serials = [stop.serial for stop in course_of(game).stops]
    before = [without_chance(page(game, ada, serial)) for serial in serials]
    assert archive.archive_game(game_id=game.pk)
    assert [without_chance(page(game, ada, serial)) for serial in serials] == before


def test_the_past_asks_a_constant_number_of_questions(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (4,)}
    game, ada = new_game("ada", bots=3, max_turns=4), sits("ada")
    counts = set()
    for now in steps_to_the_end(game):
        if now.entries % 20 == 0 or not now.is_running:
            page(game, ada)
            with CaptureQueriesContext(connection) as asked:
                page(game, ada)
            counts.add(len([query for query in asked.captured_queries if "SAVEPOINT" not in query["sql"]]))
    assert max(counts) <= MOST_STATEMENTS, counts


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_tabs_lead_to_every_page_of_the_game(ruleset: str) -> None:
    from game.templatetags.frame import tabs_of

    game, ada = new_game("ada", bots=1, ruleset=ruleset), sits("ada")
    pages = tabs_of(is_over=False)
    tabs = ada.get(f"/games/{game.pk}/").content.decode().partition('aria-label="Pages of this game"')[2]
    links = re.findall(r'<a href="([^"]+)"( aria-current="page")?>', tabs.partition("</nav>")[0])
    assert links.pop() == (f"/games/{game.pk}/notes/", ""), "one who plays alone has notes and nobody to talk to"
    if game.rules.determinise is not None:
        assert links.pop() == (f"/games/{game.pk}/copy/", ""), "the position can be tried out"
    assert [bool(current) for _, current in links] == [tab.key == "board" for tab in pages]
    for (address, _), tab in zip(links, pages, strict=True):
        there = ada.get(address)
        assert there.status_code == 200
        assert f'href="{address}" aria-current="page">{tab.title}<' in there.content.decode()
