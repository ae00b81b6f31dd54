"""Since your last decision: what the others did in a game of turns, and that own clicks are not news."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.models import User
from game.bots import playing
from game.history.since import DeedLine, Deeds, Happened, happened
from game.store.game import Game
from tests.browser.positions import put
from tests.rulesets.power_up.table import Table
from tests.tables import READY, clock_runs_out, fresh, new_game, send
from tests.toy_scenes import at_turns, bid, news_of, page_of, place, sits, story_of, words_of

pytestmark = pytest.mark.django_db
DRAW, STOP = {"kind": "draw"}, {"kind": "stop"}


def since(game: Game, who: Client) -> str:
    """The block's text without its markup."""
    return words_of(news_of(page_of(game, who))).strip()


def plain(text: str) -> str:
    return re.sub(r"Today [\d:]+", "Today", text)


@pytest.fixture
def toy() -> Game:
    """The first turn of three people; ada acts first, then cid and ben by lot."""
    game = at_turns("ada", "ben", "cid")
    state = game.load_position().state
    assert state.order[0] == 0
    return game


def next_seat(game: Game) -> int:
    return int(fresh(game).waiting_seats[0])


def test_what_the_others_did_stands_in_order_and_the_reader_s_own_acts_do_not(toy: Game) -> None:
    send(toy, 0, DRAW)
    send(toy, 0, STOP)
    second = next_seat(toy)
    send(toy, second, place(toy, second, "B2"))
    send(toy, second, DRAW)
    name = ("ada", "ben", "cid")[second]
    result = since(toy, sits("ada"))
    assert "Since your last decision" in result
    assert result.index(f"{name} placed the") < result.index(f"{name} drew a card.")
    assert "You drew" not in result
    assert "ended the turn" not in result.partition("All outcomes")[2].partition(f"{name} placed")[0]


def test_whoever_changes_the_language_reads_it_in_the_other_one() -> None:
    game = clock_runs_out(new_game("ada", "bob"))
    ada = sits("ada")
    english = since(game, ada)
    assert "kept every point as a dollar" in english
    User.objects.filter(username="ada").update(language="de")
    german = since(game, ada)
    happened.clear()
    assert german == since(game, ada) != english


def test_own_clicks_change_nothing_in_it(toy: Game) -> None:
    ada = sits("ada")
    before = since(toy, ada)
    send(toy, 0, DRAW)
    assert since(toy, ada) == before
    page = page_of(toy, ada)
    assert '<p class="push">' not in page


def test_news_stay_after_the_reader_s_turn_until_somebody_else_acts() -> None:
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    put(game, Table().board(eclipse="A0 A1").hands(ada="J0 J2", bob="J9").position)
    send(game, 0, {"kind": "play_tile", "tile": "J0"})
    send(game, 0, {"kind": "end_turn"})
    bob = sits("bob")
    before = plain(since(game, bob))
    assert "ada played J0" in before
    send(game, 1, {"kind": "play_tile", "tile": "J9"})
    assert plain(since(game, bob)) == before
    send(game, 1, {"kind": "end_turn"})
    after = plain(since(game, bob))
    assert "Before your last decision" in after
    assert after.partition("All outcomes")[2] == before.partition("All outcomes")[2]
    send(game, 0, {"kind": "play_tile", "tile": "J2"})
    now = since(game, bob)
    assert "Since your last decision" in now
    assert "J2" in now
    assert "J0" not in now


def test_a_missed_turn_loses_nothing(toy: Game) -> None:
    """What the others did before the missed turn is still there after it, and what was done for the reader too."""
    ada = sits("ada")
    for _ in range(3):
        seat = next_seat(toy)
        send(toy, seat, DRAW)
        send(toy, seat, STOP)
    for seat in (0, 1, 2):
        send(toy, seat, bid(3 - seat), READY)
    toy = clock_runs_out(toy)
    result = since(toy, ada)
    assert "You made no decision" in result or "Missed" in result
    send(toy, 1, DRAW)
    assert "ben drew a card" in since(toy, ada)


def test_turns_of_a_round_stand_under_one_heading(toy: Game) -> None:
    for _ in range(2):
        seat = next_seat(toy)
        send(toy, seat, DRAW)
        send(toy, seat, STOP)
    headings = [heading for heading, _ in story_of(toy, sits("ada"))]
    assert headings[0] == "Turn 1, phase 2: Turn"
    assert len([heading for heading in headings if "phase 2" in heading]) == 1


