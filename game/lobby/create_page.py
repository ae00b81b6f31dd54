"""The page that creates a game: its form, and what the game would mean for its players: length, end, and pace."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from game.boards.options import Preset, is_switch
from game.boards.registry import board_of
from game.deadlines.paces import words_of
from game.engine.actions import Refused
from game.engine.flow import Flow
from game.engine.language import count, say
from game.lobby import host_choices
from game.lobby.clock_form import CLOCK_FIELDS
from game.lobby.forms import CARRIED_FIELDS, CreateGameForm
from game.lobby.game_words import (
    PACES,
    game_cards,
    seats_words,
    spans_of,
)
from game.lobby.plans import Plan
from game.reputation.ratings import PEOPLE_ONLY
from game.store.game import Pace


def plan_of(form: CreateGameForm) -> Plan:
    """The time estimates for a form. Options chosen one by one were not measured."""
    pace, numbers = str(form["pace"].value()), form.current_numbers()
    seats, bots, _ = numbers or (1, -1, 0)
    is_alone = bots == seats - 1
    return Plan(
        flow=_usual_flow(form),
        preset=form.current_preset() if pace in Pace.values else None,
        pace=pace,
        timing=form.current_timing(),
        seats=max(seats, 1),
        is_timed=pace != Pace.NO_CLOCK and (bool(form["keeps_clock"].value()) or not is_alone),
        people=(form.host(),),
    )


MORE_FIELDS = ("level", "companions", "least_reliability")
MORE_CHECKS = ("waives_unlocks", "is_rated", "welcomes_newcomers", "keeps_clock", "has_chat", "takes_bots")


class SeatChoice(NamedTuple):
    """A number of seats that a host may choose."""

    number: int
    is_chosen: bool
    refusal: str


def create_context(form: CreateGameForm) -> dict[str, Any]:
    """Everything the page that creates a game shows."""
    rules, pace = form.rules, form["pace"].value()
    cards = game_cards(rules.key)
    presets = [_preset_card(form, preset) for preset in form.table.presets]
    fields, checks = form.option_fields(checks=False), form.option_fields(checks=True)
    return {
        "page": "create",
        "form": form,
        "rules": rules,
        "pitch": say(board_of(rules.key).pitch),
        "games": cards if len(cards) > 1 else [],
        "carried": ",".join(CARRIED_FIELDS),
        "presets": _folded(presets) if presets else None,
        "note": say(form.table.note),
        "choice": say(form.table.choice),
        "has_spans": any(card["spans"] for card in presets),
        "paces": _folded([_pace_card(form, key) for key in PACES]),
        "clock": {
            "by": form["clock_by"],
            "ways": form.clock_fields(),
            "has_errors": any(form[name].errors for name in CLOCK_FIELDS if name in form.fields),
        },
        "table": {
            "name": form["name"],
            "seats": _seat_choices(form),
            "numbers": _numbers_words(form),
            "refusals": _number_refusals(form),
            "fields": [form[name] for name in ("bots", "is_open")],
            "more_fields": [form[name] for name in MORE_FIELDS if name in form.fields],
            "more_checks": [form[name] for name in MORE_CHECKS if name in form.fields],
            "has_errors": any(form[name].errors for name in (*MORE_FIELDS, *MORE_CHECKS) if name in form.fields),
            "words": seats_words(rules),
        },
        "rule_fields": fields,
        "rule_checks": checks,
        "rules_open": any(field.errors for field in (*fields, *checks)),
        "effect": _effect_context(form, str(pace)),
        "plan": plan_of(form).words,
    }


def _folded(cards: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Cards of which the first is recommended and the others are folded, unless one of them is chosen."""
    first, *others = cards
    titles = " / ".join(card["title"] for card in others)
    is_open = any(card["checked"] for card in others)
    return {"first": first, "others": others, "words": say("Or choose: {titles}", titles=titles), "is_open": is_open}


