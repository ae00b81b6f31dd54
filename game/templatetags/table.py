"""Parts of the page of a running game: the rail of phases, and the panel's number fields and share meter."""

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.safestring import SafeString

from game.boards.shapes import Meter
from game.engine.language import count, kept, mark, mark_as, say, say_as

register = template.Library()

RAIL_WORDS = {
    "now": mark_as("phase", "now"),
    "todo": mark_as("phase", "to come"),
    "done": mark_as("phase", "done"),
    "skip": mark_as("phase", "not played this turn"),
}
SMALLEST_ROUND = 4  # phases; the name of a shorter round would not fit


@register.simple_tag
def rail(rounds: Sequence[Any]) -> SafeString:
    """All phases of the turn: a tall mark waits for players, a hatched one is not played."""
    return SafeString("".join(rail_round(entry) for entry in rounds))


def rail_round(entry: Any) -> str:
    states = [phase.state for phase in entry.phases]
    here = entry.phases[states.index("now")].number if entry.state == "now" else ""
    current = ' aria-current="step"' if here else ""
    marks = "".join(rail_phase(phase) for phase in entry.phases)
    return (
        f'<li class="rail-g rail-g--{entry.state} n{max(len(states), SMALLEST_ROUND)}"{current}>'
        f'<span class="rail-name">{escape(say(entry.title))}</span><span '
        f'class="rail-sub">{round_words(entry.state, len(states), here)}</span>'
        f"<ol>{marks}</ol></li>"
    )


@kept(1024)
def rail_phase(phase: Any) -> str:
    named = say("Phase {number}, {title}", number=escape(phase.number), title=escape(say(phase.title)))
    label = f"{named}: {say_as('phase', RAIL_WORDS[phase.state])}"
    waits = " rail-p--waits" if phase.waits else ""
    return f'<li class="rail-p rail-p--{phase.state}{waits}" title="{label}"><span class="vh">{label}</span></li>'


def round_words(state: str, phases: int, here: str) -> str:
    """The progress of a round; the open phase by its rule number."""
    if here:
        return say("phase {number}", number=escape(here))
    if state == "todo":
        return count("{n} phase", "{n} phases", phases)
    return say_as("phase", "done" if state == "done" else "not this turn")


@register.filter
def send_icon(state: str) -> str:
    return "none" if state == "review" else state


@register.simple_tag
def clock(at: datetime) -> str:
    """The local time of an instant."""
    return f"{timezone.localtime(at):%H:%M}"


@register.simple_tag
def to_the_second(at: datetime) -> str:
    """The local time of a receipt, with the day if it is not today."""
    here = timezone.localtime(at)
    day = "" if here.date() == timezone.localtime().date() else f"{here:%A} {here.day} {here:%b}, "
    return f"{day}{here:%H:%M:%S}"


@register.simple_tag(takes_context=True)
def stepper(context: Context, name: str, value: Any, low: int, high: int, noun: str, by: int = 1) -> SafeString:
    """A number field with plus and minus buttons; without scripts only the field."""
    panel = context.get("panel")
    bad = ' aria-invalid="true" aria-describedby="refusal"' if panel and panel.bad_field == name else ""
    fewer, more = (
        f'<button type="button" data-script data-step="{step}" aria-label="{say(word, noun=noun)}">{sign}</button>'
        for step, word, sign in ((-1, mark("Fewer {noun}"), "−"), (1, mark("More {noun}"), "+"))
    )
    limits = f'min="{low}" max="{high}"' + (f' step="{by}"' if by != 1 else "")
    field = f'id="{name}" name="{name}" {limits} value="{escape(str(value))}"{bad}'
    return SafeString(f'<div class="stepper">{fewer}<input type="number" inputmode="numeric" {field}>{more}</div>')


@register.simple_tag
def meter(share: Meter) -> SafeString:
    """Held and added shares against the cap; the numbers are shown next to it."""
    held, added, cap = (round(1.5 * min(percent, 100)) for percent in (share.held, share.added, share.cap))
    shapes = (
        '<rect class="meter-bg" x=".5" y="3.5" width="149" height="8"/><rect class="meter-held" x="0" y="3" '
        f'width="{held}" height="9"/>'
    )
    shapes += f'<path class="meter-add" d="M{held} 7.5h{min(added, 150 - held)}"/>' if added else ""
    shapes += f'<path class="meter-cap" d="M{min(cap, 149)} 0v15"/>' if cap < 150 else ""
    return SafeString(f'<svg class="meter" viewBox="0 0 150 15" aria-hidden="true" focusable="false">{shapes}</svg>')
