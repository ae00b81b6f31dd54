"""Who may do what, and what nobody else can tell: every operation for every kind of token, and answers byte by byte."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts import api_tokens
from accounts.models import ApiToken, User
from game.bots import accounts
from game.lobby import lobby
from game.seats import takeover
from game.store.game import Game
from tests.api.clients import Program
from tests.api.operations import Place, check_promised, every_operation, path_of
from tests.scenes import moderator
from tests.tables import fresh, new_game, person, send

pytestmark = [pytest.mark.django_db]

# For an open game that is played: nobody, a stranger's token, a rival's, one’s own, a moderator's, one that may only
# read, one that may read nothing, and one that has expired. 2 stands for an answer, 4 for a refusal that depends on the
# game and not on the right.
ROLES = ("nobody", "stranger", "rival", "own", "moderator", "reading", "blind", "expired")
OPEN = (2, 2, 2, 2, 2, 2, 2, 401)
OWN = (401, 2, 2, 2, 2, 2, 403, 401)
HOOK = (401, 404, 404, 404, 404, 403, 403, 401)
EXPECTED: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("list_rulesets", "get_ruleset", "get_ruleset_schema", "get_problem", "get_openapi"), OPEN),
    **dict.fromkeys(
        ("list_games", "get_game", "get_position", "get_log", "find_people", "get_person", "get_leaderboard"), OPEN
    ),
    "get_draws": (409, 409, 409, 409, 409, 409, 409, 401),
    "get_results": (409, 409, 409, 409, 409, 409, 409, 401),
    "get_offers": (401, 403, 2, 2, 403, 2, 403, 401),
    **dict.fromkeys(("list_history", "get_course", "get_tables", "get_turn"), OPEN),
    **dict.fromkeys(("get_ledger", "get_story"), (409, 409, 409, 409, 409, 409, 409, 401)),
    "list_outcomes": (401, 403, 2, 2, 403, 2, 403, 401),
    "list_free_seats": OWN,
    "explain_figure": (404, 404, 404, 404, 404, 404, 404, 401),  # the toy has no figure that is explained
    "get_moment": OPEN,
    "get_chat": (403, 403, 2, 2, 403, 2, 403, 401),
    "say": (401, 403, 2, 2, 403, 403, 403, 401),
    "get_stream": OWN,
    "get_me": OWN,
    "list_decisions": OWN,
    "list_invitations": OWN,
    # Of a webhook that nobody here has; whoever may ask is told that it is not there.
    "list_webhooks": (401, 2, 2, 2, 2, 403, 403, 401),
    "add_webhook": (401, 2, 2, 2, 2, 403, 403, 401),
    **dict.fromkeys(
        (
            "get_webhook",
            "change_webhook",
            "remove_webhook",
            "change_webhook_secret",
            "check_webhook",
            "list_deliveries",
        ),
        HOOK,
    ),
    "send_delivery_again": HOOK,
    "get_token": (401, 2, 2, 2, 2, 2, 2, 401),
    "create_game": (401, 422, 422, 422, 422, 403, 403, 401),
    "make_move": (401, 403, 422, 422, 403, 403, 403, 401),
    "take_seat": (401, 409, 409, 409, 409, 403, 403, 401),
    "take_over_seat": (401, 409, 2, 2, 409, 403, 403, 401),
    "leave_seat": (401, 403, 409, 409, 403, 403, 403, 401),
    "abandon_game": (401, 403, 403, 409, 403, 403, 403, 401),
    "start_game": (401, 409, 409, 409, 409, 403, 403, 401),
    "take_seat_back": (401, 403, 2, 2, 403, 403, 403, 401),
    "give_seat_back": (401, 403, 403, 403, 403, 403, 403, 401),  # nobody plays for somebody
    **dict.fromkeys(("get_rulebook", "get_rule"), (404, 404, 404, 404, 404, 404, 404, 401)),  # the toy has none
    **dict.fromkeys(
        (
            "agree_to_ending",
            "agree_to_pause",
            "decline_pause",
            "withdraw_pause",
            "revoke_ending",
            "agree_to_rewind",
            "decline_rewind",
        ),
        (401, 403, 422, 422, 403, 403, 403, 401),
    ),
    **dict.fromkeys(
        (
            "change_game",
            "fill_with_bots",
            "invite_again",
        ),
        (401, 409, 409, 409, 409, 403, 403, 401),
    ),
    "propose_voting_out": (401, 403, 422, 422, 403, 403, 403, 401),  # nobody has left
    "renew_invitation": (401, 403, 403, 2, 403, 403, 403, 401),
    "withdraw_invitation": (401, 403, 403, 422, 403, 403, 403, 401),
    **dict.fromkeys(
        (
            "choose_hours",
            "end_vacation",
        ),
        (401, 2, 2, 2, 2, 403, 403, 401),
    ),
    **dict.fromkeys(
        (
            "declare_vacation",
            "mute",
            "rematch",
            "report_message",
        ),
        (401, 422, 422, 422, 422, 403, 403, 401),
    ),
    **dict.fromkeys(
        (
            "discard_draft",
            "extend_phase",
            "mark_chat_read",
            "propose_ending",
            "propose_pause",
        ),
        (401, 403, 2, 2, 403, 403, 403, 401),
    ),
    "resign": (401, 403, 409, 409, 403, 403, 403, 401),  # by then both players have proposed to end the game
    **dict.fromkeys(
        (
            "get_draft",
            "list_proposals",
        ),
        (401, 403, 2, 2, 403, 2, 403, 401),
    ),
    **dict.fromkeys(
        (
            "get_game_stream",
            "get_times",
        ),
        (401, 2, 2, 2, 2, 2, 403, 401),
    ),
    **dict.fromkeys(
        (
            "get_invitation",
            "list_invitees",
            "switch_chat",
        ),
        (401, 403, 403, 2, 403, 403, 403, 401),
    ),
    **dict.fromkeys(("get_notes",), (401, 404, 2, 2, 404, 2, 403, 401)),
    "save_draft": (401, 403, 409, 409, 403, 403, 403, 401),
    **dict.fromkeys(("save_notes",), (401, 404, 2, 2, 404, 403, 403, 401)),
    "revoke_token": (401, 2, 2, 2, 2, 2, 2, 401),
}
MORE = ("replaced", "owner", "other game", "revoked")
"""Who resigned here, the owner of a bot that plays here, a player's token for another game, and a revoked one."""
RESIGNED = {
    **dict.fromkeys(("agree_to_ending", "agree_to_pause", "decline_pause", "extend_phase", "propose_pause"), 422),
    **dict.fromkeys(("revoke_ending", "take_over_seat", "take_seat_back", "withdraw_pause"), 422),
    "propose_voting_out": 422,
    "propose_ending": 409,  # the two who play have ended the game by then
    **dict.fromkeys(("agree_to_rewind", "decline_rewind", "mute"), 422),
    **dict.fromkeys(("get_notes", "save_notes", "resign"), 2),  # their own notes, and what they read; once more
}
"""Where they are answered otherwise than a stranger: in words about that they have resigned."""
OF_NO_GAME = {
    *("find_people", "get_leaderboard", "get_openapi", "get_person", "get_problem", "get_rule", "get_rulebook"),
    *("get_ruleset", "get_ruleset_schema", "get_stream", "get_token", "list_decisions", "list_games", "list_rulesets"),
    "revoke_token",
}
"""Where a token for another game is answered like a stranger's; all else is refused."""
SAID = {"text": "Hello"}
ELSE = {"webhook": 99_999, "delivery": 99_999, "rule": "S 5.3", "figure": "cash", "subject": "0", "turn": 1}
OF_ONESELF = {"get_me", "list_decisions", "list_invitations", "get_token", "get_stream", "get_times"}
LAST = ("propose_ending", "resign", "revoke_token")  # they change what the others meet


