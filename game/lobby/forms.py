"""The form that creates a game: every option of the rules with its menu, and the options in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from game.boards.options import USUAL_PEOPLE, USUAL_SEATS, Preset, is_switch
from game.boards.registry import board_of
from game.deadlines.paces import VOTES
from game.engine.actions import Refused
from game.engine.language import mark, say
from game.lobby.clock_form import CLOCK_FIELDS, ClockFields
from game.lobby.host_choices import menus_of
from game.reputation.reliability import CHOICES
from game.reputation.unlocks import has_ladder
from game.rulesets.registry import RULESETS
from game.store.availability import WAKING
from game.store.game import Pace

BY_INVITATION = _("Otherwise only people with your invitation link can find the game and join it.")
WITH_BOTS = _("Otherwise a game of one person and bots has no deadlines.")
RATED = _(
    "For people only, at a named pace and with the rules of a preset. The result changes the ratings of all players."
)
RELIABLE = _("How reliable players must be to join; recent decisions count more.")
NEWCOMERS = _("Players whose reliability is not known yet may join, too.")
WAIVES = _("You and the others may play it even if its mode is still locked for some of you.")
AT_ONE_DEVICE = _(
    "Names, separated by commas. You all play in this browser; a cover page hides the board while you hand the "
    "device over. Everybody in the game sees who plays at one device, and the game is never rated."
)
CHAT = _("Players can write to each other in the game. You can switch it off or on later.")
BOTS_JOIN = _("Programs that players have written can take free seats; each shows its owner’s name too.")
BOTS = _("They fill the table at once. Until the start you can also give free seats to bots.")
SET_BY = {"preset": mark("Set by the length"), "pace": mark("Set by the pace")}
MOST_DIGITS = 2
CARRIED_FIELDS = (
    *("pace", *CLOCK_FIELDS, "name", "seats", "bots", "level", "is_open", "keeps_clock", "has_chat", "takes_bots"),
    *("companions", "is_rated", "least_reliability", "welcomes_newcomers"),
)
"""Choices that are kept when the host switches to another game."""


class CreateGameForm(ClockFields):
    """The host's choices for one game. The option fields are built from the options' texts and menus."""

    pace = forms.ChoiceField(choices=Pace, initial=Pace.DAILY)
    name = forms.CharField(max_length=60, label=_("Name of the game"))
    seats = forms.TypedChoiceField(label=_("Seats"), coerce=int)
    bots = forms.TypedChoiceField(
        label=_("Bots among them"), coerce=int, help_text=BOTS, required=False, empty_value=None, initial=""
    )
    level = forms.ChoiceField(label=_("How the bots play"), required=False)
    is_open = forms.BooleanField(label=_("Anyone may join"), required=False, initial=True, help_text=BY_INVITATION)
    keeps_clock = forms.BooleanField(
        label=_("Keep deadlines when you play bots alone"), required=False, help_text=WITH_BOTS
    )
    companions = forms.CharField(
        max_length=200, label=_("Others at your device"), required=False, help_text=AT_ONE_DEVICE
    )
    least_reliability = forms.TypedChoiceField(
        label=_("Minimum reliability"), coerce=int, initial=0, required=False, help_text=RELIABLE
    )
    welcomes_newcomers = forms.BooleanField(
        label=_("Newcomers welcome"), required=False, initial=True, help_text=NEWCOMERS
    )
    is_rated = forms.BooleanField(label=_("Rated"), required=False, help_text=RATED)
    has_chat = forms.BooleanField(label=_("Chat"), required=False, initial=True, help_text=CHAT)
    takes_bots = forms.BooleanField(label=_("Bots of other players may join"), required=False, help_text=BOTS_JOIN)

    waives_unlocks = forms.BooleanField(label=_("Open to everyone"), required=False, help_text=WAIVES)

    def __init__(
        self,
        key: str,
        *args: Any,
        zone: str = "UTC",
        week: frozenset[int] = WAKING,
        locks: Mapping[tuple[str, Any], Refused] | None = None,
        **kwargs: Any,
    ) -> None:
        """`locks`: option and value -> why it is locked to the host."""
        super().__init__(*args, **kwargs)
        self.zone, self.week, self.locks = zone, week, locks or {}
        self.rules = RULESETS[key]
        self.table = board_of(key).options
        self.menus = menus_of(self.rules)
        self.usual = self.rules.parse_options({})
        self.fit_clocks(has_votes=any(row.phase.clock in VOTES for row in self.rules.flow(self.usual).rows))
        self._fit_seats()
        self._fit_level()
        self._fit_demands()
        if not has_ladder(self.rules):
            del self.fields["waives_unlocks"]
        if self.table.presets:
            choices = [(preset.key, say(preset.title)) for preset in self.table.presets]
            self.fields["preset"] = forms.ChoiceField(choices=choices, initial=choices[0][0])
        for name, menu in self.menus.items():
            self.fields[name] = self._option_field(name, menu)
            self.fields[name].rule = self.table.words_of(name).rule  # type: ignore[attr-defined]

    def options(self) -> dict[str, Any]:
        """The options as the rules take them: the preset's, overridden by those chosen one by one."""
        return {**self._preset_options(self.cleaned_data.get("preset")), **self._chosen(self.cleaned_data)}

    def current_numbers(self) -> tuple[int, int, int] | None:
        """The seats, the bots and the others at the host's device that the form would submit; None if they cannot be
        read."""
        seats, bots = (str(self[name].value() or "") for name in ("seats", "bots"))
        if not seats.isdecimal() or len(seats) > MOST_DIGITS or not (bots.isdecimal() or not bots):
            return None
        companions = sum(bool(name.strip()) for name in str(self["companions"].value() or "").split(","))
        recommended = self.recommended_bots(int(seats), companions, str(self["pace"].value()), self["is_rated"].value())
        return int(seats), int(bots[:MOST_DIGITS]) if bots else recommended, companions

    def chosen_bots(self) -> int:
        """The number of bots; as recommended, if the host left it open."""
        values = self.cleaned_data
        companions = sum(bool(name.strip()) for name in values["companions"].split(","))
        usual = self.recommended_bots(values["seats"], companions, values["pace"], values["is_rated"])
        return usual if values["bots"] is None else int(values["bots"])

    def recommended_bots(self, seats: int, companions: int, pace: str, is_rated: Any) -> int:
        """The number of bots with which a game with other people soon has its players; all other seats in a game
        without a clock."""
        if pace == Pace.NO_CLOCK:
            return max(seats - companions - 1, 0)
        return 0 if is_rated else max(seats - max(USUAL_PEOPLE, companions + 1), 0)

    def chosen_level(self) -> str:
        """The level of the bots, by default the game's usual one."""
        return self.cleaned_data.get("level") or board_of(self.rules.key).levels[0].key

    def current_options(self) -> dict[str, Any]:
        """The options that the form would submit as it stands, with defaults for unreadable fields."""
        pace, preset = self["pace"].value(), self["preset"].value() if "preset" in self.fields else None
        current = {name: self._read(name, self[name].value()) for name in self.menus}
        usual = {name: getattr(self.usual, name) for name in self.menus}
        return {**usual, **self.table.at_pace(str(pace)), **self._preset_options(preset), **self._chosen(current)}

    def current_preset(self) -> Preset | None:
        """The preset, unless other options change its length: such combinations were not measured."""
        preset = self.table.preset(str(self["preset"].value())) if "preset" in self.fields else None
        is_as_long = preset and self.table.length_words(self.current_options()) == self.table.length_words(
            preset.options
        )
        return preset if is_as_long else None

    def option_fields(self, *, checks: bool) -> list[forms.BoundField]:
        """The bound fields of the options that are in play: the check boxes, or the others."""
        in_play = self.table.in_play(self.current_options())
        return [self[name] for name in in_play if isinstance(self.fields[name], forms.BooleanField) == checks]

    def _fit_seats(self) -> None:
        seats = self.rules.seats
        usual = min(USUAL_SEATS, max(seats))
        self._fit("seats", [(number, str(number)) for number in seats], usual)
        numbers = [(str(number), str(number)) for number in range(max(seats))]
        field = self.fields["bots"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", say("As recommended")), *numbers]
        if "bots" in self.initial:
            text = str(self.initial["bots"])
            is_number = text.isdecimal() and len(text) <= MOST_DIGITS
            self.initial["bots"] = str(min(int(text), max(seats) - 1)) if is_number else ""

    def _fit_level(self) -> None:
        """The levels of this game; a game with one level has no such field."""
        levels, field = board_of(self.rules.key).levels, self.fields["level"]
        if len(levels) == 1:
            del self.fields["level"]
            return
        assert isinstance(field, forms.ChoiceField)
        field.choices, field.initial = [(level.key, say(level.title)) for level in levels], levels[0].key
        field.help_text = " ".join(f"{say(level.title)}: {say(level.about)}" for level in levels)
        if self.initial.get("level", levels[0].key) not in [level.key for level in levels]:
            self.initial["level"] = levels[0].key

    def _fit_demands(self) -> None:
        """The reliabilities that a host may require."""
        field = self.fields["least_reliability"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (least, say("from {least}%", least=least) if least else say("No minimum")) for least in CHOICES
        ]

    def _fit(self, name: str, choices: list[tuple[int, str]], initial: int) -> None:
        """Set the choices of a number field. A value carried over from another game moves to the nearest choice."""
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices, field.initial = choices, initial
        if name in self.initial:
            text = str(self.initial[name])
            number = int(text) if text.isdecimal() and len(text) < 4 else initial
            self.initial[name] = min(max(number, choices[0][0]), choices[-1][0])

    def _option_field(self, name: str, menu: tuple[Any, ...]) -> forms.Field:
        """A check box for yes or no; a choice for everything else, and for options that a preset or the pace may
        set."""
        words, set_by = self.table.words_of(name), self.table.set_by(name)
        if is_switch(menu) and not set_by:
            return forms.BooleanField(
                label=say(words.label), required=False, initial=getattr(self.usual, name), help_text=say(words.hint)
            )
        otherwise = [("", say(SET_BY[set_by]))] if set_by else []
        choices = [*otherwise, *[(str(value), self._value_words(name, value)) for value in menu]]
        hints = [say(words.hint), *[str(reason) for (option, _value), reason in self.locks.items() if option == name]]
        field = forms.TypedChoiceField(
            label=say(words.label),
            choices=choices,
            required=False,
            empty_value=None,
            help_text=" ".join(filter(None, hints)),
        )
        field.coerce, field.initial = (
            {str(value): value for value in menu}.__getitem__,
            "" if set_by else str(getattr(self.usual, name)),
        )
        return field

    def _value_words(self, name: str, value: Any) -> str:
        words = self.table.in_words(name, value)
        return say("{value} (locked)", value=words) if (name, value) in self.locks else words

    def lock_of(self, preset: Preset) -> str:
        """Why a preset is locked to the host, or an empty string."""
        return next((str(self.locks[each]) for each in preset.options.items() if each in self.locks), "")

    def _read(self, name: str, value: Any) -> Any:
        """A field's value in the type of the rules; None if it is empty or not among its choices."""
        if isinstance(self.fields[name], forms.BooleanField):
            return bool(value)
        return {str(choice): choice for choice in self.menus[name]}.get(str(value))

    def _preset_options(self, key: Any) -> Mapping[str, Any]:
        preset = self.table.preset(str(key))
        return preset.options if preset else {}

    def _chosen(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {name: values[name] for name in self.menus if values.get(name) is not None}


def carried_choices(query: Mapping[str, str]) -> dict[str, Any]:
    """The choices that a form for one game passes to the form for another."""
    initial: dict[str, Any] = {name: query[name] for name in CARRIED_FIELDS if name in query}
    if initial:
        boxes = ("is_open", "keeps_clock", "has_chat", "takes_bots", "is_rated", "welcomes_newcomers")
        initial |= {box: box in query for box in boxes}
    if initial.get("pace") not in Pace.values:
        initial.pop("pace", None)
    return initial
