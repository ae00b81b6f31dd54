"""The words that a ruleset adds to the language of scenarios."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from game.engine.scenarios.language import known, mapping

Story: TypeAlias = Any
"""A `scenarios.story.Story`, and so on: the modules that define these types import rulesets, which contain words."""
Given: TypeAlias = Any
Situation: TypeAlias = Any
Request = dict[str, Any]
Answers = Iterator[tuple[str, Any, Any]]
"""Triples of question, expected value and actual value."""
Read = Callable[[Any, list[str]], Any]
"""From a fixed draw as written, and the players' names, to the answer as the rules draw it."""


@dataclass(frozen=True)
class Sentence:
    """One thing that a player can say: examples, the pattern, and the request that it stands for."""

    forms: tuple[str, ...]
    pattern: re.Pattern[str]
    request: Callable[[Story, re.Match[str]], Request]


@dataclass(frozen=True)
class Question:
    """A word of `then`: the kind of thing it is about, its meaning, and how to find its answers."""

    of: str
    meaning: str
    answers: Callable[[Story, str, Any], Answers]


@dataclass(frozen=True)
class Glossary:
    """A further table on the page of the vocabulary: words inside the values of `given`."""

    title: str
    head: tuple[str, str]
    meanings: Mapping[str, str]
    note: str = ""


def no_check(group: str, values: Mapping[str, Any]) -> None:
    """Default for a ruleset whose values need no further check."""


@dataclass(kw_only=True)
class Words:
    """A ruleset's words. Sentences and questions are added by `sentence`, `ask`, `ask_of`, `question` and `find`.

    In a mapping keyed by group, the group is `given`, or the word of `given` whose value has words of its own."""

    given: type[Given]
    build: Callable[[Any], Situation]  # given -> where the game stands
    meanings: Mapping[str, Mapping[str, str]]  # group -> word -> what it says; "; otherwise …" tells its default
    draws: Mapping[str, str]  # label of a draw -> what its answers are
    read: Mapping[str, Read] = field(default_factory=dict)  # label -> how an answer is read
    values: Mapping[tuple[str, str], Collection[str]] = field(default_factory=dict)  # group, word
    check: Callable[[str, Mapping[str, Any]], None] = no_check  # group, what was said; raises ScenarioError
    rule: re.Pattern[str] = re.compile(r".+")  # what a rule number looks like
    rule_examples: str = ""
    seats_in: Collection[str] = ()  # fields of events: `giver`, or `priority_set.order` of one only
    conserved: Mapping[str, Callable[[Any], int]] = field(
        default_factory=dict
    )  # state -> what no step may make or lose
    glossaries: tuple[Glossary, ...] = ()
    sentences: list[Sentence] = field(default_factory=list)
    questions: dict[str, Question] = field(default_factory=dict)
    finders: dict[str, Callable[[Story, Any], Any]] = field(default_factory=dict)

    def sentence(self, pattern: str, *forms: str) -> Callable[..., Any]:
        """Decorate a function that makes a request from a sentence; `forms` are examples for the vocabulary."""

        def enter(request: Callable[[Story, re.Match[str]], Request]) -> Callable[..., Request]:
            self.sentences.append(Sentence(forms, re.compile(pattern), request))
            return request

        return enter

    def question(self, word: str, of: str, meaning: str) -> Callable[..., Any]:
        """Decorate a function that answers a question whose expectation has its own structure."""

        def enter(answers: Callable[[Story, str, Any], Answers]) -> Callable[..., Answers]:
            self.questions[word] = Question(of, meaning, answers)
            return answers

        return enter

    def ask(self, word: str, meaning: str, answer: Callable[[Story], Any]) -> None:
        """Add a question about the whole table."""

        def answers(story: Story, question: str, expected: Any) -> Answers:
            yield question, expected, answer(story)

        self.questions[word] = Question("the table", meaning, answers)

    def ask_of(self, of: str, word: str, meaning: str, answer: Callable[[Story, Any], Any]) -> None:
        """Add a question about each named player, company or other thing."""

        def answers(story: Story, question: str, expected: Any) -> Answers:
            for name, value in mapping(expected, question).items():
                yield f"{question} of {name}", value, answer(story, story.find(of, name))

        self.questions[word] = Question(of, meaning, answers)

    def find(self, of: str, things: Callable[[Story], Mapping[Any, Any]]) -> None:
        """Define how to find the things of a kind by name."""
        self.finders[of] = lambda story, name: things(story)[known(name, things(story), of)]


def seats_in_order(answer: Any, names: list[str]) -> list[int]:
    """A drawn order of players, written with their names."""
    names_in_order = answer if isinstance(answer, list) else [answer]
    return [names.index(known(name, names, "player")) for name in names_in_order]