@pytest.fixture(autouse=True)
def no_limits(settings: Any) -> None:
    settings.LIMITED = False


def everybody() -> Game:
    """A game of ada, ben, rhea, who has resigned, and a bot of carla's."""
    game = lobby.create_game(host=person("ada"), name="The table", seats=4, ruleset="toy", pace="demo")
    lobby.change_game(game_id=game.pk, user=person("ada"), takes_bots=True)
    declared = accounts.Declared(["toy"], ["demo"], 2, 4, 2)
    bot = accounts.make_bot(owner=person("carla"), name="Deep", declared=declared)
    for guest in (person("ben"), person("rhea"), bot.user):
        lobby.join_game(game_id=game.pk, user=guest)
    lobby.start_game(game_id=game.pk, user=person("ada"))
    takeover.resign(game_id=game.pk, user=person("rhea"))
    return fresh(game)


def programs() -> dict[str, Program]:
    moderator("Lena")
    found = {
        "nobody": Program(),
        "stranger": Program("mallory"),
        "rival": Program("ben"),
        "own": Program("ada"),
        "moderator": Program("Lena"),
        "reading": Program("ada", ["read"]),
        "blind": Program("ada", []),
        "expired": Program("ada"),
    }
    found |= {"revoked": Program("ada"), "replaced": Program("rhea"), "owner": Program("carla")}
    elsewhere = lobby.create_game(host=person("ada"), name="Elsewhere", seats=2, ruleset="toy")
    found["other game"] = Program("ada", only_game=elsewhere.pk)
    api_tokens.revoke(user=person("ada"), number=found["revoked"].token.pk)
    ApiToken.objects.filter(pk=found["expired"].token.pk).update(expires_at=timezone.now() - timedelta(1))
    return found


