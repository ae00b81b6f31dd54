"""Choosing a game: every ruleset is offered, created, joined, started and listed by the same pages."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import reduce
from typing import Any

import pytest
from django.test import Client

from game.boards.options import Preset, is_switch
from game.boards.registry import board_of
from game.deadlines.paces import DAY, DECISION, VOTES, Timing, decisions_words, span_words, words_of
from game.engine.ruleset import Ruleset
from game.engine.simulation.pace import Windows, count_windows
from game.lobby import create_page, lobby
from game.lobby.forms import CreateGameForm
from game.lobby.game_words import game_cards, rules_words
from game.lobby.lobby_page import lobby_context
from game.rulesets.registry import RULESETS
from game.store.game import Game, Pace, Status
from tests.tables import fresh, person

pytestmark = [pytest.mark.django_db]
KEYS = sorted(RULESETS)
every_game = pytest.mark.parametrize("key", KEYS)


def signed_in(client: Client, name: str = "ada") -> Client:
    client.force_login(person(name))
    return client


def filled(key: str, **more: str) -> dict[str, str]:
    """What a browser sends of the form as it is opened, with these changes."""
    form = CreateGameForm(key)
    values = {field.name: field.value() for field in form}
    sent = {
        name: "on" if value is True else str(value)
        for name, value in values.items()
        if value not in (None, "") and value is not False
    }
    return {"game": key, "filled": "1", **sent, "name": "Ours", **more}


def shown(client: Client, where: str) -> str:
    answer = client.get(where)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_toy_is_among_them() -> None:
    assert {"sectors", "toy"} <= set(KEYS)


@every_game
def test_a_game_is_created_joined_filled_and_started_by_its_pages(client: Client, key: str) -> None:
    least = min(RULESETS[key].seats)
    address = signed_in(client).post("/games/new/", filled(key, seats=str(least + 1), is_open="on"))["Location"]
    guest = signed_in(Client(), "bob")
    assert RULESETS[key].title in shown(guest, "/games/")
    assert guest.post(f"{address}join/").status_code == 302
    assert "Fixed when the game was created" in shown(client, address)
    assert client.post(f"{address}bots/fill/").status_code == 302
    assert client.post(f"{address}start/").status_code == 302
    game = Game.objects.get()
    assert (game.ruleset, game.status) == (key, Status.RUNNING)
    assert game.read_options() == RULESETS[key].parse_options(game.options)
    context = lobby_context(user=person("ada"))
    assert [entry.name for entry in [*context["needs_you"], *context["waiting"]]] == ["Ours"]
    assert "Ours" in shown(client, "/games/")


@every_game
def test_the_opened_form_sends_what_it_shows(client: Client, key: str) -> None:
    signed_in(client)
    assert client.post("/games/new/", filled(key)).status_code == 302
    stored = Game.objects.get().options
    assert {name: stored[name] for name in RULESETS[key].menus} == CreateGameForm(key, filled(key)).current_options()


@every_game
def test_every_option_in_play_is_under_all_rules_and_every_choice_can_be_made(client: Client, key: str) -> None:
    page = shown(signed_in(client), f"/games/new/?game={key}")
    folded = page.split('<details class="sec all-rules">')[1].split("</details>")[0]
    in_play = board_of(key).options.in_play(CreateGameForm(key).current_options())
    for name, menu in RULESETS[key].menus.items():
        assert (f'name="{name}"' in folded) == (name in in_play), name
        for value in menu if not is_switch(menu) else ():
            form = CreateGameForm(key, filled(key, **{name: str(value)}))
            assert (form.is_valid(), form.options()[name]) == (True, value), name


@every_game
def test_no_option_is_called_as_a_field_of_the_form(key: str) -> None:
    assert not {*CreateGameForm.base_fields, "preset", "game", "filled"} & set(RULESETS[key].menus)


@every_game
def test_words_and_presets_name_what_the_rules_have(key: str) -> None:
    rules, table = RULESETS[key], board_of(key).options
    assert set(table.words) <= set(rules.menus)
    assert all(set(words.by_pace) <= set(Pace.values) for words in table.words.values())
    for preset in table.presets:
        chosen = rules.parse_options(preset.options)
        assert {name: getattr(chosen, name) for name in preset.options} == preset.options
        assert rules.ladder(chosen) in rules.ladders
        clocks = {row.phase.clock for row in rules.flow(chosen).rows} | {DECISION}
        assert set(preset.windows) <= clocks
        assert set(preset.fewest) == set(preset.windows)
        most, least = preset.waits(min(rules.seats_with(chosen)))
        assert all(number > 0 for number in least.values())
        assert sum(least.values()) <= sum(most.values())


@every_game
def test_seats_follow_the_game(client: Client, key: str) -> None:
    page, seats = shown(signed_in(client), f"/games/new/?game={key}"), RULESETS[key].seats
    offered = re.findall(r'name="seats" id="seats-(\d+)"', page)
    assert offered == [str(number) for number in seats]
    too_many = client.post("/games/new/", filled(key, seats=str(max(seats) + 1)))
    assert (too_many.status_code, Game.objects.count()) == (422, 0)


def test_a_table_has_as_many_seats_as_its_rules_say() -> None:
    with pytest.raises(lobby.Refused, match="Toy is for 2 to 4 players, not for 5") as refused:
        lobby.create_game(host=person("ada"), name="", seats=5, ruleset="toy")
    assert refused.value.rule == "T 1"


def test_another_game_keeps_what_still_makes_sense(client: Client) -> None:
    sent = "pace=demo&name=Friday&seats=8&bots=7"
    page = shown(signed_in(client), f"/games/new/?game=toy&{sent}")
    assert 'value="demo" required checked' in page
    assert 'value="Friday"' in page
    assert re.search(r'id="seats-4"\s+value="4" checked', page), "no toy has eight seats"
    assert '<option value="3" selected>3</option>' in page
    assert '<input type="checkbox" name="is_open" id="id_is_open" checked' not in page, "the box was not ticked"


def test_another_game_is_opened_with_every_choice_of_the_form(client: Client) -> None:
    """The link sends the fields that it names; a box that is not among them would come back as not ticked."""
    page = shown(signed_in(client), "/games/new/")
    carried = re.search(r'hx-params="(pace[^"]*)"', page)
    assert carried
    of_every_game = CreateGameForm("toy").fields.keys() & CreateGameForm("sectors").fields.keys()
    assert set(carried[1].split(",")) >= of_every_game - {"preset", *RULESETS["sectors"].menus}
    assert " checked" in part(
        shown(signed_in(client), "/games/new/?game=toy&pace=daily&welcomes_newcomers=on"), "welcomes_newcomers"
    )


def part(page: str, name: str) -> str:
    """The tag of the box with this name."""
    found = re.search(rf'<input type="checkbox" name="{name}"[^>]*>', page)
    assert found
    return found[0]


@pytest.mark.parametrize("query", ["seats=x&bots=-1&pace=never", "seats=99999999999&bots=", "seats=0&name=%07"])
def test_nonsense_in_the_address_of_the_form_is_left_out(client: Client, query: str) -> None:
    assert "Create a game" in shown(signed_in(client), f"/games/new/?game=toy&{query}")


@pytest.mark.parametrize("where", ["/games/new/?game=chess", "/games/?game=chess"])
def test_a_game_that_is_not_played_here_is_not_found(client: Client, where: str) -> None:
    assert signed_in(client).get(where).status_code == 404
    assert client.post("/games/new/", filled("toy", game="chess")).status_code == 404
    assert not Game.objects.exists()


def test_the_service_names_the_games_there_are() -> None:
    with pytest.raises(lobby.Refused, match=r"There is no game chess\. Choose one of sectors, "):
        lobby.create_game(host=person("ada"), name="", seats=3, ruleset="chess")


def test_options_of_one_game_are_none_of_another(client: Client) -> None:
    signed_in(client).post("/games/new/", filled("toy", max_turns="8", bank="7500"))
    assert Game.objects.get().options == {"rounds": 2, "edition": 1}
    with pytest.raises(lobby.Refused):
        lobby.create_game(host=person("ada"), name="", seats=3, ruleset="toy", options={"max_turns": 8})


def test_a_ruleset_without_words_has_a_form_from_its_menus(client: Client) -> None:
    page = shown(signed_in(client), "/games/new/?game=toy")
    assert '<label for="id_rounds">Rounds</label>' in page
    assert 'name="preset"' not in page
    assert client.post("/games/new/", filled("toy", rounds="3")).status_code == 302
    assert Game.objects.get().options == {"rounds": 3, "edition": 1}


@pytest.mark.parametrize(("rounds", "status"), [("4", 422), ("x", 422), ("", 302)])
def test_only_what_is_on_the_menu_can_be_sent(client: Client, rounds: str, status: int) -> None:
    answer = signed_in(client).post("/games/new/", filled("toy", rounds=rounds))
    assert (answer.status_code, Game.objects.count()) == (status, status == 302)
    if status == 422:
        assert '<details class="sec all-rules" open>' in answer.content.decode(), "what is wrong can be seen"


def test_options_and_seats_belong_together(client: Client) -> None:
    """The long edition of the toy is for two or three."""
    answer = signed_in(client).post("/games/new/", filled("toy", seats="4", edition="2"))
    assert answer.status_code == 422
    assert "With these options Toy is for 2 to 3 players, not for 4." in answer.content.decode()
    with pytest.raises(lobby.Refused) as refused:
        lobby.create_game(host=person("ada"), name="", seats=4, ruleset="toy", options={"edition": 2})
    assert (refused.value.code, refused.value.field) == ("wrong_seats", "seats")
    assert client.post("/games/new/", filled("toy", seats="3", edition="2")).status_code == 302
    assert Game.objects.get().options == {"rounds": 2, "edition": 2}


def test_a_game_of_turns_waits_longer_with_every_seat() -> None:
    preset = Preset("x", "X", {}, windows={"bid": 3}, fewest={"bid": 2}, a_seat={"turn": 4})
    assert preset.waits(3) == ({"bid": 3, "turn": 12}, {"bid": 2, "turn": 12})
    assert preset.waits(6)[0]["turn"] == 24
    planned = Preset("y", "Y", {}, windows={"bid": 3}, fewest={"bid": 9}, a_seat={"turn": 4}, fewest_a_seat={})
    assert planned.waits(3) == ({"bid": 3, "turn": 12}, {"bid": 9})


def test_open_games_are_told_apart_and_filtered(client: Client) -> None:
    for key in KEYS:
        lobby.create_game(host=person(f"host-{key}"), name=f"Table of {key}", seats=3, ruleset=key)
    signed_in(client)
    everything = shown(client, "/games/")
    assert "Sectors, 8 turns" in everything
    assert all(f"Table of {key}" in everything for key in KEYS)
    listed = shown(client, "/games/?show=open")
    assert all(f'href="/games/?show=open&amp;game={key}"' in listed for key in KEYS)
    for key in KEYS:
        page = shown(client, f"/games/?game={key}")
        assert [other for other in KEYS if f"Table of {other}" in page] == [key]


def test_one_game_alone_needs_no_choice(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULESETS, "toy")
    for key in [key for key in KEYS if key not in {"sectors", "toy"}]:
        monkeypatch.delitem(RULESETS, key)
    page = shown(signed_in(client), "/games/new/")
    assert "presets--games" not in page
    assert board_of("sectors").pitch in page
    assert "Which game" not in shown(client, "/games/?show=open")


def test_the_lobby_and_the_form_say_what_each_game_is(client: Client) -> None:
    signed_in(client)
    for where in ("/games/", "/games/new/"):
        page = shown(client, where)
        for card in game_cards():
            assert all(
                words in page for words in (card.title, card.pitch, card.seats, card.lengths, f'href="{card.url}"')
            )
    cards = {card.key: card for card in game_cards()}
    assert (cards["sectors"].seats, cards["toy"].seats) == ("2 to 8 players", "2 to 4 players")
    assert dict(cards["sectors"].spans)["Daily"] == "2 to 5 weeks"
    assert dict(cards["stock_market_tycoon"].spans)["Evening"] == "4 to 7 hours, two evenings"
    assert cards["sectors"].lengths == "8 to 23 turns"
    assert (cards["toy"].spans, cards["toy"].lengths) == ((), "")


def test_what_is_chosen_with_a_preset_is_called_what_it_is(client: Client) -> None:
    """The variants of Power Up are equally long: they are no lengths."""
    signed_in(client)
    for key, word in (("sectors", "length"), ("power_up", "variant")):
        page = shown(client, f"/games/new/?game={key}")
        assert f"Pick a game, a {word} and" in " ".join(page.split())
        assert f"<legend>{word.capitalize()}</legend>" in page
    assert "about 55 turns" in page
    assert "seconds per turn" in page


def test_one_size_is_recommended_and_the_others_are_folded(client: Client) -> None:
    page = shown(signed_in(client), "/games/new/")
    assert CreateGameForm("sectors")["preset"].value() == "tuned_standard"
    before, fold = page.partition("<summary>Or choose: ")[::2]
    assert 'value="tuned_standard" required checked' in before
    assert all(f'value="{preset.key}"' in fold for preset in board_of("sectors").options.presets[1:])
    assert page.count(">Recommended<") == 2, "a size and a pace"
    assert '<details class="others">' in page
    assert '<details class="others" open' in shown(client, "/games/new/?filled=1&preset=marathon&pace=daily")


def test_every_rule_says_in_a_line_what_it_changes() -> None:
    for key in KEYS:
        words = board_of(key).options.words
        assert [name for name, option in words.items() if not option.hint] == [], key


def test_numbers_of_seats_that_the_options_refuse_are_grey(client: Client) -> None:
    page = shown(signed_in(client), "/games/new/?game=stock_market_tycoon&filled=1&variant=extended&seats=5&pace=daily")
    assert 'value="2" disabled' in page
    assert 'value="5" checked' in page, "so that it is refused in words"
    assert 'value="6">' in page
    assert "is for 6 to 12 players, not for 5" in page


def test_the_tuned_sizes_have_the_numbers_of_their_simulations() -> None:
    """Decision *presets*."""
    presets = board_of("sectors").options.presets
    assert {preset.key: dict(preset.options) for preset in presets if preset.key.startswith("tuned")} == {
        "tuned_first": {"max_turns": 8, "bank": 7500, "starting_cash": 400},
        "tuned_short": {"max_turns": 8, "bank": 7500, "starting_cash": 200},
        "tuned_standard": {
            "max_turns": 11,
            "bank": 7500,
            "starting_cash": 200,
            "loan_interest_percent": "10",
            "no_round_trips": True,
        },
        "tuned_long": {"max_turns": 15, "bank": 7500, "starting_cash": 200, "loan_interest_percent": "10"},
        "tuned_rich": {"max_turns": 19, "bank": 10000, "starting_cash": 400},
    }


@pytest.mark.parametrize("asked", ["", "True", "False"])
def test_a_rule_that_a_preset_sets_can_be_set_otherwise(client: Client, asked: str) -> None:
    signed_in(client).post("/games/new/", filled("sectors", preset="tuned_standard", no_round_trips=asked))
    game = Game.objects.get()
    assert game.options["no_round_trips"] is (asked != "False")
    assert (game.options["starting_cash"], rules_words(game)) == (200, "Sectors, 11 turns")


def test_what_a_game_takes_is_promised_only_for_its_length(client: Client) -> None:
    signed_in(client)
    query = "&".join(f"{name}={value}" for name, value in filled("sectors", pace="daily").items())
    assert "3 to 7 weeks" in shown(client, f"/games/new/?{query}").split('id="effect"')[1]
    assert "Takes about" not in shown(client, f"/games/new/?{query}&max_turns=23").split('id="effect"')[1]


def test_where_people_take_turns_a_clock_is_a_turns() -> None:
    flows = {key: RULESETS[key].flow(RULESETS[key].parse_options({})) for key in KEYS}
    assert [words_of(flows["toy"], pace).clock for pace in ("daily", "demo")] == [
        "a day per turn",
        "three minutes per turn",
    ]
    assert [words_of(flows["sectors"], pace).clock for pace in ("daily", "demo")] == [
        "a day per phase",
        "three minutes per phase",
    ]
    half = Timing(dict.fromkeys(VOTES, DAY // 2))
    assert "half a day for votes" in words_of(flows["sectors"], "daily", half).text
    assert "votes" not in words_of(flows["sectors"], "daily").text
    assert "votes" not in words_of(flows["toy"], "daily", half).text


@pytest.mark.parametrize(
    ("windows", "fewest", "minutes", "pace", "words"),
    [
        (50, 50, 0, "daily", "4 to 6 weeks"),
        (50, 20, 0, "daily", "1 to 6 weeks"),
        (12, 10, 0, "daily", "5 to 9 days"),
        (100, 100, 0, "demo", "2 to 4 hours, one evening"),
        (0, 0, 45, "live", "22 to 45 minutes"),
        (0, 0, 0, "daily", ""),
        (10, 10, 0, "live", ""),
    ],
)
def test_a_span_is_told_in_the_unit_people_plan_in(
    windows: int, fewest: int, minutes: int, pace: str, words: str
) -> None:
    assert span_words({DECISION: windows}, {DECISION: fewest}, minutes, pace) == words


SHEETS = ("ballot_sheet", "turn_sheet")  # those that every player is shown


@pytest.mark.parametrize("preset", board_of("sectors").options.presets, ids=lambda preset: preset.key)
def test_the_promised_waits_are_those_of_played_games(preset: Preset) -> None:
    """Three games among five bots, against what their preset says, by class of clock."""
    rules = RULESETS["sectors"]
    for aids, promised in ((SHEETS, preset.windows), (tuple(rules.aids), preset.fewest)):
        counted = waits_of(rules, rules.parse_options(preset.options), aids)
        for clock, number in promised.items():
            assert number * 0.75 < counted[clock] / 3 < number * 1.3, (aids, clock)


def waits_of(rules: Ruleset, options: Any, aids: Sequence[str]) -> Counter[str]:
    bot = reduce(lambda bot, name: rules.aids[name].use(bot), aids, rules.bots["house"])
    windows = Windows()
    for number in range(3):
        count_windows(rules, options, [bot] * 5, f"promised/{number}", windows)
    waits: Counter[str] = Counter()
    for row in rules.flow(options).rows:
        waits["votes" if row.phase.clock in VOTES else DECISION] += windows.by_phase.pop(row.phase.name, 0)
    return waits


def test_extra_choices_belong_to_the_games_that_have_the_option(settings: Any) -> None:
    settings.EXTRA_CHOICES = {"max_turns": (1,), "rounds": (5,)}
    game = lobby.create_game(host=person("ada"), name="", seats=3, options={"max_turns": 1})
    assert rules_words(fresh(game)) == "Sectors, 1 turn"
    assert lobby.create_game(host=person("ada"), name="", seats=3, options={"rounds": 5}, ruleset="toy").options == {
        "rounds": 5,
        "edition": 1,
    }
    with pytest.raises(lobby.Refused):
        lobby.create_game(host=person("ada"), name="", seats=3, options={"max_turns": True})


@pytest.mark.parametrize(
    ("rarest", "most_often", "words"),
    [
        (1.4, 2.9, "1 to 3 a day"),
        (0.9, 1.4, "1 a day"),
        (0.15, 0.25, "one every 4 to 7 days"),
        (0.2, 1.5, "one every 1 to 5 days"),
    ],
)
def test_decisions_are_told_by_the_day(rarest: float, most_often: float, words: str) -> None:
    assert decisions_words(rarest, most_often) == words


def plan_of(key: str = "sectors", **more: str) -> dict[str, str]:
    """What the form says about time."""
    return dict(create_page.plan_of(CreateGameForm(key, filled(key, **more))).rows)


def test_the_end_is_the_middle_of_the_span(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 46 phases of a day half are used, or of 65 three quarters: 23 to 49 days, in the middle 36."""
    monkeypatch.setattr("django.utils.timezone.now", lambda: datetime(2026, 11, 10, 12, tzinfo=UTC))
    assert plan_of(pace="daily", preset="standard") == {
        "Takes about": "3 to 7 weeks",
        "Ends around": "Wed 16 December",
        "Decisions each": "1 to 2 a day",
    }
    assert create_page.plan_of(CreateGameForm("sectors", filled("sectors", pace="daily", preset="standard"))).words == (
        "Ends around Wed 16 December. Decisions per player: 1 to 2 a day."
    )
    assert plan_of(pace="relaxed", preset="standard")["Takes about"] == "9 to 19 weeks"
    assert plan_of(pace="evening", preset="standard")["Takes about"] == "3 to 7 hours, two evenings"
    assert plan_of(pace="live") == {"Takes about": "1 to 2 hours, one evening"}
    evenings = create_page.plan_of(
        CreateGameForm("sectors", filled("sectors", pace="evening", preset="standard"))
    ).words
    assert evenings == "Takes 3 to 7 hours, two evenings."


def test_of_what_nobody_counted_no_end_is_told() -> None:
    assert plan_of(max_turns="15") == plan_of("toy") == {}
    assert create_page.plan_of(CreateGameForm("toy")).words == ""
    alone = {"seats": "3", "bots": "2"}
    assert plan_of(**alone) == {"Takes about": "no deadline against bots"}
    assert "Ends around" in plan_of(**alone, keeps_clock="on")
    assert plan_of(seats="x", bots="", pace="never") == {}


def test_who_acts_in_turns_decides_less_often_among_more() -> None:
    assert plan_of("power_up", seats="2", pace="daily")["Decisions each"] == "1 a day"
    assert plan_of("power_up", seats="4", pace="daily")["Decisions each"] == "one every 2 to 3 days"


def test_the_foot_of_the_form_says_when_the_game_ends(client: Client) -> None:
    page = shown(signed_in(client), "/games/new/?filled=1&pace=daily&preset=standard&seats=5&bots=0")
    section = page.split('id="plan">')[1].split("</p>")[0]
    assert section.startswith("Ends around ")
    assert section.endswith(". Decisions per player: 1 to 2 a day.")
