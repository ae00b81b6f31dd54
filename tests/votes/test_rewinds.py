"""A moderator asks the players whether to take their game back: it goes back once all who are present agree, and not
while one is missing or declines."""

from datetime import timedelta
from typing import Any

import pytest
from django.db.models.functions import Now
from django.test import Client
from django.urls import reverse

from accounts.limits import TooMany
from accounts.models import User
from game.delivery import notice_sending
from game.engine.actions import Refused
from game.moderation import approvals, interventions, rewind
from game.people import two_people
from game.seats import stand_ins, takeover
from game.store import replay
from game.store.game import Game, Status
from game.store.moderation_models import ApprovalRequest, Intervention, ModeratorAction, number_of
from game.store.proposals import VoteTopic, open_proposal
from game.votes import rewinds, voting
from tests.scenes import by_two, seen
from tests.scenes import moderator as new_moderator
from tests.scenes import person as confirmed
from tests.tables import (
    READY,
    change_proposal,
    clock_runs_out,
    come_back,
    everybody_ready,
    fresh,
    new_game,
    person,
    send,
)

pytestmark = [pytest.mark.django_db]
WHY = "a rule was wrong"


@pytest.fixture
def lena() -> User:
    return new_moderator("Lena", Intervention.REWIND_TO.value)


def played(*names: str) -> Game:
    """A game in its second phase."""
    return everybody_ready(new_game(*(names or ("ada", "bob", "cid")), pace="daily"))


def request_of(game: Game, lena: User) -> ApprovalRequest:
    values: dict[str, Any] = {"moderator": lena, "reason": WHY, "seen": seen(game), "number": 1}
    return two_people.request_game_act(what=Intervention.REWIND_TO, game_id=game.pk, **values)


def asked_of_players(game: Game, lena: User) -> int:
    number = request_of(game, lena).pk
    rewinds.put_to_players(request_id=number, moderator=lena)
    return number


def agrees(game: Game, number: int, *names: str) -> Game:
    for name in names:
        voting.agree(
            topic=VoteTopic.REWIND, game_id=game.pk, user=person(name), number=number_of(ApprovalRequest, number)
        )
    return fresh(game)


