"""Forms for webhooks: creating one, and choosing its messages."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from game.infra.safe_http import MOST_OF_A_URL
from game.outbox.webhook_events import TYPES


class TypesForm(forms.Form):
    """Which messages it gets."""

    types = forms.MultipleChoiceField(
        label=_("Messages"),
        choices=list(TYPES.items()),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one.")},
    )

    def chosen(self) -> list[str]:
        """Empty if all are chosen: then it also gets types that are added later."""
        kinds: Any = self.cleaned_data["types"]
        return [] if len(kinds) == len(TYPES) else list(kinds)


class WebhookForm(TypesForm):
    """The URL, and which messages it gets."""

    url = forms.CharField(
        label=_("Address"),
        max_length=MOST_OF_A_URL,
        help_text=_("It begins with https:// and names a host on the public Internet."),
        widget=forms.URLInput(attrs={"placeholder": "https://hooks.example.org/sectors", "autocomplete": "off"}),
    )
    field_order = ["url", "types"]