def test_every_operation_answers_every_kind_of_token_as_this_table_says() -> None:
    game = everybody()
    places = sorted(every_operation(), key=lambda place: (place.operation.name in LAST, place.operation.name))
    assert {place.operation.name for place in places} == set(EXPECTED), (
        "an operation without a row, or a row without one"
    )
    asked, found = programs(), {}
    bodies = {
        "create_game": {"ruleset": "chess", "seats": 2},
        "make_move": {"phase_serial": 1, "actions": [{}]},
        "say": SAID,
        "add_webhook": {"url": "https://hooks.example.org/"},
        "mark_chat_read": {"number": 1},
        "switch_chat": {"is_on": True},
        "mute": {"is_on": False},
        "report_message": {"reason": "It is rude."},
        "save_notes": {"text": "", "revision": 0},
        "save_draft": {"phase_serial": 1, "actions": []},
        "choose_hours": {"hours": list(range(40))},
        "change_webhook": {"types": []},
        "declare_vacation": {"first": "2000-01-01", "last": "2000-01-02"},
    }
    for place in places:
        name = place.operation.name
        given = {"game_id": game.pk, "key": "toy", "name": "refused", "serial": 1, **ELSE}
        number = person("ada").pk if "people" in place.pattern else {"rival": 1}
        found[name] = tuple(
            _status(
                asked[role],
                place,
                path_of(place.pattern, number=number.get(role, 0) if isinstance(number, dict) else number, **given)
                + ("?name=ada" if name == "find_people" else ""),
                bodies.get(name, {}),
            )
            for role in (*ROLES, *MORE)
        )
    assert found == {name: (*row, *more_of(name)) for name, row in EXPECTED.items()}


def more_of(name: str) -> tuple[int, ...]:
    """What `MORE` are answered: a bot's owner is a stranger there, and a revoked token nobody's."""
    stranger = EXPECTED[name][1]
    return RESIGNED.get(name, stranger), stranger, stranger if name in OF_NO_GAME else 403, 401


def _status(program: Program, place: Place, path: str, body: Any) -> int:
    """What is answered, 2 for an answer that is as promised."""
    plain = {"GET": program.get, "DELETE": program.delete}.get(place.method)
    sending = {"POST": program.post, "PUT": program.put, "PATCH": program.patch}
    answer = plain(path) if plain else sending[place.method](path, body, **{"If-Match": "*"})
    if answer.status_code >= 300:
        return int(answer.status_code)
    check_promised(place, answer)
    return 2


OTHERS = ("nobody", "rival", "stranger", "replaced", "owner", "other game")


def everything_read(program: Program, game: Game) -> dict[str, tuple[int, bytes, dict[str, str]]]:
    """Every answer to a GET, with its headers."""
    given = {"game_id": game.pk, "key": "toy", "name": "refused", "number": person("ada").pk, "serial": 1, **ELSE}
    found = {}
    for place in every_operation():
        if place.method != "GET" or place.operation.name in OF_ONESELF:
            continue
        path = path_of(place.pattern, **given) + ("?name=ada" if place.operation.name == "find_people" else "")
        answer = program.get(path)
        headers = {name: value for name, value in answer.headers.items() if name != "X-Request-ID"}  # drawn each time
        found[path] = (answer.status_code, answer.content, headers)
    return found


