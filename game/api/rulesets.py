"""Endpoints for the games of this site."""

from __future__ import annotations

from django.conf import settings
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from game.api import answers, shapes
from game.api.endpoint import Endpoint, Operation, page_url
from game.api.facts.rulesets import RulesetFacts, RulesetSchema, facts_of, list_rulesets, schema_of
from game.api.problems import Problem
from game.boards.registry import board_of
from game.boards.rulebook import Pages, Section, pages_of
from game.boards.rulebook import Rulebook as Book
from game.boards.rulebook.search import find as look_up
from game.deadlines.paces import length_of
from game.engine.language import say
from game.engine.ruleset import Ruleset
from game.reputation.leaderboards import Ranked, after
from game.rulesets.registry import RULESETS


class Rulesets(Endpoint):
    """All games."""

    operations = {"GET": Operation("list_rulesets", "The games of this site", shapes.Rulesets, is_open=True)}

    def get(self, request: Request) -> Response:
        return Response(shapes.Rulesets(list_rulesets()))


class OneRuleset(Endpoint):
    """The choices of a host."""

    operations = {
        "GET": Operation(
            "get_ruleset",
            "One game: paces, phases, presets, bots and options",
            RulesetFacts,
            is_open=True,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        return Response(facts_of(find(key)))


class Schema(Endpoint):
    """JSON Schemas of one game."""

    operations = {
        "GET": Operation(
            "get_ruleset_schema",
            "JSON Schemas of a game’s actions, view and events",
            RulesetSchema,
            is_open=True,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        return Response(schema_of(find(key).key))


class Leaderboard(Endpoint):
    """The strongest players."""

    operations = {
        "GET": Operation(
            "get_leaderboard",
            "The people of a game, the surest strength first",
            shapes.Leaderboard,
            is_open=True,
            query=shapes.LeaderboardQuery,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        rules = find(key)
        ladder = next(iter(rules.ladders)) if self.query.ladder is None else self.query.ladder
        if ladder not in rules.ladders:
            raise Problem("not-found", say("This game has no such leaderboard."))
        rows, cursor = after(ruleset=rules.key, ladder=ladder, cursor=self.query.cursor, limit=self.query.limit)
        next_url = page_url(request, cursor=cursor) if cursor else None
        return Response(shapes.Leaderboard([_leaderboard_line(row) for row in rows], next_url))


def _leaderboard_line(row: Ranked) -> shapes.LeaderboardLine:
    return shapes.LeaderboardLine(
        rank=row.rank,
        person=row.user_id,
        name=row.name,
        rating=row.points.rating,
        spread=row.points.spread,
        sure=row.sure,
        games=row.points.games,
        is_provisional=row.points.is_provisional,
        reliability=row.reliability.percent if row.reliability.is_known else None,
        last_month=f"{row.last_at:%Y-%m}",
    )


class Rulebook(Endpoint):
    """The rules of a game."""

    operations = {
        "GET": Operation(
            "get_rulebook",
            "The rules of a game, or the sections that answer a question",
            answers.Rulebook,
            is_open=True,
            query=shapes.RulebookQuery,
            limit="heavy",
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str) -> Response:
        book, pages = _find_rulebook(key, self.query.variant)
        query = self.query.q
        sections = look_up(pages, query, book.numbering) if query else pages.sections
        lines = [_section_line(key, book, pages, section) for section in sections]
        return Response(answers.Rulebook(book.title, pages.variant.key, list(book.by_key), lines))


class Rule(Endpoint):
    """One rule; `rule_url` of a refusal points here."""

    operations = {
        "GET": Operation(
            "get_rule",
            "One rule of a game by its number, as refusals name it",
            answers.SectionLine,
            is_open=True,
            query=shapes.VariantQuery,
            problems=("not-found",),
        )
    }

    def get(self, request: Request, key: str, rule: str) -> Response:
        book, pages = _find_rulebook(key, self.query.variant)
        section = pages.rule_at(book.anchor_of(rule))
        if section is None:
            raise Problem("not-found", say("There is no such rule."))
        return Response(_section_line(key, book, pages, section))


def _find_rulebook(key: str, variant: str) -> tuple[Book, Pages]:
    """The rulebook of a game for this variant, by default the usual one. Raises `Problem`."""
    book = board_of(find(key).key).book
    if book is None:
        raise Problem("not-found", say("This game has no rulebook here."))
    return book, pages_of(book, book.by_key.get(variant, book.usual).key, length_of)


def _section_line(key: str, book: Book, pages: Pages, section: Section) -> answers.SectionLine:
    page_address = settings.SITE_URL + reverse("rulebook", args=[key]) + book.query(pages.variant.key)
    notes = [answers.NoteLine(note.rule, note.subject, note.html) for note in section.notes]
    return answers.SectionLine(section.number, section.title, section.html, f"{page_address}#{section.anchor}", notes)


def find(key: str) -> Ruleset:
    """The rules of that name. Raises `Problem`."""
    if key not in RULESETS:
        raise Problem("not-found", say("There is no such game. Choose one of {games}.", games=", ".join(RULESETS)))
    return RULESETS[key]