def test_it_goes_back_with_the_last_word(lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    assert agrees(game, number, "ada", "bob", "bob").branch == game.branch
    back = agrees(game, number, "cid")
    assert (back.branch, back.turn, back.phase_name) == (game.branch + 1, 1, new_game("dee", "eve").phase_name)
    assert back.proposals == {}
    request = ApprovalRequest.objects.get(pk=number)
    assert (request.answer, request.answered_by) == ("confirmed", None)
    done = ModeratorAction.objects.get(verb="confirmed_request")
    assert (done.user, done.reason) == (lena, "all players agreed")
    assert back.log.get(kind="rewind").user_id == lena.pk
    assert all(check.is_equal for check in replay.replay_game(game=back))


def test_one_who_declines_leaves_it_to_the_moderators(lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    agrees(game, number, "ada", "bob")
    voting.decline(
        topic=VoteTopic.REWIND, game_id=game.pk, user=person("cid"), number=number_of(ApprovalRequest, number)
    )
    assert (fresh(game).proposals, fresh(game).branch) == ({}, game.branch)
    with pytest.raises(Refused, match="no longer open"):
        agrees(game, number, "cid")
    max_ = new_moderator("Max", Intervention.REWIND_TO.value)
    two_people.confirm_about_game(request_id=number, moderator=max_, seen=seen(fresh(game)))
    assert fresh(game).branch == game.branch + 1


def test_the_players_are_asked_once_about_a_rewind_and_about_others_not_without_end(lena: User, settings: Any) -> None:
    settings.LIMITED, settings.LIMITS = True, {"proposal": 3}
    game = played()
    for _ in range(3):
        number = asked_of_players(game, lena)
        vote: Any = {"topic": VoteTopic.REWIND, "game_id": game.pk, "number": number_of(ApprovalRequest, number)}
        voting.decline(user=person("cid"), **vote)
        with pytest.raises(Refused, match="already"):
            rewinds.put_to_players(request_id=number, moderator=lena)
        ApprovalRequest.objects.filter(pk=number).update(answer="withdrawn")
    lines = game.log.count()
    with pytest.raises(TooMany):
        asked_of_players(game, lena)
    assert (fresh(game).proposals, game.log.count()) == ({}, lines)


def test_nobody_alone_makes_the_players_consent_up(lena: User) -> None:
    game = played()
    number = request_of(game, lena).pk
    alone = approvals.Approval(number, None, is_by_players=True)
    ask: dict[str, Any] = {"game_id": game.pk, "moderator": lena, "reason": WHY, "number": 1, "approval": alone}
    for _ in range(2):  # before the players are asked, and before all of them have agreed
        with pytest.raises(Refused, match="The players have not agreed"):
            rewind.rewind_to(seen=seen(fresh(game)), **ask)
        if not fresh(game).proposals:
            rewinds.put_to_players(request_id=number, moderator=lena)
            agrees(game, number, "ada", "bob")


def test_a_player_who_leaves_is_not_waited_for(lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    agrees(game, number, "ada", "bob")
    takeover.resign(game_id=game.pk, user=person("cid"))
    assert fresh(game).branch == game.branch, "somebody who agreed says so once more"
    assert agrees(game, number, "ada").branch == game.branch + 1


def test_a_word_comes_too_late(lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    change_proposal(game, VoteTopic.REWIND, until=game.now)
    with pytest.raises(Refused, match="its time has passed"):
        agrees(game, number, "ada")


def test_whoever_has_no_seat_has_no_word(lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    for stranger in (person("eve"), lena):
        with pytest.raises(Refused, match="You have no seat"):
            voting.agree(
                topic=VoteTopic.REWIND, game_id=game.pk, user=stranger, number=number_of(ApprovalRequest, number)
            )


def test_who_asks_and_about_what(lena: User) -> None:
    game = played()
    number = request_of(game, lena).pk
    with pytest.raises(Refused, match="Only the moderator who asked"):
        rewinds.put_to_players(request_id=number, moderator=new_moderator("Max", Intervention.REWIND_TO.value))
    rewinds.put_to_players(request_id=number, moderator=lena)
    with pytest.raises(Refused, match="asked already"):
        rewinds.put_to_players(request_id=number, moderator=lena)
    approvals.refuse(request_id=number, moderator=lena, reason="not needed after all")
    assert fresh(game).proposals == {}
    other = ApprovalRequest.objects.create(
        what=Intervention.SET_PROXY, game=game, asker=lena, reason=WHY, expires_at=Now() + timedelta(hours=1)
    )
    with pytest.raises(Refused, match="Only a rewind"):
        rewinds.put_to_players(request_id=other.pk, moderator=lena)


def with_cid_away(**fields: Any) -> Game:
    """Ada and Bob decide twice; Cid misses both, so that the caretaker plays for him."""
    game = played()
    Game.objects.filter(pk=game.pk).update(**fields)
    for _ in range(2):
        for seat in (0, 1):
            send(game, seat, READY)
        game = clock_runs_out(game)
    assert game.keepers == {"2": "away"}
    return game


def a_day_passes(game: Game) -> None:
    change_proposal(game, VoteTopic.REWIND, at=fresh(game).now - timedelta(days=1))


def test_it_waits_a_day_for_whoever_is_away(client: Client, lena: User) -> None:
    game = with_cid_away()
    number = asked_of_players(game, lena)
    assert agrees(game, number, "ada", "bob").branch == game.branch
    client.force_login(person("ada"))
    page = shown_to(client, game)
    assert "A player is away and can still come back, so the game does not go back before" in page
    assert "/agree/" not in page[page.index('id="rewind-asked"') : page.index('id="pause-asked"')]
    client.force_login(lena)
    desk = client.get(reverse("admin:game_approvalrequest_change", args=[number])).content.decode()
    assert "Somebody is away: not before" in desk
    a_day_passes(game)
    client.force_login(person("ada"))
    client.post(reverse("agree_to_rewind", args=[game.pk, number_of(ApprovalRequest, number)]))
    assert fresh(game).branch == game.branch + 1


def test_whoever_comes_back_in_that_time_has_a_word(lena: User) -> None:
    game = with_cid_away()
    number = asked_of_players(game, lena)
    agrees(game, number, "ada", "bob")
    come_back(game)
    assert agrees(game, number, "ada").branch == game.branch, "Cid has not answered"
    voting.decline(
        topic=VoteTopic.REWIND, game_id=game.pk, user=person("cid"), number=number_of(ApprovalRequest, number)
    )
    assert (fresh(game).proposals, fresh(game).branch) == ({}, game.branch)


def test_ending_a_game_waits_the_same_way(lena: User) -> None:
    game = with_cid_away()
    voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person("ada"))
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=person("bob"), number=1)
    assert fresh(game).status == Status.RUNNING
    change_proposal(game, VoteTopic.ENDING, at=fresh(game).now - timedelta(days=1))
    voting.agree(topic=VoteTopic.ENDING, game_id=game.pk, user=person("bob"), number=1)
    assert fresh(game).status == Status.ABANDONED


def test_nobody_alone_takes_a_rated_game_back(client: Client, lena: User) -> None:
    game = with_cid_away(is_rated=True)
    number = asked_of_players(game, lena)
    agrees(game, number, "ada")
    takeover.resign(game_id=game.pk, user=person("bob"))
    a_day_passes(game)
    assert agrees(game, number, "ada").branch == game.branch
    client.force_login(person("ada"))
    assert "at least two players must agree, or another moderator" in shown_to(client, game)
    voting.decline(
        topic=VoteTopic.REWIND, game_id=game.pk, user=person("ada"), number=number_of(ApprovalRequest, number)
    )
    with pytest.raises(Refused, match="asked about this rewind already"):
        rewinds.put_to_players(request_id=number, moderator=lena)
    max_ = new_moderator("Max", Intervention.REWIND_TO.value)
    two_people.confirm_about_game(request_id=number, moderator=max_, seen=seen(fresh(game)))
    assert fresh(game).branch == game.branch + 1


def test_nobody_alone_is_asked_about_a_rated_game(lena: User) -> None:
    game = with_cid_away(is_rated=True)
    takeover.resign(game_id=game.pk, user=person("bob"))
    with pytest.raises(Refused, match="only one is present"):
        asked_of_players(game, lena)


def test_a_game_on_hold_is_asked_too_and_one_without_players_is_not(lena: User) -> None:
    game = played("ada", "bob")
    interventions.hold(game_id=game.pk, moderator=new_moderator("Max", "hold"), reason=WHY, seen=seen(game))
    held = fresh(game)
    number = asked_of_players(held, lena)
    back = agrees(held, number, "ada", "bob")
    assert back.branch == game.branch + 1
    deserted = played("ann", "ben")
    Game.objects.filter(pk=deserted.pk).update(keepers={"0": "away", "1": "away"})
    with pytest.raises(Refused, match="No player is present"):
        asked_of_players(fresh(deserted), lena)


def test_it_is_asked_first_on_the_page_and_answered_there(client: Client, lena: User) -> None:
    game = played()
    number = asked_of_players(game, lena)
    client.force_login(person("bob"))
    page = " ".join(client.get(f"/games/{game.pk}/").content.decode().split())
    section = page[page.index('id="rewind-asked"') : page.index('id="pause-asked"')]
    for told in ("Rewind the game to Turn 1", "Moderator Lena asks: a rule was wrong", "Not yet: ada, you and cid"):
        assert told in section
    client.post(reverse("agree_to_rewind", args=[game.pk, number_of(ApprovalRequest, number)]))
    page = " ".join(client.get(f"/games/{game.pk}/").content.decode().split())
    section = page[page.index('id="rewind-asked"') : page.index('id="pause-asked"')]
    assert "You agreed." in section
    assert ("/agree/" in section, "/decline/" in section) == (False, True)
    client.logout()
    assert 'id="rewind-asked-t">' not in client.get(f"/games/{game.pk}/").content.decode()


def test_the_moment_is_told_in_the_reader_s_language(client: Client, lena: User) -> None:
    game = played()
    asked_of_players(game, lena)
    proposal = open_proposal(fresh(game), VoteTopic.REWIND)
    assert (proposal.facts["serial"], proposal.facts["turn"]) == (1, 1)
    bob = person("bob")
    client.force_login(bob)
    assert "Rewind the game to Turn 1, phase 1: Influence bid?" in shown_to(client, game)
    User.objects.filter(pk=bob.pk).update(language="de")
    page = shown_to(client, game)
    assert "Das Spiel auf Runde 1, Phase 1: Einflussgebot zurücksetzen?" in page
    assert "ob das Spiel auf Runde 1, Phase 1: Einflussgebot zurückgesetzt werden soll: a rule was wrong" in page


def shown_to(client: Client, game: Game) -> str:
    pages = [client.get(f"/games/{game.pk}/{part}").content.decode() for part in ("", "log/")]
    return " ".join(" ".join(pages).split())


def test_the_desk_asks_and_shows_who_has_agreed(client: Client, lena: User) -> None:
    game = played()
    number = request_of(game, lena).pk
    client.force_login(lena)
    page = reverse("admin:game_approvalrequest_change", args=[number])
    assert "Ask the players" in client.get(page).content.decode()
    client.post(reverse("admin:second", args=[number, "players"]))
    agrees(game, number, "ada")
    html = " ".join(client.get(page).content.decode().split())
    assert "<dt>Agreed</dt><dd>ada</dd>" in html
    assert "<dt>Not answered yet</dt><dd>bob and cid</dd>" in html
    agrees(game, number, "bob", "cid")
    assert "Confirmed" in client.get(page).content.decode()


def test_players_are_mailed_and_those_who_have_answered_are_not(lena: User, mailoutbox: Any) -> None:
    for name in ("Ada", "Ben"):
        confirmed(name, quiet_from=0, quiet_until=0)
    game = played("Ada", "Ben")
    ada_agrees_and_ben_is_asked(game, lena, mailoutbox)
    (mail,) = mailoutbox
    assert "if every player who is present agrees" in mail.body
    assert fresh(game).status == Status.RUNNING


def test_the_owner_of_a_lent_seat_is_asked_for_their_word(lena: User, mailoutbox: Any) -> None:
    for name in ("Ada", "Ben", "Carla"):
        confirmed(name, quiet_from=0, quiet_until=0)
    game = played("Ada", "Ben")
    values: dict[str, Any] = {"reason": WHY, "seen": seen(game), "seat_number": 1, "username": "Carla", "days": 7}
    by_two(Intervention.SET_PROXY, game_id=game.pk, moderator=new_moderator("Max"), **values)
    number = ada_agrees_and_ben_is_asked(game, lena, mailoutbox)
    assert [answers_offered(game, name) for name in ("Ada", "Ben", "Carla")] == [["decline"], [], []]
    stand_ins.reclaim_seat(game_id=game.pk, user=person("Ben"))
    assert answers_offered(game, "Ben") == ["agree", "decline"]
    assert agrees(game, number, "Ben").branch == game.branch + 1


def answers_offered(game: Game, name: str) -> list[str]:
    """The answers that somebody can give to the rewind on the page of the game."""
    client = Client()
    client.force_login(person(name))
    section = client.get(f"/games/{game.pk}/").content.decode().partition('id="rewind-asked"')[2]
    return [answer for answer in ("agree", "decline") if f"/{answer}/" in section.partition('id="pause-asked"')[0]]


def test_a_game_that_ends_by_agreement_is_told_to_all_but_the_last_word(mailoutbox: Any) -> None:
    for name in ("Ada", "Ben", "Cid"):
        confirmed(name, quiet_from=0, quiet_until=0)
    game = played("Ada", "Ben", "Cid")
    game.notices.all().delete()
    game.log.update(is_told=True)
    for name in ("Ada", "Ben", "Cid"):
        voting.propose(topic=VoteTopic.ENDING, game_id=game.pk, user=person(name))
    assert fresh(game).status == Status.ABANDONED
    notice_sending.send_due_notices()
    assert sorted(mail.to[0] for mail in mailoutbox) == ["ada@example.org", "ben@example.org"]
    for mail in mailoutbox:
        assert mail.subject == "The table is over without a result"
        for words in (mail.body, mail.alternatives[0][0]):
            assert "It ended without a result: nobody is placed." in words
            assert "You finished" not in words


def ada_agrees_and_ben_is_asked(game: Game, lena: User, mailoutbox: Any) -> int:
    """By the only mail that goes out; the number of the request."""
    game.notices.all().delete()
    game.log.update(is_told=True)
    number = asked_of_players(game, lena)
    agrees(game, number, "Ada")
    notice_sending.send_due_notices()
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["ben@example.org"], "The table: rewind the game?")
    return number