def test_nobody_can_tell_what_another_seat_has_under_seal_nor_that_it_was_revised() -> None:
    game = everybody()
    send(game, 0, {"kind": "bid", "coins": 1})
    others, own = programs(), Program("ada")
    before_by_name = {who: everything_read(others[who], game) for who in OTHERS}
    mine = everything_read(own, game)
    for revision in ([{"kind": "bid", "coins": 4}], [{"kind": "withdraw", "of": "bid"}, {"kind": "bid", "coins": 5}]):
        send(game, 0, *revision)
        for who, before in before_by_name.items():
            assert everything_read(others[who], game) == before, who
    after = everything_read(own, game)
    path = f"games/{game.pk}/position"
    assert after[path][2]["ETag"] != mine[path][2]["ETag"]
    assert b'"coins":5' in after[path][1]
    for answers in (answers for before in before_by_name.values() for answers in before.values()):
        assert b'"mine":{"bid"' not in answers[1]


def test_the_same_seat_has_the_same_tag_with_whichever_token() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    one, two = Program("ada"), Program("ada")
    tags = {each.get(f"games/{game.pk}")["ETag"] for each in (one, two)}
    assert len(tags) == 1
    (tag,) = tags
    assert two.get(f"games/{game.pk}", **{"If-None-Match": tag}).status_code == 304
    assert Program("ben").get(f"games/{game.pk}", **{"If-None-Match": tag}).status_code == 200
    send(game, 1, {"kind": "ready"})
    assert two.get(f"games/{game.pk}", **{"If-None-Match": tag}).status_code == 200


def test_equal_tags_mean_equal_bytes_over_a_whole_game() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    seen: dict[tuple[str, str, str], bytes] = {}
    readers = {who: Program(who) for who in ("", "ada", "ben")}
    for _ in range(60):
        for who, program in readers.items():
            for part in ("", "/position", "/log"):
                answer = program.get(f"games/{game.pk}{part}")
                # The tag is the seat's: strangers share theirs.
                assert seen.setdefault((who, part, answer["ETag"]), answer.content) == answer.content
        now = fresh(game)
        if not now.is_running:
            break
        seat = now.waiting_seats[0]
        send(game, seat, {"kind": "ready"} if now.phase_name == "bidding" else {"kind": "stop"})
    assert fresh(game).status == "finished"


def test_the_public_part_can_be_asked_for_by_everybody() -> None:
    game = new_game("ada", "ben", ruleset="toy")
    ada, nobody = Program("ada"), Program()
    for part in ("", "/position", "/log"):
        path = f"games/{game.pk}{part}"
        assert ada.get(f"{path}?as=public").content == nobody.get(path).content
    assert ada.get(f"games/{game.pk}?as=ben").status_code == 422


def test_a_guessed_invitation_does_not_tell_whether_there_is_a_game() -> None:
    mallory, guess = Program("mallory"), {"invitation": "guessed"}
    waiting = lobby.create_game(host=person("ada"), name="Ours", seats=2, is_open=False, ruleset="toy")
    running = new_game("ada", "ben", ruleset="toy")
    Game.objects.filter(pk=running.pk).update(is_open=False)
    nowhere = mallory.post("games/99999/seats", guess)
    assert nowhere.status_code == 404
    for game in (waiting, running):
        assert mallory.post(f"games/{game.pk}/seats", guess).content == nowhere.content


def test_a_game_by_invitation_is_not_there_for_strangers() -> None:
    game = lobby.create_game(host=person("ada"), name="Ours", seats=2, ruleset="toy", is_open=False)
    ada, mallory = Program("ada"), Program("mallory")
    assert ada.get(f"games/{game.pk}").status_code == 200
    assert mallory.get(f"games/{game.pk}").status_code == Program().get(f"games/{game.pk}").status_code == 404
    assert Program("ada", ["play"]).get(f"games/{game.pk}").status_code == 404, "a token that may not read is nobody's"
    assert mallory.post(f"games/{game.pk}/seats").status_code == 404
    assert [each["id"] for each in ada.get("games").json()["items"]] == [game.pk]
    assert mallory.get("games").json()["items"] == []
    token = game.invitation.token
    assert mallory.post(f"games/{game.pk}/seats", {"invitation": token}).json()["you"] == 1


