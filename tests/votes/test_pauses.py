"""Players pause their game by vote, let it go on, and take more time for a phase: bounded, and once however often it is
asked."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client

from game.clock import extensions, play_times, sweep
from game.deadlines.phase_clock import read_clock
from game.delivery import notice_sending
from game.engine.actions import Refused
from game.moderation import interventions, rewind
from game.play import clocks
from game.seats import takeover
from game.store.game import Game, Status
from game.store.log import Kind
from game.store.proposals import VoteTopic, open_proposal
from game.votes import pauses, voting
from tests.scenes import moderator as new_moderator
from tests.scenes import person as confirmed
from tests.scenes import rewind_by_two, seen
from tests.tables import READY, change_proposal, clock_runs_out, everybody_ready, fresh, new_game, person, send

pytestmark = [pytest.mark.django_db]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
A_MOMENT = timedelta(seconds=20)


def daily(*names: str, **more: object) -> Game:
    return new_game(*(names or ("ada", "bob", "cid")), pace="daily", **more)


def proposes(game: Game, *names: str) -> Game:
    """The first proposes, the others agree."""
    for name in names:
        voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person(name))
    return fresh(game)


def notes(game: Game) -> list[str]:
    return list(game.log.filter(kind=Kind.PAUSE).order_by("number").values_list("note", flat=True))


def lasted(game: Game, length: timedelta) -> None:
    """The pause began so long ago."""
    now = fresh(game)
    clock = read_clock(now.clock)
    since, _, is_voted = clock.pauses[-1]
    moved = {**now.clock, "pauses": [[(since - length).isoformat(), None, is_voted]]}
    start = (clock.start - length).isoformat()
    pause = {**now.pause, "since": (since - length).isoformat()}
    Game.objects.filter(pk=game.pk).update(
        pause=pause, clock={**moved, "start": start}, pause_ends_at=now.pause_ends_at - length
    )


def test_more_than_half_pause_a_game() -> None:
    game = daily()
    left = game.deadline_at - game.now
    assert proposes(game, "ada").status == Status.RUNNING
    paused = proposes(game, "bob")
    assert (paused.status, paused.deadline_at) == (Status.PAUSED, None)
    assert abs(paused.pause_ends_at - paused.now - 7 * DAY) < A_MOMENT
    assert abs(paused.paused_left - left) < A_MOMENT
    assert notes(game) == [
        "ada proposed to pause the game.",
        "bob agrees to pause the game.",
        "The players paused the game for 168 hours, or until they agree to continue.",
    ]
    with pytest.raises(Refused, match="The players paused this game"):
        send(game, 0, READY)


def test_who_declines_is_noted_and_may_still_agree() -> None:
    game = daily()
    number = proposes(game, "ada").proposals_made
    for _ in range(2):
        voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("bob"), number=number)
    proposal = open_proposal(fresh(game), VoteTopic.PAUSE)
    assert (proposal.agreed, proposal.declined) == ((0,), (1,))
    voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("bob"), number=number)
    assert fresh(game).status == Status.PAUSED
    assert notes(game)[1:3] == ["bob does not agree to pause the game.", "bob agrees to pause the game."]


@pytest.mark.parametrize(("names", "enough"), [(("ada", "bob"), ["bob"]), (("ada", "bob", "cid"), ["bob", "cid"])])
def test_a_proposal_lapses_when_too_few_are_left_to_agree(names: tuple[str, ...], enough: list[str]) -> None:
    game = daily(*names)
    number = proposes(game, "ada").proposals_made
    for name in enough:
        assert open_proposal(fresh(game), VoteTopic.PAUSE) is not None
        voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person(name), number=number)
    assert (open_proposal(fresh(game), VoteTopic.PAUSE), fresh(game).status) == (None, Status.RUNNING)
    assert notes(game)[-1] == "Too many players declined the pause. The clock runs on."
    with pytest.raises(Refused, match="This proposal is no longer open"):
        voting.agree(
            topic=VoteTopic.PAUSE,
            game_id=game.pk,
            user=person(names[-1]),
            number=number,
        )


def test_a_pause_that_is_declined_to_end_lasts_on() -> None:
    game = daily("ada", "bob")
    proposes(game, "ada", "bob")
    number = proposes(game, "ada").proposals_made
    voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("bob"), number=number)
    assert (open_proposal(fresh(game), VoteTopic.PAUSE), fresh(game).status) == (None, Status.PAUSED)
    assert notes(game)[-1] == "Too many players declined to continue the game. The pause goes on."


def test_those_who_are_asked_see_it_first_on_the_page(client: Client) -> None:
    game = daily()
    number = proposes(game, "ada").proposals_made
    client.force_login(person("bob"))
    page = client.get(f"/games/{game.pk}/").content.decode()
    part = page[page.index('id="pause-asked"') : page.index('id="happened"')]
    for told in ("ada proposes to pause the game.", "Agreed: 1 of the 2 needed.", "stops for up to 7 days"):
        assert told in " ".join(part.split())
    client.post(f"/games/{game.pk}/pause/{number}/decline/")
    page = client.get(f"/games/{game.pk}/").content.decode()
    assert "You declined." in " ".join(page.split())
    part = page[page.index('id="pause-asked"') : page.index('id="happened"')]
    assert "<form" not in part


def test_where_somebody_leaves_those_who_agreed_are_enough(client: Client) -> None:
    """Two of four were too few; of three they are more than half, and one of them says it once more."""
    game = daily("ada", "bob", "cid", "dan")
    number = proposes(game, "ada", "bob").proposals_made
    agree_url = f"/games/{game.pk}/pause/{number}/agree/"
    client.force_login(person("bob"))
    assert agree_url not in client.get(f"/games/{game.pk}/").content.decode()
    takeover.resign(game_id=game.pk, user=person("dan"))
    assert agree_url in client.get(f"/games/{game.pk}/").content.decode()
    client.post(agree_url)
    assert fresh(game).status == Status.PAUSED


def test_whoever_has_left_counts_among_nobody_who_agreed(client: Client) -> None:
    game = daily("ada", "bob", "cid", "dan")
    proposes(game, "ada", "bob")
    takeover.resign(game_id=game.pk, user=person("bob"))
    client.force_login(person("cid"))
    assert "Agreed: 1 of the 2 needed." in " ".join(client.get(f"/games/{game.pk}/").content.decode().split())


def test_two_of_two_must_agree_and_bots_do_not_vote() -> None:
    game = daily("ada", "bob", bots=4)
    assert proposes(game, "ada").status == Status.RUNNING
    assert proposes(game, "bob").status == Status.PAUSED


def test_the_players_let_it_go_on_with_the_time_that_was_left() -> None:
    game = daily()
    proposes(game, "ada", "bob")
    lasted(game, 5 * HOUR)
    on = proposes(game, "cid", "ada")
    assert (on.status, on.pause_ends_at, on.paused_left) == (Status.RUNNING, None, None)
    assert abs(on.deadline_at - on.now - DAY) < A_MOMENT
    assert abs(on.pause["used"] - 5 * 3600) < 20
    worked_out = clocks.end_of(on, clocks.length_of(on))
    assert abs(worked_out - on.deadline_at) < timedelta(milliseconds=5), "the pure function says the same"


def test_a_pause_ends_by_itself_and_all_of_them_are_limited() -> None:
    game = daily()
    for _ in range(2):
        proposes(game, "ada", "bob")
        lasted(game, 7 * DAY)
        sweep.sweep()
        assert fresh(game).status == Status.RUNNING
        assert notes(game)[-1] == "The pause is over. The clock runs again."
    with pytest.raises(Refused, match="for as long as its players may"):
        proposes(game, "ada")
    assert fresh(game).is_running


@pytest.mark.parametrize("is_away", [False, True])
def test_nobody_finds_the_phase_closing_when_a_pause_ends_by_itself(*, is_away: bool) -> None:
    game = daily()
    if is_away:
        first = game.now.date() + 30 * DAY
        play_times.declare_vacation(user=person("bob"), first=first, last=first)
    soon = {"clock_since": Now() + timedelta(minutes=10) - DAY, "deadline_at": Now() + timedelta(minutes=10)}
    Game.objects.filter(pk=game.pk).update(**soon, clock={})
    proposes(game, "ada", "bob")
    lasted(game, 7 * DAY)
    sweep.sweep()
    on = fresh(game)
    assert on.status == Status.RUNNING
    assert abs(on.deadline_at - on.now - HOUR) < A_MOMENT
    assert abs(clocks.end_of(on, clocks.length_of(on)) - on.deadline_at) < timedelta(milliseconds=5)


def test_a_pause_that_is_not_over_is_left_alone() -> None:
    game = daily()
    proposes(game, "ada", "bob")
    sweep.sweep()
    assert fresh(game).status == Status.PAUSED
    assert not pauses.end_due(game_id=game.pk)


def test_agreeing_twice_counts_once_and_an_old_proposal_is_no_more() -> None:
    game = daily()
    ada, bob = person("ada"), person("bob")
    assert proposes(game, "ada", "ada").is_running
    number = open_proposal(fresh(game), VoteTopic.PAUSE).number
    voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=ada, number=number)
    assert fresh(game).is_running
    voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=bob, number=number)
    assert fresh(game).status == Status.PAUSED
    with pytest.raises(Refused, match="no longer open"):
        voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=bob, number=number)
    late = proposes(game, "ada").proposals_made
    change_proposal(game, VoteTopic.PAUSE, until=game.now - DAY)
    with pytest.raises(Refused, match="its time has passed"):
        voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=bob, number=late)


def test_strangers_and_games_without_a_clock_have_nothing_to_pause() -> None:
    with pytest.raises(Refused, match="no seat"):
        voting.propose(topic=VoteTopic.PAUSE, game_id=daily().pk, user=person("eve"))
    alone = new_game("ada", bots=2, pace="daily")
    with pytest.raises(Refused, match="No clock runs"):
        voting.propose(topic=VoteTopic.PAUSE, game_id=alone.pk, user=person("ada"))


def test_what_a_moderator_paused_only_a_moderator_resumes() -> None:
    game, lena = daily(), new_moderator("Lena")
    interventions.pause(game_id=game.pk, moderator=lena, reason="a question", seen=seen(game))
    with pytest.raises(Refused, match="A moderator paused"):
        proposes(game, "ada")
    interventions.resume(game_id=game.pk, moderator=lena, reason="answered", seen=seen(game))
    proposes(game, "ada", "bob")
    interventions.resume(game_id=game.pk, moderator=lena, reason="enough", seen=seen(game))
    on = fresh(game)
    assert (on.status, on.pause_ends_at) == (Status.RUNNING, None)
    interventions.pause(game_id=game.pk, moderator=lena, reason="again", seen=seen(game))
    sweep.sweep()
    assert fresh(game).status == Status.PAUSED, "no end is left over from the players' pause"


def test_a_pause_of_a_moderator_costs_the_players_neither_their_proposal_nor_their_time() -> None:
    game, lena = daily(), new_moderator("Lena")
    before = proposes(game, "ada")
    interventions.pause(game_id=game.pk, moderator=lena, reason="a question", seen=seen(game))
    interventions.resume(game_id=game.pk, moderator=lena, reason="answered", seen=seen(game))
    after = fresh(game)
    assert (after.proposals, after.pause) == (before.proposals, before.pause)


def test_a_rewind_ends_a_pause_and_what_was_proposed_in_it() -> None:
    """The game runs: nobody can let it go on once more and so begin its phase anew."""
    game = daily("ada", "bob")
    proposes(game, "ada", "bob")
    lasted(game, HOUR)
    number = proposes(game, "ada").proposals_made
    moment = rewind.moments_of(fresh(game))[-1]
    fields: dict[str, Any] = {"game_id": game.pk, "moderator": new_moderator("Lena"), "reason": "a slip"}
    rewind_by_two(**fields, seen=seen(game), number=moment.number)
    now = fresh(game)
    assert (now.status, open_proposal(now, VoteTopic.PAUSE), now.pause_ends_at) == (Status.RUNNING, None, None)
    assert now.pause["used"] == pytest.approx(HOUR.total_seconds(), abs=20)
    with pytest.raises(Refused, match="no longer open"):
        voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("bob"), number=number)


def test_a_player_takes_more_time_once_however_often_it_is_sent() -> None:
    game = daily()
    for _ in range(3):
        extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial)
    now = fresh(game)
    assert now.deadline_at - game.deadline_at == 12 * HOUR
    assert notes(game) == ["ada needs more time: this phase is extended by 12 hours."]
    assert clocks.end_of(now, clocks.length_of(now)) == now.deadline_at
    extensions.extend(game_id=game.pk, user=person("bob"), serial=game.phase_serial)
    with pytest.raises(Refused, match="cannot be extended any further"):
        extensions.extend(game_id=game.pk, user=person("cid"), serial=game.phase_serial)
    assert fresh(game).deadline_at - game.deadline_at == DAY
    assert fresh(clock_runs_out(game)).clock == {}, "a new phase begins anew"


def test_nobody_takes_time_for_a_phase_that_is_not_theirs() -> None:
    game = daily()
    with pytest.raises(Refused, match="phase has closed"):
        extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial + 1)
    with pytest.raises(Refused, match="no seat"):
        extensions.extend(game_id=game.pk, user=person("eve"), serial=game.phase_serial)
    send(game, 0, READY)
    with pytest.raises(Refused, match="no decision"):
        extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial)
    Game.objects.filter(pk=game.pk).update(deadline_at=Now() - timedelta(seconds=1))
    with pytest.raises(Refused, match="deadline has passed"):
        extensions.extend(game_id=game.pk, user=person("bob"), serial=game.phase_serial)
    with pytest.raises(Refused, match="deadline has passed"):
        voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("bob"))
    live = new_game("ada", "bob", pace="live")
    with pytest.raises(Refused, match="cannot be given"):
        extensions.extend(game_id=live.pk, user=person("ada"), serial=live.phase_serial)


def test_more_time_outlasts_a_pause() -> None:
    game = daily()
    extensions.extend(game_id=game.pk, user=person("ada"), serial=game.phase_serial)
    proposes(game, "ada", "bob")
    lasted(game, HOUR)
    on = proposes(game, "ada", "bob")
    assert abs(on.deadline_at - on.now - 36 * HOUR) < A_MOMENT


def test_the_page_offers_both_and_posts_do_them(client: Client) -> None:
    game = daily()
    client.force_login(person("ada"))
    page = client.get(game.get_absolute_url()).content.decode()
    assert "Take 12 hours more" in page
    assert "Then the clock stops for up to 7 days." in page
    assert client.post(f"/games/{game.pk}/extend/{game.phase_serial}/").status_code == 302
    assert client.post(f"/games/{game.pk}/pause/").status_code == 302
    page = client.get(game.get_absolute_url()).content.decode()
    assert "You propose to pause the game." in page
    assert "You agreed." in page
    assert "more</button>" not in page
    bob = Client()
    bob.force_login(person("bob"))
    assert "Agree</button>" in bob.get(game.get_absolute_url()).content.decode()
    assert bob.post(f"/games/{game.pk}/pause/1/agree/").status_code == 302
    assert "It continues" in bob.get(game.get_absolute_url()).content.decode()
    assert bob.post(f"/games/{game.pk}/pause/1/agree/").status_code == 409
    assert client.post(f"/games/{game.pk}/extend/{game.phase_serial}/").status_code == 409
    assert "The clock</h2>" not in Client().get(game.get_absolute_url()).content.decode()


def test_a_phase_that_everybody_closes_goes_on_as_ever_after_a_pause() -> None:
    game = daily("ada", "bob")
    proposes(game, "ada", "bob")
    proposes(game, "ada", "bob")
    later = everybody_ready(game)
    assert later.phase_serial > game.phase_serial
    assert later.clock == {}


def told(game: Game) -> list[tuple[str, str]]:
    rows = game.notices.filter(kind__in=["vote", "paused", "resumed"]).order_by("pk")
    return [(notice.kind, notice.user.username) for notice in rows]


def test_a_pause_is_told_by_mail_to_those_who_did_not_make_it(mailoutbox: Any) -> None:
    for name in ("Ada", "Ben", "Cid"):
        confirmed(name, quiet_from=0, quiet_until=0)
    game = new_game("Ada", "Ben", "Cid", pace="daily")
    game.notices.all().delete()
    game.log.update(is_told=True)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ada"))
    assert told(game) == [("vote", "Ben"), ("vote", "Cid")]
    assert notice_sending.send_due_notices() == 2
    assert {mail.subject for mail in mailoutbox} == {"The table: pause the game?"}
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ben"))
    notice_sending.send_due_notices()
    paused = [mail for mail in mailoutbox if mail.subject == "The table is paused"]
    assert {mail.to[0] for mail in paused} == {"ada@example.org", "cid@example.org"}
    assert "goes on earlier" in paused[0].body
    lasted(game, 8 * DAY)
    assert pauses.end_due(game_id=game.pk)
    notice_sending.send_due_notices()
    on = [mail for mail in mailoutbox if mail.subject == "The table goes on"]
    assert len(on) == 3
    assert "The deadline is now" in on[0].body
    assert len(mailoutbox) == 7


def test_nobody_is_asked_who_has_answered_or_after_it_was_withdrawn(mailoutbox: Any) -> None:
    for name in ("Ada", "Ben", "Cid", "Dan", "Eve"):
        confirmed(name, quiet_from=0, quiet_until=0)
    game = new_game("Ada", "Ben", "Cid", "Dan", "Eve", pace="daily")
    game.notices.all().delete()
    game.log.update(is_told=True)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ada"))
    number = open_proposal(fresh(game), VoteTopic.PAUSE).number
    voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ben"), number=number)
    voting.decline(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Cid"), number=number)
    notice_sending.send_due_notices()
    assert {mail.to[0] for mail in mailoutbox} == {"dan@example.org", "eve@example.org"}
    with pytest.raises(Refused, match="Only the player who made a proposal"):
        voting.withdraw(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ben"), number=number)
    voting.withdraw(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ada"), number=number)
    assert open_proposal(fresh(game), VoteTopic.PAUSE) is None
    assert notes(game)[-1] == "Ada withdrew the proposal to pause the game."
    with pytest.raises(Refused, match="no longer open"):
        voting.agree(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Dan"), number=number)
    voting.propose(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ada"))
    voting.withdraw(topic=VoteTopic.PAUSE, game_id=game.pk, user=person("Ada"), number=number + 1)
    assert notice_sending.send_due_notices() == 0, "what is withdrawn is not asked"


def test_a_quick_game_mails_no_pauses() -> None:
    game = new_game("ada", "bob", "cid", pace="live")
    proposes(game, "ada", "bob")
    assert told(game) == []
