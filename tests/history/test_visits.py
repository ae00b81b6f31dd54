"""Since your last visit: what counts as one, what is told of the time between, and to whom."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from game.boards.outcomes import BAD, GOOD, NEUTRAL, Outcome
from game.bots import playing
from game.delivery.notice_sending import send_due_notices
from game.history.briefings import Briefing, BriefingLine
from game.history.since import Happened
from game.play import drafts
from game.store.game import Game, Seat
from game.store.moderation_models import Intervention
from tests.browser.positions import lay
from tests.rulesets.sectors.table import Table
from tests.scenes import by_two, moderator, seen
from tests.scenes import person as site_person
from tests.scenes import table as site_table
from tests.tables import READY, clock_runs_out, everybody_ready, fresh, new_game, person, send

pytestmark = pytest.mark.django_db
LIVE = {"HX-Request": "true"}
SUMMARY = 4  # queries of the last turn's summary, made once
BUY = {"kind": "market_order", "company": "ACME", "side": "buy", "location": "market"}


def look(client: Client, game: Game, name: str = "ada", **headers: str) -> str:
    client.force_login(person(name))
    answer = client.get(f"/games/{game.pk}/", headers=headers)
    assert answer.status_code == 200
    return str(answer.content.decode())


def briefing(page: str) -> list[str]:
    """The lines of the briefing, and its heading first."""
    block = page.partition('id="briefing"')[2].partition("</section>")[0].partition(">")[2]
    block = block.partition('id="happened-all"')[0]
    rows = [" ".join(re.sub(r"<[^>]+>", " ", part).split()) for part in block.split("<li")]
    return [rows[0], *(line.partition("> ")[2] for line in rows[1:])] if block else []


def seat_of(game: Game, number: int = 0) -> Seat:
    return Seat.objects.get(game=game, number=number)


def time_passes(game: Game, minutes: int) -> None:
    Seat.objects.filter(game=game).update(seen_at=F("seen_at") - timedelta(minutes=minutes))


@pytest.fixture
def market() -> Game:
    """Ada holds three of ACME and has seen it; bob and cid play on."""
    table = Table().seats("ada", "bob", "cid", cash=500).company("ACME", price=47).holdings("ACME", ada=3, bob=1)
    table.company("BOLT", price=20, sector="energy").options(max_sub_rounds=4)
    return lay(table.at("stock_orders").priority("bob", "ada", "cid"))


def two_passes(game: Game) -> None:
    """Bob buys two, cid two more; ada decides nothing."""
    send(game, 1, BUY | {"quantity": 2})
    clock_runs_out(game)
    send(game, 2, BUY | {"quantity": 2})
    clock_runs_out(game)


def test_who_comes_back_is_told_what_matters(client: Client, market: Game) -> None:
    look(client, market)
    two_passes(market)
    head, *lines = briefing(look(client, market))
    assert head.startswith("Since your last visit Today")
    assert 0 < len(lines) <= 7
    assert lines[0].endswith("Your net worth rose from 641 to 665. Prices of your shares +24. +24")
    joined_text = " / ".join(lines)
    assert "You missed 2 decisions. What counted instead: you placed no order." in joined_text
    assert "ACME rose from 47 to" in joined_text
    assert "You can be outvoted in ACME now. You hold 3, the others together 5: bob 3 and cid 2." in joined_text


def test_what_counted_instead_stands_inside_its_sentence_in_german(client: Client, market: Game) -> None:
    User.objects.filter(pk=person("ada").pk).update(language="de")
    look(client, market)
    two_passes(market)
    joined_text = " / ".join(briefing(look(client, market)))
    assert "Du hast 2 Entscheidungen verpasst. Stattdessen galt: Du hast keine Order aufgegeben." in joined_text


def test_what_prices_did_to_shares_bought_meanwhile_is_no_trade(client: Client, market: Game) -> None:
    look(client, market)
    send(market, 0, BUY | {"quantity": 2})
    two_passes(market)
    line = briefing(look(client, market))[1]
    assert "Prices of your shares +" in line
    assert "trades and everything else" not in line


def test_what_went_against_the_reader_is_not_folded() -> None:
    tones = [GOOD, NEUTRAL, GOOD, GOOD, BAD, GOOD, GOOD]
    lines = tuple(
        BriefingLine(Outcome(kind="x", label="", text=str(at), tone=tone), 1, at) for at, tone in enumerate(tones)
    )
    result = Briefing(lines, None)
    for is_asked, shown in ((True, [0, 4]), (False, [0, 1, 2, 4])):
        assert [line.serial for line in result.unfolded(is_asked=is_asked)] == shown
        assert {*result.unfolded(is_asked=is_asked), *result.folded(is_asked=is_asked)} == set(lines)
    outcomes = tuple(line.outcome for line in lines)
    happened = Happened((), outcomes, "", datetime.now(UTC))
    assert [outcome.text for outcome in happened.first] == ["4"]
    assert {*happened.first, *happened.rest} == set(outcomes)


def test_each_line_leads_to_its_place(client: Client, market: Game) -> None:
    look(client, market)
    two_passes(market)
    links = re.findall(r'href="(/games/\d+/outcomes/)\?turn=(\d+)#(p-\d+)"', look(client, market))
    assert links
    for path, turn, anchor in links:
        assert f'id="{anchor}"' in client.get(path, {"turn": turn}).content.decode()


def test_it_stands_until_it_is_put_away(client: Client, market: Game) -> None:
    look(client, market)
    two_passes(market)
    first = briefing(look(client, market))
    assert briefing(look(client, market)) == first, "to load the page again takes nothing away"
    assert client.post(f"/games/{market.pk}/briefing/away/").status_code == 302
    assert briefing(look(client, market)) == []
    assert "You can be outvoted" not in look(client, market)
    assert client.get(f"/games/{market.pk}/briefing/away/").status_code == 405
    client.force_login(person("eve"))
    assert client.post(f"/games/{market.pk}/briefing/away/").status_code == 404


def test_one_resolution_is_no_absence_unless_it_took_long(client: Client, market: Game) -> None:
    look(client, market)
    clock_runs_out(market)
    assert briefing(look(client, market)) == []
    clock_runs_out(market)
    time_passes(market, 31)
    assert briefing(look(client, market))


def test_who_watches_is_not_away(client: Client, market: Game) -> None:
    """The page's own script asks while it is in sight; what it fetches out of sight nobody has seen."""
    look(client, market)
    for _ in range(3):
        clock_runs_out(market)
        assert briefing(look(client, market, **LIVE, **{"X-Visible": "watching"})) == []
    assert briefing(look(client, market)) == []


