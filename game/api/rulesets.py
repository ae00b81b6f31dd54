"""The games that can be played here."""

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
    """All of them."""

    operations = {"GET": Operation("list_rulesets", "The games of this site", shapes.Rulesets, is_open=True)}

    def get(self, request: Request) -> Response:
        return Response(shapes.Rulesets(list_rulesets()))


class OneRuleset(Endpoint):
    """What a host chooses from."""

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
    """The shapes of what belongs to one game."""

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
    """Who is how strong."""

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
        found, cursor = after(ruleset=find(key).key, cursor=self.query.cursor, limit=self.query.limit)
        following = page_url(request, cursor=cursor) if cursor else None
        return Response(shapes.Leaderboard([_line(row) for row in found], following))


def _line(row: Ranked) -> shapes.LeaderboardLine:
    return shapes.LeaderboardLine(
        rank=row.rank,
        person=row.user_id,
        name=row.name,
        rating=row.shown.rating,
        spread=row.shown.spread,
        sure=row.sure,
        games=row.shown.games,
        is_provisional=row.shown.is_provisional,
        reliability=row.reliability.percent if row.reliability.is_known else None,
        last_month=f"{row.last_at:%Y-%m}",
    )


class Rulebook(Endpoint):
    """The rules to read."""

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
        book, pages = _read(key, self.query.variant)
        asked = self.query.q
        sections = look_up(pages, asked, book.numbering) if asked else pages.sections
        lines = [_section(key, book, pages, each) for each in sections]
        return Response(answers.Rulebook(book.title, pages.variant.key, list(book.by_key), lines))


class Rule(Endpoint):
    """One rule, where `rule_url` of a refusal points."""

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
        book, pages = _read(key, self.query.variant)
        found = pages.rule_at(book.anchor_of(rule))
        if found is None:
            raise Problem("not-found", say("There is no such rule."))
        return Response(_section(key, book, pages, found))


def _read(key: str, variant: str) -> tuple[Book, Pages]:
    """The rulebook of a game, as this variant plays it or the usual one. Raises `Problem`."""
    book = board_of(find(key).key).book
    if book is None:
        raise Problem("not-found", say("This game has no rulebook here."))
    return book, pages_of(book, book.by_key.get(variant, book.usual).key, length_of)


def _section(key: str, book: Book, pages: Pages, found: Section) -> answers.SectionLine:
    where = settings.SITE_URL + reverse("rulebook", args=[key]) + book.query(pages.variant.key)
    notes = [answers.NoteLine(each.rule, each.subject, each.html) for each in found.notes]
    return answers.SectionLine(found.number, found.title, found.html, f"{where}#{found.anchor}", notes)


def find(key: str) -> Ruleset:
    """The rules of that name. Raises `Problem`."""
    if key not in RULESETS:
        raise Problem("not-found", say("There is no such game; there are {games}.", games=", ".join(RULESETS)))
    return RULESETS[key]
