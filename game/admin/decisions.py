"""The form for a decision about a person: why, by which case, and what speaks for them."""

from __future__ import annotations

from django import forms

from game.admin.reports import WhyForm, reason_field
from game.moderation import cases
from game.store.case_models import Case
from game.store.numbers import MOST, key_of


class DecisionForm(WhyForm):
    """The person reads the reason."""

    reason = reason_field("Reason, mailed to the person")
    case = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST,
        help_text="The number of the case that this decides, if any; needed while they are suspected of collusion.",
    )
    exculpatory = forms.CharField(
        required=False, max_length=cases.MOST_TEXT, label="What speaks for them",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Needed where the case is about collusion or a detector opened it.",
    )  # fmt: skip

    def clean_case(self) -> Case | None:
        """Only by its number: the service tells those who may know whether there is such a case."""
        number = self.cleaned_data["case"]
        return Case(pk=key_of(Case, number)) if number else None