def test_what_arrives_out_of_sight_is_not_seen(client: Client, market: Game) -> None:
    look(client, market)
    shown = seat_of(market).seen_version
    two_passes(market)
    look(client, market, **LIVE)
    look(client, market, **{"Sec-Purpose": "prefetch;prerender"})
    client.head(f"/games/{market.pk}/")
    client.get(f"/games/{market.pk}/version/")
    assert seat_of(market).seen_version == shown
    assert briefing(look(client, market, **LIVE, **{"X-Visible": "returned"}))
    assert seat_of(market).seen_version == fresh(market).version


def test_a_page_that_did_not_change_is_seen_when_it_comes_into_sight(client: Client, market: Game) -> None:
    look(client, market)
    clock_runs_out(market)
    client.force_login(person("ada"))
    tag = client.get(f"/games/{market.pk}/", headers=LIVE)["ETag"]
    again = client.get(f"/games/{market.pk}/", headers={**LIVE, "If-None-Match": tag, "X-Visible": "watching"})
    assert again.status_code == 304
    assert seat_of(market).seen_version == fresh(market).version


def test_nobody_s_look_counts_for_another(client: Client, market: Game) -> None:
    for name in ("bob", "eve"):
        look(client, market, name)
    assert [seat_of(market, number).seen_version > 0 for number in range(3)] == [False, True, False]


def test_who_has_never_been_there_is_told_since_the_beginning(client: Client) -> None:
    game = new_game("ada", "bob")
    for _ in range(2):
        send(game, 0, READY)
        clock_runs_out(game)
    head, *lines = briefing(look(client, game, "bob"))
    assert head.startswith("Since the game began")
    assert "missed" in " ".join(lines)


