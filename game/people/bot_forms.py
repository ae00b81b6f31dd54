"""The form for a bot: its name, and which games it joins."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.limits import most_of
from accounts.models import User
from game.bots.accounts import LONGEST_NAME, UNFINISHED, Declared, kept_seats
from game.engine.language import apart, say
from game.rulesets.registry import RULESETS
from game.store.bot_models import BotAccount
from game.store.game import Keeper, Pace, Seat

PACES = [pace for pace in Pace if pace != Pace.NO_CLOCK]


class BotForm(forms.Form):
    """A bot as its owner describes it; the name is chosen once."""

    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME, help_text=_("Your own name is shown beside it."))
    rulesets = forms.MultipleChoiceField(label=_("Games it plays"), widget=forms.CheckboxSelectMultiple)
    paces = forms.MultipleChoiceField(label=_("Paces it plays at"), widget=forms.CheckboxSelectMultiple)
    least_seats = forms.IntegerField(label=_("Fewest players"), min_value=2, max_value=100, initial=2)
    most_seats = forms.IntegerField(label=_("Most players"), min_value=2, max_value=100, initial=8)

    def __init__(self, *args: Any, bot: BotAccount | None = None, **kwargs: Any) -> None:
        current = {} if bot is None else {name: getattr(bot, name) for name in Declared._fields}
        defaults = {"rulesets": list(RULESETS), "paces": [pace.value for pace in PACES]}
        kwargs["initial"] = defaults | current
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        most_games = most_of("bot_games")
        fields["most_games"] = forms.IntegerField(
            label=_("Games at a time"), min_value=1, max_value=most_games, initial=1
        )
        fields["rulesets"].choices = [(key, rules.title) for key, rules in RULESETS.items()]
        fields["paces"].choices = [(pace.value, say(str(pace.label))) for pace in PACES]
        if bot is not None:
            del self.fields["name"]

    def declared(self) -> Declared:
        """Which games the bot joins."""
        return Declared(**{name: self.cleaned_data[name] for name in Declared._fields})


def bots_context(owner: User) -> dict[str, Any]:
    """The owner's bots, and the seats that the caretaker plays for them."""
    bots = owner.bots.select_related("user").prefetch_related("user__api_tokens")
    rows = [_bot_row(bot) for bot in bots]
    most_bots = most_of("bots")
    return {"bots": rows, "may_make": len(rows) < most_bots, "most": most_bots}


def games_of(user: User) -> list[tuple[int, str]]:
    """A user's unfinished games, newest first: numbers and names."""
    own_seats = Seat.objects.filter(user=user, game__status__in=UNFINISHED, game__lesson="")
    rows = own_seats.exclude(keeper=Keeper.RESIGNED).order_by("-game_id").values_list("game_id", "game__name")
    return [(number, f"{apart(name)} ({number})") for number, name in rows]


def _bot_row(bot: BotAccount) -> dict[str, Any]:
    """A bot, what it plays in words, and its valid tokens."""
    now = timezone.now()
    return {
        "bot": bot,
        "kept": kept_seats(bot),
        "rulesets": [RULESETS[key].title for key in bot.rulesets if key in RULESETS],
        "paces": [say(str(pace.label)) for pace in PACES if pace.value in bot.paces],
        "tokens": [token for token in bot.user.api_tokens.all() if token.expires_at > now],
    }
