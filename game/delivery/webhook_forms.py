"""The forms of webhooks: a new one, and what one is told of."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from game.infra.safe_http import MOST_OF_A_URL
from game.outbox.webhook_events import TYPES


class TypesForm(forms.Form):
    """Of what it is told."""

    types = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=list(TYPES.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )

    def chosen(self) -> list[str]:
        """None where all are: then it is told of what is to come, too."""
        kinds: Any = self.cleaned_data["types"]
        return [] if len(kinds) == len(TYPES) else list(kinds)


class WebhookForm(TypesForm):
    """Where to, and of what."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MOST_OF_A_URL,
        help_text=_("It begins with https:// and names a host on the public Internet."),
        widget=forms.URLInput(attrs={"placeholder": "https://hooks.example.org/sectors", "autocomplete": "off"}),
    )
    field_order = ["url", "types"]