def test_cookies_count_for_nothing() -> None:
    program = Program()
    program.client.force_login(person("ada"))
    assert program.get("me").status_code == 401
    assert program.post("games", {"ruleset": "toy", "seats": 2}).status_code == 401


def test_a_token_of_a_closed_account_or_a_reset_password_opens_nothing() -> None:
    ada = Program("ada")
    User.objects.filter(username="ada").update(is_active=False)
    assert ada.get("games").status_code == 401
    ben = Program("ben")
    api_tokens.revoke_all(user=person("ben"))
    assert ben.get("games").status_code == 401


@pytest.mark.parametrize("header", ["Bearer", "Bearer sat_x", "Basic YTpi", "Bearer " + "sat_" + "a" * 51])
def test_what_is_no_token_is_refused_as_one(header: str) -> None:
    answer = Program(Authorization=header).get("games")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")


def test_every_wrong_request_is_answered_in_the_one_form(settings: Any) -> None:
    game, ada = new_game("ada", "ben", ruleset="toy"), Program("ada")
    moves = f"games/{game.pk}/moves"
    for body, kind in (
        ("{", "malformed"),
        ("[]", "invalid"),
        ('{"phase_serial":1}', "invalid"),
        ('{"phase_serial":1,"actions":[{"kind":"ready"}],"actor":1}', "invalid"),
        ('{"phase_serial":"1","actions":[{"kind":"ready"}]}', "invalid"),
        ('{"phase_serial":1,"actions":[]}', "invalid"),
        ('{"phase_serial":2,"phase_serial":1,"actions":[{"kind":"ready"}]}', "invalid"),
        ('{"phase_serial":1,"actions":[{"kind":"ready","actor":1}]}', "refused"),
        ('{"phase_serial":1,"actions":[' + "[" * 2000 + "]" * 2000 + "]}", "invalid"),
    ):
        problem = ada.post(moves, body).json()
        assert problem["type"] == f"{settings.SITE_URL}/api/v1/problems/{kind}", body[:60]
    assert ada.client.post(f"/api/v1/{moves}", "x=1", content_type="text/plain", headers=ada.headers).status_code == 415
    assert ada.post(moves, {}, **{"Idempotency-Key": "a b"}).status_code == 422
    assert ada.get("games?colour=red").status_code == 422
    assert ada.get("games?limit=1000").status_code == 422
    assert ada.get("games?limit=1&limit=2").status_code == 422
    assert ada.get("nothing/here").status_code == 404
    assert ada.get("").status_code == 404
    assert ada.delete("rulesets")["Allow"] == "GET, HEAD, OPTIONS"
    assert ada.get("games", Accept="text/html").status_code == 406
    assert ada.client.get("/api/v2/games").json()["type"].endswith("/problems/not-found")
    assert ada.client.post("/api/v1/games/", {}).status_code == 404
    assert ada.client.options("/api/v1/games")["Access-Control-Allow-Methods"]
    assert ada.post(moves, "x" * 300_000).status_code == 413


def test_limits_are_counted_told_and_given_back(settings: Any) -> None:
    from django.core.cache import cache

    settings.LIMITED = True
    cache.clear()
    ada, game = Program("ada"), new_game("ada", "ben", ruleset="toy")
    first = ada.get(f"games/{game.pk}")
    assert first["RateLimit-Policy"] == '"read";q=300;w=60'
    ada.get(f"games/{game.pk}", **{"If-None-Match": first["ETag"]})
    left = ada.get(f"games/{game.pk}")["RateLimit"]
    assert left.startswith('"read";r=298;'), "what is not new costs nothing"
    answers = [ada.get(f"games/{game.pk}/log") for _ in range(31)]
    last = answers[-1]
    assert (last.status_code, last.json()["limit"]) == (429, "heavy")
    assert 0 < int(last["Retry-After"]) <= 60
    cache.clear()