def _pace_card(form: CreateGameForm, pace: str) -> dict[str, Any]:
    words = words_of(_usual_flow(form), pace)
    texts = {"title": words.title, "means": words.clock, "text": words.text}
    return {"key": pace, "checked": form["pace"].value() == pace, "spans": (), **texts}


def _preset_card(form: CreateGameForm, preset: Preset) -> dict[str, Any]:
    is_checked = form["preset"].value() == preset.key
    texts = {"title": say(preset.title), "means": say(preset.means), "lock": form.lock_of(preset)}
    return {"key": preset.key, "checked": is_checked, "spans": spans_of(form.rules, preset), **texts}


def _seat_choices(form: CreateGameForm) -> list[SeatChoice]:
    """Every number of seats of this game, with the reason if the chosen options refuse it. A refused number that is
    chosen stays possible to submit, so that it is refused in words."""
    rules, current = form.rules, str(form["seats"].value())
    return [SeatChoice(number, str(number) == current, _seats_refusal(form, number)) for number in rules.seats]


def _seats_refusal(form: CreateGameForm, seats: int) -> str:
    """Why the chosen options refuse so many players; empty if they do not."""
    return "" if _options_refusal(form) else _refusal(lambda: _check_seats(form, seats))


def _check_seats(form: CreateGameForm, seats: int) -> None:
    form.rules.check_seats(seats, form.rules.parse_options(form.current_options()))


def _options_refusal(form: CreateGameForm) -> str:
    """Why the rules refuse the options together."""
    return _refusal(lambda: form.rules.parse_options(form.current_options()))


def _number_refusals(form: CreateGameForm) -> list[str]:
    """Why the site would refuse these numbers of people and bots, while the host still fills the form in."""
    numbers = form.current_numbers()
    if numbers is None:
        return []
    (seats, bots, companions), pace = numbers, str(form["pace"].value())
    refusal = _refusal(lambda: host_choices.check_bot_count(seats, bots)) or _refusal(
        lambda: host_choices.check_room(companions, seats - 1 - bots)
    )
    if refusal or pace not in Pace.values:
        return [refusal] if refusal else []
    without_clock = _refusal(lambda: host_choices.check_pace(pace, seats=seats - companions, bots=bots))
    return [*filter(None, (without_clock, say(PEOPLE_ONLY) if form["is_rated"].value() and bots else ""))]


def _numbers_words(form: CreateGameForm) -> str:
    """How many people and bots the game is for; empty where that is refused or cannot be read."""
    numbers = form.current_numbers()
    if numbers is None or numbers[1] >= numbers[0]:
        return ""
    seats, bots, _ = numbers
    people = count("{n} person", "{n} people", seats - bots)
    return say("{people} and {bots}", people=people, bots=count("{n} bot", "{n} bots", bots)) if bots else people


def _refusal(check: Callable[[], object]) -> str:
    try:
        check()
    except Refused as refused:
        return str(refused)
    return ""


def _usual_flow(form: CreateGameForm) -> Flow:
    return form.rules.flow(form.usual)


def _effect_context(form: CreateGameForm, pace: str) -> dict[str, Any]:
    """What the form would create: the game and its length, the pace, how long it takes, and every option."""
    options, table = form.current_options(), form.table
    title = ", ".join(filter(None, (form.rules.title, table.length_words(options))))
    plan, in_play = plan_of(form), table.in_play(options)
    text = words_of(_usual_flow(form), pace, form.current_timing()).text if pace in Pace.values else ""
    option_texts = [
        (say(table.label(name)), table.in_words(name, value), is_switch(form.menus[name]))
        for name, value in options.items()
        if name in in_play
    ]
    return {
        "title": title,
        "headline": say("{span} at this pace", span=plan.span) if plan.span else title,
        "text": text,
        "rows": [
            *plan.rows,
            *[(label, words) for label, words, is_yes_or_no in option_texts if not is_yes_or_no],
        ],
        "facts": [(label, words) for label, words, is_yes_or_no in option_texts if is_yes_or_no],
        "warning": _options_refusal(form) or table.idle_words(options),
    }
