"""The texts of a page's scripts in the reader's language; each script reads them from its own tag."""

from __future__ import annotations

import json

from django import template

from game.engine.language import kept, mark, say

register = template.Library()

WORDS = {
    "explain": {"page": mark("As a page")},
    "live": {"unread": mark("({unread} new)")},
    "requests": {
        "slow": mark("Waiting for an answer …"),
        "away": mark("No connection. Trying again …"),
        "unheard": mark("No connection."),
        "untaken": mark("Something went wrong."),
        "unsaved": mark("Not saved yet; your entries are still here."),
        "again": mark("It is sent again automatically. Leave this page open."),
        "unsent": mark("Nothing was submitted. Press again in a moment."),
        "other": mark(
            "{name} is no longer signed in here. Nothing was sent, and what you entered is still here. Sign in again "
            "as {name} in another tab, then press again."
        ),
    },
    "ticket": {
        "price": mark("{company} is now {now}, was {was}."),
        "chosen": mark("{chosen} of {most} chosen"),
    },
}


@register.simple_tag
@kept()
def script_words(script: str) -> str:
    """The texts of a script as JSON, for the attribute `data-words` of its tag, whose id is the script's name."""
    return json.dumps({name: say(text) for name, text in WORDS[script].items()}, ensure_ascii=False)