def test_new_tiles_are_marked_and_the_log_is_open_from_the_last_decision() -> None:
    game = new_game("ada", bots=3, ruleset="power_up", pace="daily")
    ada = sits("ada")
    for _ in range(2):
        play_bots(game)
        game = clock_or_turn(game)
    play_bots(game)
    page = page_of(game, ada)
    part = page.partition('id="happened"')[2].partition("</section>")[0]
    tiles = set(re.findall(r"played ([A-J]\d)", part))
    marked = set(re.findall(r'is-new" data-cell="([A-J]\d)"', page))
    assert marked == tiles
    assert tiles
    assert 'class="since"' in page
    log = page.partition('id="log"')[2].partition("<details")[0]
    for tile in tiles:
        assert f"played {tile}" in log


def leads(game: Game, who: str) -> list[str]:
    """What is read before the folded rest."""
    block = news_of(page_of(game, sits(who))).partition('<ul class="leads">')[2].partition("</ul>")[0]
    return [" ".join(words_of(entry).split()) for entry in block.split("<li>")[1:]]


def test_of_each_player_the_weightiest_deed_is_read_in_the_order_of_play() -> None:
    game = new_game("ada", "bob", "cid", ruleset="power_up", pace="daily")
    laid = Table(3).board(eclipse="A0 A1", rufus="A5 A6", neutral="F0").hands(ada="J0", bob="J9 F1", cid="J5 J7")
    put(game, laid.shares("rufus", ada=1, doe=1).position)
    send(game, 0, {"kind": "play_tile", "tile": "J0"})
    send(game, 0, {"kind": "end_turn"})
    send(game, 1, {"kind": "play_tile", "tile": "J9"})
    send(game, 1, {"kind": "play_tile", "tile": "F1", "found": "maniac"})
    read = leads(game, "cid")
    assert read[0].startswith("A ada played J0")
    assert read[1].startswith("B bob founded Maniac Timber")
    assert sum("bob" in line for line in read[:3]) == 1


def test_what_others_gain_from_a_turn_is_no_deed_of_theirs_and_what_the_reader_gains_comes_first() -> None:
    """cid pays a dividend to all: ada reads her share, then what ben and cid did, each with its sum."""
    passes = DeedLine("ben passed.", seat=1, weight=11)
    places = DeedLine("cid placed a partner.", seat=2, weight=51)
    of_ben = DeedLine("ben received a dividend.", "+20", seat=1, weight=59)
    of_cid = DeedLine("cid received a dividend.", "+60", seat=2, weight=59)
    of_ada = DeedLine("You received a dividend.", "+40", tone="good", seat=0, weight=50)
    turns = (Deeds(1, "", (passes,)), Deeds(2, "", (places, of_ben, of_cid, of_ada)))
    news = Happened((), (), "", datetime(2026, 1, 1, tzinfo=UTC), deeds=turns)
    assert news.leads == ((0, of_ada), (1, passes), (2, of_cid))


def test_an_act_without_a_weight_of_its_own_weighs_more_than_a_pass() -> None:
    game = new_game("ada", "bob", "cid", ruleset="big_shoulders", pace="daily")
    while 0 not in fresh(game).waiting_seats or "stock" not in fresh(game).phase_name:
        clock_runs_out(game)
    read = leads(game, "ada")
    assert any("started" in line for line in read), read


def test_a_sale_in_a_merger_has_the_badge_of_the_seller() -> None:
    game = new_game("ada", "bob", ruleset="power_up", pace="daily")
    laid = Table().board(eclipse="A0 B0 C0", rufus="E0 F0").hands(ada="D0", bob="J9").shares("rufus", bob=2)
    put(game, laid.position)
    send(game, 0, {"kind": "play_tile", "tile": "D0"})
    read = leads(game, "bob")
    assert read[0].startswith("B You sold 2 shares of Rufus")
    assert read[1].startswith("A Eclipse Solar takes over Rufus")
    line = news_of(page_of(game, sits("bob"))).partition('class="deeds"')[2].partition("You sold")[0]
    assert words_of(line).split()[-1] == "B"


def play_bots(game: Game) -> None:
    while playing.play_bots(game_id=game.pk):
        continue


def clock_or_turn(game: Game) -> Game:
    """ada plays her first tile and stops as soon as she may."""
    now = fresh(game)
    tile = min(now.load_position().state.hands[0])
    send(now, 0, {"kind": "play_tile", "tile": tile})
    if 0 in fresh(game).waiting_seats:
        send(game, 0, {"kind": "end_turn"})
    return fresh(game)
