"""The desk, attacked by its own staff: what a list, a search, a filter or an action would tell or do beyond one's
role."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts import guests
from accounts.models import Bounce, User
from game.engine.actions import Refused
from game.lobby import inviting, lobby
from game.moderation import interventions
from game.people import account_closure, identity
from game.store.game import Seat
from game.store.log import Notice
from game.store.moderation_models import Intervention, ModeratorAction
from tests.scenes import moderator, of_role, person, table

pytestmark = pytest.mark.django_db
LISTS = [
    "accounts_user", "accounts_bounce", "accounts_guest", "game_game", "game_case", "game_approvalrequest",
    "game_notice", "game_moderatoraction", "game_loggedaction", "game_report",
]  # fmt: skip


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(person("Lena", is_staff=True, is_superuser=True))
    return client


@pytest.mark.parametrize("name", LISTS)
def test_a20_a_search_for_thousands_of_words_breaks_no_list(root: Client, name: str) -> None:
    assert root.get(reverse(f"admin:{name}_changelist"), {"q": "a " * 3000}).status_code == 200


@pytest.mark.parametrize("ticked", ["abc", "", "1.5", "²", "-1", "9" * 19, "9" * 5000])
def test_a20_what_is_no_row_cannot_be_ticked(root: Client, ticked: str) -> None:
    Bounce.objects.create(address="ben@example.org", why="unknown", words="550 no such mailbox")
    sent = {"action": "lift", "_selected_action": ticked, "reason": "why"}
    answer = root.post(reverse("admin:accounts_bounce_changelist"), sent)
    assert answer.status_code == 400
    assert Bounce.objects.count() == 1


@pytest.mark.embedded
def test_a20_a_number_that_no_column_holds_breaks_nothing(root: Client) -> None:
    number = "9" * 25
    for name, asked in (("case", "severity__in"), ("case", "people__id__exact"), ("game", "host__id__exact")):
        answer = root.get(reverse(f"admin:game_{name}_changelist"), {asked: f"1,{number}"})
        assert answer.status_code in {302, 400}
    powers = reverse("admin:change_powers", args=[person("Ben").pk])
    for field in ("groups", "permissions"):
        assert root.post(powers, {"reason": "why", field: [number]}).status_code == 422


def test_a20_nobody_learns_from_a_filter_what_is_planned_about_them() -> None:
    """The record leaves out what is about its reader; so does the list of what can be filtered for."""
    mona, lena = of_role("Mona", "moderator"), moderator("Lena")
    interventions.record(None, lena, Intervention.CLOSE_ACCOUNT, "why", user=mona.username)
    interventions.record(None, lena, Intervention.SET_BANNER, "why")
    client = Client()
    client.force_login(mona)
    page = client.get(reverse("admin:game_moderatoraction_changelist")).content.decode()
    assert f"?verb={Intervention.SET_BANNER.value}" in page
    assert Intervention.CLOSE_ACCOUNT.value not in page
    assert ModeratorAction.objects.count() == 2


def test_a20_no_list_of_choices_counts_what_is_hidden(root: Client) -> None:
    """Django's completion gives the keys of rows, whose gaps count the cases that its reader may not see."""
    fields = {"app_label": "game", "model_name": "casenote", "field_name": "case", "term": ""}
    assert root.get("/admin/autocomplete/", fields).status_code == 404


def test_a20_staff_do_not_read_who_is_invited(root: Client) -> None:
    game = lobby.create_game(host=person("Ada"), name="Tuesday", seats=3, pace="daily", is_open=False)
    inviting.invite(game_id=game.pk, user=game.host, person=person("Ben").username)
    notice = Notice.objects.get(kind=Notice.Kind.INVITED)
    Notice.objects.filter(pk=notice.pk).update(trouble="550 no such mailbox")
    pages = (
        reverse("admin:game_notice_changelist"),
        reverse("admin:game_notice_changelist") + "?q=Ben",
        reverse("admin:game_game_change", args=[game.pk]),
    )
    for page in pages:
        assert "Ben" not in root.get(page).content.decode().replace('value="Ben"', "").replace("q=Ben", "")
    assert root.get(reverse("admin:game_notice_change", args=[notice.pk])).status_code in {302, 404}


def test_a20_staff_read_no_troubles_of_mail_in_a_game_of_their_own(client: Client) -> None:
    lena, ben = moderator("Lena"), person("Ben")
    game = table(lena, ben)
    seat, trouble = Seat.objects.get(game=game, user=ben), "read on the board just now"
    Notice.objects.create(
        game=game, seat=seat, user=ben, kind=Notice.Kind.TURN, serial=1, due_at=game.now, trouble=trouble
    )
    client.force_login(lena)
    for page in (reverse("admin:game_notice_changelist"), reverse("admin:game_game_change", args=[game.pk])):
        assert trouble not in client.get(page).content.decode()
    client.force_login(moderator("Mona"))
    assert trouble in client.get(reverse("admin:game_notice_changelist")).content.decode()


@pytest.mark.parametrize(
    "page", ["close_account", "change_identity", "take_second_factor", "change_powers", "person_desk"]
)
def test_a20_a_guest_is_no_account_to_act_on(root: Client, page: str) -> None:
    guest = guests.new_guest()
    assert root.get(reverse(f"admin:{page}", args=[guest.pk])).status_code == 404


def test_a20_no_service_of_the_desk_acts_on_a_guest() -> None:
    guest, lena = guests.new_guest(), moderator("Lena")
    who: dict[str, Any] = {"user_id": guest.pk, "moderator": lena, "reason": "why"}
    seen = identity.identity_of(guest)
    for act in (
        lambda: identity.change_identity(**who, seen=seen, wanted=seen._replace(username="Bob")),
        lambda: account_closure.request_closure(**who),
        lambda: identity.request_factor_removal(**who),
    ):
        with pytest.raises(Refused, match="no open account"):
            act()
    assert User.objects.get(pk=guest.pk).username == guest.username
