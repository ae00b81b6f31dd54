"""What the shell may ask of any game: decisions, pages, rows, options and rulebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from game.boards.auto import AutoDecision
from game.boards.decision import Decision
from game.boards.drawing import COLOURS, DASHES
from game.boards.lessons import Lesson, Note
from game.boards.options import STEADY, BotLevel, OptionTable
from game.boards.outcomes import Absence, Outcome, Teller, outcomes_of_events, score_since
from game.boards.reports import Report, RoundTables, no_tables
from game.boards.rulebook import Rulebook
from game.boards.sheets import (
    Earnings,
    Point,
    PriceMark,
    PriceWords,
    Rows,
    Sheet,
    no_marks,
    no_rows,
    plain_sheets,
    scores_only,
)
from game.boards.story.plain import plain_story
from game.boards.story.played import Storyteller
from game.engine.flow import Mode, Phase
from game.engine.language import mark, say
from game.engine.phrases import capitalised, inside, thousands
from game.engine.position import AnyPosition
from game.engine.ruleset import Ruleset

AUTO = AutoDecision()
PASSED = mark("pass")
MOST_SAID = 3
AUTO_STYLES = ("css/boards/auto.css",)  # wanted by every board that leaves a decision or its own template out


@dataclass(frozen=True)
class Fact:
    """A figure of a position with its label, for emails and lists."""

    label: str
    value: str


def score_alone(view: Any, seat: int) -> tuple[Fact, ...]:
    """Default for a game of which only the scores are known."""
    return (Fact(say("Score"), thousands(view.player(seat).score)),)


def nothing_held(view: Any, seat: int) -> tuple[Fact, ...]:
    """Default for a game without holdings, or none that an email must list."""
    return ()


def aside_of(view: Any) -> str:
    """The default state of the game in words, printed next to the panel's flag."""
    phase = view.phase
    if phase.round == phase.title:
        return say("Phase {number}, {title}", number=phase.number, title=say(phase.title))
    return say("{round}, phase {number}", round=say(phase.round), number=phase.number)


def plain_prompt(phase: Any, *, is_turn: bool) -> str:
    """Default prompt of a phase of which only number and title are known."""
    if is_turn:
        return say("Take your turn in phase {number}, {title}", number=phase.number, title=say(phase.title))
    return say("Make your decision in phase {number}, {title}", number=phase.number, title=say(phase.title))


def result_of(view: Any) -> str:
    """Default heading of a phase without decisions, while its result is shown."""
    return f"{say(view.phase.title)}."


def nothing_watched(view: Any) -> str:
    """Default for a game whose forms do not depend on prices."""
    return ""


def nowhere(view: Any) -> str:
    """Default for a game in which the name of the open phase says where it stands."""
    return ""


def no_goal(view: Any) -> str:
    """Default for a game of which only the score is known."""
    return ""


def undrawn(view: Any, company: str, you: int | None) -> Markup:
    """A game whose companies have no pieces."""
    return Markup("")


def plain_line(company: str, place: int) -> tuple[str, str]:
    """A game whose companies have no colours of their own."""
    return f"k{place % COLOURS + 1} d{place % DASHES + 1}", company


@dataclass(frozen=True)
class Step:
    """A seat's place in the turn order; `note` adds a role, such as the dealer."""

    seat: int
    is_now: bool = False
    has_acted: bool = False
    note: str = ""


def no_order(view: Any) -> tuple[Step, ...]:
    """Default for a game in which all seats decide at the same time."""
    return ()


def no_company(view: Any) -> str:
    """Default for a game whose phases are not about a company."""
    return ""


