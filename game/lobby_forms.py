"""The form that creates a game: every option of the rules with its menu, and the options in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.conf import settings

from game.models import Pace
from game.rulesets.sectors.options import LABELS, MENUS, PRESETS, Options
from game.rulesets.sectors.ruleset import SECTORS
from game.services.lobby import SUB_ROUNDS

LENGTHS = [(key, f"{key.capitalize()}: {preset['max_turns']} turns, bank {preset['bank']:,}") for key, preset in PRESETS.items()]
OTHERWISE: dict[str, str] = {
    "max_turns": "As the length has it",
    "bank": "As the length has it",
    "max_sub_rounds": "As the pace has it",
}
BY_INVITATION = "Otherwise only people with your invitation link can find the game and join it."
HINTS = {"max_sub_rounds": f"The pace has {SUB_ROUNDS[Pace.LIVE]} live, {SUB_ROUNDS[Pace.DAILY]} otherwise."}
WORDS: dict[str, dict[Any, str]] = {
    "edition": {2: "Second edition", 1: "First edition"},
    "distribution": {"priority": "player priority", "bid": "the highest bid a share"},
    "max_short_quantity": {0: "no limit"},
    "ownership_cap_percent": {60: "60%", 100: "100%: no cap"},
    "loan_interest_percent": {"0.1": "0.1%", "10": "10%"},
}
RULES = {
    "edition": "S 8",
    "starting_cash": "S 1.1",
    "bank": "S 4.5",
    "consumers": "S 7.7",
    "max_turns": "S 4.5",
    "distribution": "R-1",
    "concealed": "reveal",
    "limit_orders": "S 5.5",
    "short_orders": "S 5.6",
    "option_orders": "S 5.7",
    "max_sub_rounds": "S 4.2",
    "max_short_quantity": "R-8",
    "ownership_cap_percent": "R-19",
    "ipo_discount": "A71",
    "loan_interest_percent": "R-4",
    "no_round_trips": "round trips",
}
"""By option: the rule that it changes."""
WORDED_LABELS = {
    "max_short_quantity": "Shares in a short at most",
    "ownership_cap_percent": "Ownership cap",
    "loan_interest_percent": "Loan interest a turn",
}


class CreateGameForm(forms.Form):
    """What a host chooses. Fields of the options are made from their menus."""

    pace = forms.ChoiceField(choices=Pace, initial=Pace.DAILY)
    name = forms.CharField(max_length=60, label="Name of the game")
    seats = forms.TypedChoiceField(label="Seats", coerce=int, choices=[(n, str(n)) for n in SECTORS.seats], initial=5)
    bots = forms.TypedChoiceField(label="Bots among them", coerce=int, choices=[(n, str(n)) for n in range(max(SECTORS.seats))], initial=0)
    is_open = forms.BooleanField(label="Anyone may join", required=False, initial=True, help_text=BY_INVITATION)
    length = forms.ChoiceField(label="Length", choices=LENGTHS, initial="standard", help_text="A number chosen under Rules goes before it.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, menu in MENUS.items():
            self.fields[name] = option_field(name, menu)
            self.fields[name].rule = RULES[name]  # type: ignore[attr-defined]

    def options(self) -> dict[str, Any]:
        """The options as the rules take them: the length's, and over them what was chosen one by one."""
        chosen = {name: self.cleaned_data[name] for name in MENUS if self.cleaned_data.get(name) is not None}
        return {**PRESETS[self.cleaned_data["length"]], **chosen}

    def meant(self, name: str) -> Any:
        """What an option would be if the form were sent as it is, as far as it can be read."""
        value = self[name].value()
        if value not in (None, ""):
            return value
        followed = {**PRESETS.get(str(self["length"].value()), {}), "max_sub_rounds": SUB_ROUNDS.get(self["pace"].value(), "")}
        return followed.get(name, getattr(Options(), name))

    def option_fields(self, *, checks: bool) -> list[forms.BoundField]:
        """The bound fields of the options: switches, or the others."""
        return [self[name] for name, menu in MENUS.items() if is_switch(menu) == checks]


def option_field(name: str, menu: tuple[Any, ...]) -> forms.Field:
    """A switch for yes and no, a choice for everything else."""
    if is_switch(menu):
        return forms.BooleanField(label=label_of(name), required=False, initial=getattr(Options(), name))
    values = [*menu, *getattr(settings, "EXTRA_MAX_TURNS", ())] if name == "max_turns" else menu
    otherwise = [("", OTHERWISE[name])] if name in OTHERWISE else []
    choices = [*otherwise, *[(value, option_words(name, value)) for value in values]]
    field = forms.TypedChoiceField(label=label_of(name), choices=choices, required=False, empty_value=None, help_text=HINTS.get(name, ""))
    kind: Callable[[Any], Any] = type(menu[0])
    field.coerce, field.initial = kind, "" if otherwise else getattr(Options(), name)
    return field


def label_of(name: str) -> str:
    """What an option is called where its value is told in words."""
    return WORDED_LABELS.get(name, LABELS[name])


def option_words(name: str, value: Any) -> str:
    """An option's value in words; `value` may still be as a browser sent it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    worded = {str(key): words for key, words in WORDS.get(name, {}).items()}
    words = str(value)
    return worded.get(words, f"{int(words):,}" if words.isdecimal() and len(words) < 10 else words)


def is_switch(menu: tuple[Any, ...]) -> bool:
    """Whether a menu is yes or no."""
    return all(isinstance(value, bool) for value in menu)