def test_a_draft_that_was_submitted_is_told(client: Client, market: Game) -> None:
    look(client, market)
    serial = fresh(market).phase_serial
    drafts.save_draft(seat=seat_of(market), serial=serial, requests=[BUY | {"quantity": 1}])
    clock_runs_out(market)
    clock_runs_out(market)
    joined_text = " / ".join(briefing(look(client, market)))
    assert "The draft you had saved was submitted for you at the deadline." in joined_text
    assert "You bought 1 ACME" in joined_text
    assert "Shares bought −47" in joined_text


def test_a_seat_that_changes_hands_begins_anew(client: Client, market: Game) -> None:

    look(client, market)
    two_passes(market)
    person("fay")
    by_two(
        Intervention.HAND_SEAT_TO_USER,
        game_id=market.pk,
        moderator=moderator("mod"),
        reason="gone",
        seen=seen(market),
        seat_number=0,
        username="fay",
    )
    assert briefing(look(client, market, "fay")) == []


# --- cost


def test_nothing_unseen_costs_no_query_and_the_rest_a_constant(client: Client, market: Game) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            client.get(f"/games/{market.pk}/")
        return len([q for q in caught if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))])

    look(client, market)
    plain = queries()
    send(market, 1, READY)
    clock_runs_out(market)
    assert queries() == plain + 2, "one that asks what opened, one that notes the visit"
    assert queries() == plain
    counts = []
    for _ in range(2):
        for _ in range(2):
            send(market, min(fresh(market).waiting_seats), READY)
            clock_runs_out(market)
        counts.append(queries())
    first, later = counts
    assert first == later + SUMMARY
    assert later <= plain + 6


# --- secrets


def test_a_briefing_holds_nothing_of_another_s(client: Client, market: Game) -> None:
    """Bob's miss and cid's draft are their own."""
    look(client, market)
    look(client, market, "bob")
    drafts.save_draft(seat=seat_of(market, 2), serial=fresh(market).phase_serial, requests=[BUY | {"quantity": 1}])
    clock_runs_out(market)
    send(market, 0, READY)
    everybody_ready(market)
    ada, bob, cid = (" ".join(briefing(look(client, market, name))) for name in ("ada", "bob", "cid"))
    assert "draft" in cid
    assert "draft" not in ada + bob
    assert briefing(look(client, market, "eve")) == []
    with pytest.raises(Seat.DoesNotExist):
        Seat.objects.get(game=market, user__username="eve")


# --- mail


def test_the_same_lines_open_the_email(client: Client, mailoutbox: Any) -> None:
    """Each of two people is told their own."""
    ada, bob = site_person("ada"), site_person("bob")
    game = site_table(ada, bob, bots=1)
    send_due_notices()
    for user in (ada, bob):
        client.force_login(user)
        assert client.get(f"/games/{game.pk}/").status_code == 200
    before = len(mailoutbox)
    for seat in (0, 1):
        send(game, seat, {"kind": "bid_influence", "points": 20 + seat})
    play_on_to(game, "stock_orders")
    send_due_notices()
    mails = {mail.to[0]: mail for mail in mailoutbox[before:]}
    text, other = mails["ada@example.org"].body, mails["bob@example.org"].body
    assert text.startswith("Since your last visit, ")
    assert "You bid 20 influence points" in text
    assert "You bid 21" not in text
    assert "You bid 21 influence points" in other
    lines = [line for line in text.split("\n\n")[0].splitlines() if line.startswith("  - ")]
    assert 0 < len(lines) <= 7
    page = " ".join(briefing(str(client.get(f"/games/{game.pk}/").content.decode()))) or happened_text(client, game)
    assert "You bid 21 influence points" in page
    html = mails["ada@example.org"].alternatives[0][0]
    assert f"/games/{game.pk}/outcomes/?turn=" in html


def happened_text(client: Client, game: Game) -> str:
    page = client.get(f"/games/{game.pk}/").content.decode()
    return re.sub(r"<[^>]+>", " ", page.partition('id="happened"')[2].partition("</section>")[0])


def play_on_to(game: Game, phase: str) -> None:
    for _ in range(20):
        if fresh(game).phase_name == phase:
            return
        if not playing.play_bots(game_id=game.pk):
            clock_runs_out(game)
    raise AssertionError(phase)