@dataclass(frozen=True)
class Board:
    """How one game is shown and how its decisions are asked. Anything that a board leaves out is made from the game's
    view and offers."""

    rules: Ruleset
    pitch: str = ""  # one line for people who choose a game
    options: OptionTable = field(default_factory=OptionTable)
    score: str = mark("Score")  # the players' word for the final score
    goal: Callable[[Any], str] = no_goal  # view -> what wins and when it is over, as a sentence
    notes: tuple[Note, ...] = ()  # for the first decisions of a first game
    lessons: tuple[Lesson, ...] = ()  # in the order in which they are taken
    invented: str = ""  # what an analysis copy invents or leaves out, where the rules have `determinise`
    phase_rules: Mapping[str, str] = field(default_factory=dict)  # phase -> the number of the rule that explains it
    score_means: Callable[[Any], str] = no_goal  # view -> what it is made of, as a sentence under the standings
    endings: Mapping[str, str] = field(default_factory=dict)  # reason of an end -> its sentence, `{turn}` the last turn
    topics: tuple[tuple[str, str], ...] = ()  # topics of events by which the log is filtered, with their labels
    rows: Callable[[Any], Rows] = no_rows  # a stranger's view -> what is queryable
    point: Callable[[Any], Point] = scores_only  # a stranger's view -> a moment of the course
    earnings: Earnings | None = None  # what its companies earn in a turn, for a chart
    prices: PriceWords = field(default_factory=PriceWords)  # its words for the price of a share
    marks: Callable[[Any, Sequence[Mapping[str, Any]]], tuple[PriceMark, ...]] = (
        no_marks  # a seat's view and its requests now -> its orders and their results, for the price chart
    )
    sheets: Callable[[Any, Rows, Sequence[str]], tuple[Sheet, ...]] = (
        plain_sheets  # a view, its rows and the players' names -> the tables of its spreadsheet
    )
    round_tables: RoundTables = no_tables  # what a round of a turn brought, in tables
    story: Storyteller = plain_story  # a game that is over -> what decided it
    book: Rulebook | None = None  # its pages in the site
    levels: tuple[BotLevel, ...] = (STEADY,)  # the bots a host can choose from, the default first
    facts: Callable[[Any, int], tuple[Fact, ...]] = score_alone  # view, seat -> the figures of a position
    holdings: Callable[[Any, int], tuple[Fact, ...]] = nothing_held  # view, seat -> what the seat holds, a line each
    without_holdings: str = ""  # the sentence for a seat that holds nothing
    report: Report = field(default_factory=Report)  # what reports on many games print of this one only
    decisions: Mapping[str, Decision] = field(default_factory=dict)  # decisions by phase, or by the result of `asks`
    asks: Callable[[Any], str] | None = None  # view -> which of `decisions` is asked, where a phase asks several things
    template: str = "boards/auto/board.html"  # what everybody sees
    front: str = ""  # the part of the front page about this game; the first game with one is shown there
    front_chart: str = ""  # the part of `front` that differs from turn to turn, with an `id` of its own
    icons: str = ""  # the template of its icons, `<symbol>` each; they are part of every page's sprite
    beside: str = ""  # the part of the decision that stands on the board, where it has room; `template` includes it
    styles: tuple[str, ...] = AUTO_STYLES  # style sheets of this game's pages only
    scripts: tuple[str, ...] = ()  # scripts of this game's pages only
    line: Callable[[str, int], tuple[str, str]] = plain_line  # a company's key and number -> its line's look and name
    piece: Callable[[Any, str, int | None], Markup] = undrawn  # view, a company's key, the reader's seat -> its drawing
    tags: tuple[Callable[..., Any], ...] = ()  # functions of its templates; the page is an argument `context`
    filters: tuple[Callable[..., Any], ...] = ()  # filters of its templates
    aside: Callable[[Any], str] = aside_of
    result: Callable[[Any], str] = result_of
    outcomes: Teller = outcomes_of_events  # what happened to a seat, with its reasons
    since: Callable[[Absence], list[Outcome]] = score_since  # the differences to the position last seen
    order: Callable[[Any], tuple[Step, ...]] = no_order  # view -> the order of turns, the first seat first
    turn_figures: Callable[[Any, int], tuple[tuple[str, int], ...]] | None = (
        None  # view, seat -> the figures that the summary of a turn compares, the score first; None: no summaries
    )
    where: Callable[[Any], str] = nowhere  # view -> what follows the title of the open phase on the rail
    letters: frozenset[str] = frozenset()  # letters on its pieces, which no seat's badge uses
    company: Callable[[Any], str] = no_company  # view -> the name of the company that the open phase is about
    ahead: str = mark(
        "The game is not waiting for you. What you choose here counts when its phase opens."
    )  # deciding early
    watched: Callable[[Any], str] = nothing_watched  # view -> the figures under a form, as `NAME:figure NAME:figure`

    def decision(self, phase: str) -> Decision:
        """The decision form of a phase: the board's own, or one made from its offers."""
        return self.decisions.get(phase, AUTO)

    def decision_of(self, view: Any) -> Decision:
        """The decision form of the open phase for the viewer."""
        return self.decision(view.phase.name if self.asks is None else self.asks(view))

    def decision_at(self, position: AnyPosition, seat: int, phase: str) -> Decision:
        """The decision form of a phase by its name, without a view."""
        return self.decision(phase) if self.asks is None else self.decision_of(self.rules.view(position, seat))

    def level(self, key: str) -> BotLevel | None:
        """The level of a bot; None for bots that hosts cannot choose."""
        return next((level for level in self.levels if level.key == key), None)

    def goal_of(self, view: Any) -> str:
        """How to win, as a sentence; empty once the game is over."""
        if view.phase is None:
            return ""
        return self.goal(view) or say("The highest {score} at the end wins.", score=inside(self.score))

    def ending(self, view: Any) -> str:
        """Why the game is over, as a sentence."""
        reason = self.rules.registries.get("ends", {}).get(view.end, "")
        text = self.endings.get(view.end) or (f"{capitalised(say(str(reason)))}." if reason else "")
        return say(text, turn=view.turn)

    def prompt(self, view: Any) -> str:
        """What the open phase asks, as an imperative without its full stop."""
        if view.phase is None:
            return ""
        prompt = self.decision_of(view).prompt or plain_prompt(view.phase, is_turn=view.phase.mode == Mode.TURNS.value)
        return say(prompt, company=self.company(view) or say("the company"))

    def prompt_of_phase(self, phase: Phase) -> str:
        """What a phase asks, as an imperative without its full stop. It names no company, since it reads no view."""
        prompt = self.decision(phase.name).prompt or plain_prompt(phase, is_turn=phase.mode is Mode.TURNS)
        return say(prompt, company=say("a company of yours"))

    def lasting(self, request: Mapping[str, Any], view: Any) -> str:
        """A lasting request in a player's words, whatever phase is open."""
        phase = next(iter(self.rules.actions[request["kind"]].phases))
        return self.decision(phase).sentence(request, view)

    def sentence(self, request: Mapping[str, Any], view: Any) -> str:
        """A request in a player's words."""
        return say(PASSED) if request.get("kind") == "pass" else self.decision_of(view).sentence(request, view)

    def summary(self, requests: Iterable[Mapping[str, Any]], view: Any) -> str:
        """All requests on one line."""
        sentences = [self.sentence(request, view) for request in requests]
        if len(sentences) <= MOST_SAID:
            return "; ".join(sentences)
        return say("{told} and {n} more", told="; ".join(sentences[:2]), n=len(sentences) - 2)
