"""Detectors compare two accounts in a game that ended and open a case for the desk, nothing more. Each game is examined
once, within an hour of its end. A finding is a reason to look, not proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from statistics import median
from typing import Any, NamedTuple

from django.db.models import Count, Q
from django.db.models.functions import Now

from accounts.models import User
from game.engine.codec import Damaged
from game.moderation import case_filing
from game.moderation.collusion import Concord, OffMarket, Pair, choices_of, concords, off_market_payments
from game.moderation.multi_accounts import FINGERPRINT_DAYS, Hint, hints_of_games
from game.reputation import households
from game.reputation.models import RatedResult
from game.store.case_models import Case, Comparison
from game.store.game import Game, Seat, Status
from game.store.seat_models import Tenure

GAMES_A_ROUND = 20  # games a round
HOUSEHOLD_NOTE = (
    "Both declared on {day} that they share a home or a connection: people who live together talk, also about games."
)
ACCOUNTS, PLAY = "accounts", "play"
Severity = Case.Severity


class Detector(NamedTuple):
    """A figure about a pair and the threshold at which it opens a case. `least` is in days for `ACCOUNTS`, in percent
    for `PLAY`; `counted` is the least number of decisions or payments, and `above` the least difference in points from
    the usual value at the table. `against` names harmless explanations."""

    key: str
    subject: str
    severity: Severity
    least: int
    counted: int
    above: int
    words: str
    against: str


DETECTORS = (
    Detector(
        "device", ACCOUNTS, Severity.NORMAL, 1, 0, 0, "Days on which one browser was signed in to both accounts",
        "Families share a computer, and friends sign in at each other's.",
    ),
    Detector(
        "mailbox", ACCOUNTS, Severity.NORMAL, 0, 0, 0, "Both accounts use one mailbox under two spellings",
        "A couple or a club may read one mailbox.",
    ),
    Detector(
        "address", ACCOUNTS, Severity.LOW, 5, 0, 0, "Days on which one of them came from an address both used",
        "Households, schools, offices and mobile networks share an address.",
    ),
    Detector(
        "payments", PLAY, Severity.NORMAL, 80, 3, 0, "Money between them far from market that went in one direction",
        "A deal can be worth more to one player than the table pays, and beginners misjudge prices.",
    ),
    Detector(
        "choices", PLAY, Severity.NORMAL, 80, 12, 30, "The same choice in the same phase",
        "Players in the same position choose alike, and so do players who have read the same advice.",
    ),
    Detector(
        "timing", PLAY, Severity.LOW, 90, 12, 30, "Decisions within two minutes of each other",
        "Both may answer the same email, or play in the same free hour.",
    ),
    Detector(
        "results", PLAY, Severity.LOW, 90, 8, 0, "Rated games in which the same one came out above the other",
        "A strong player usually comes out above a weak one, and friends play many games together.",
    ),
)  # fmt: skip
"""All thresholds, in one place; `docs/moderation.md` shows the same table."""
BY_KEY = {detector.key: detector for detector in DETECTORS}
EXPLAINED_BY_HOUSEHOLD = frozenset({"device", "mailbox", "address", "timing"})
"""Detectors that a declared shared home explains in unrated games, which the two may play together. It does not
explain what they pay each other or how alike they choose."""


class Finding(NamedTuple):
    """A figure about a pair, the number of cases behind it, and the usual value at the same table, if known."""

    detector: Detector
    value: int
    counted: int = 0
    usual: int | None = None

    @property
    def stands_out(self) -> bool:
        """True if it reaches the detector's thresholds."""
        detector = self.detector
        if self.value < detector.least or self.counted < detector.counted:
            return False
        return not detector.above or (self.usual is not None and self.value - self.usual >= detector.above)

    def as_evidence(self, linked: datetime | None) -> dict[str, Any]:
        """The finding as evidence: a sentence for the desk, and its numbers. `linked` is when the two declared that
        they share a home."""
        detector, figures = self.detector, ""
        if detector.subject == PLAY:
            usual = "" if self.usual is None else f", usual at this table {self.usual}%"
            figures = f": {self.value}% of {self.counted}{usual} (threshold {detector.least}%)"
        elif detector.least:
            figures = f": {self.value} (threshold {detector.least})"
        numbers = {"value": self.value, "counted": self.counted, "usual": self.usual, "threshold": detector.least}
        against = (
            detector.against if linked is None else f"{detector.against} {HOUSEHOLD_NOTE.format(day=linked.date())}"
        )
        return {"text": f"{detector.words}{figures}. Against it: {against}", "detector": detector.key, **numbers}


def compare_ended() -> int:
    """Compare the pairs of ended games that were not compared yet. Returns the number of cases opened."""
    games = _due_games()
    hints = hints_of_games([game.pk for game in games])
    return sum(_compare(game, hints[game.pk]) for game in games)


def findings_of(game: Game, hints: Iterable[Hint]) -> dict[Pair, list[Finding]]:
    """Findings that stand out in an ended game, by pair of seats."""
    by_pair: dict[Pair, list[Finding]] = {}
    seats = [seat.number for seat in _seats_of_people(game)]
    for pair, finding in [*_account_findings(hints), *_play_findings(game, seats), *_result_findings(game, seats)]:
        if finding.stands_out:
            by_pair.setdefault(pair, []).append(finding)
    return by_pair


def severity_of(findings: Sequence[Finding]) -> Severity:
    """The gravest finding's severity, one step graver if both accounts and play stand out. Never urgent."""
    gravest = min(finding.detector.severity for finding in findings)
    both = len({finding.detector.subject for finding in findings}) > 1
    return Severity(max(Severity.HIGH, gravest - both))


def payments_between(pair: Pair, paid: Iterable[OffMarket]) -> Finding:
    """How one-sided the off-market payments between two seats are, of those that can be compared."""
    far = [each for each in paid if {each.payer, each.payee} == set(pair) and each.is_far and each.usual is not None]
    total_amount = sum(each.amount for each in far)
    first_amount = sum(each.amount for each in far if each.payer == pair[0])
    percent = round(100 * max(first_amount, total_amount - first_amount) / total_amount) if total_amount else 0
    return Finding(BY_KEY["payments"], percent, len(far))


def results_between(one: int, other: int, places: Iterable[Mapping[int, int]]) -> Finding:
    """How often the same one of two people ranked above the other; `places` are those of each rated game by person."""
    pairs_of_places = [(game[one], game[other]) for game in places if one in game and other in game]
    wins = [mine < theirs for mine, theirs in pairs_of_places if mine != theirs]
    most_wins = max(sum(wins), len(wins) - sum(wins))
    return Finding(BY_KEY["results"], round(100 * most_wins / len(wins)) if wins else 0, len(wins))


def as_markdown() -> Iterator[str]:
    """The table of `docs/moderation.md`, line by line."""
    yield "| What is noticed | From | Resting on | Above the table | Severity | What speaks against it |"
    yield "|---" * 6 + "|"
    for each in DETECTORS:
        unit = "%" if each.subject == PLAY else " days" if each.least > 1 else " day"
        least = f"{each.least}{unit}" if each.least else ""
        counted = f"{each.counted} or more" if each.counted else ""
        above = f"{each.above} points" if each.above else ""
        yield f"| {each.words} | {least} | {counted} | {above} | {each.severity.label} | {each.against} |"


def _due_games() -> list[Game]:
    """Games with two people to the end; fingerprints of older games are deleted."""
    uncompared = Game.objects.filter(status=Status.FINISHED, lesson="", comparison=None)
    recent = uncompared.filter(finished_at__gte=Now() - timedelta(days=FINGERPRINT_DAYS))
    person_count = Count("seats", filter=Q(seats__user__is_bot=False))
    game_ids = recent.annotate(sat=person_count).filter(sat__gt=1).order_by("finished_at").values_list("pk", flat=True)
    return list(Game.objects.filter(pk__in=list(game_ids[:GAMES_A_ROUND])).order_by("finished_at"))


def _compare(game: Game, hints: Iterable[Hint]) -> int:
    # Stored first, so that a comparison that fails is not repeated.
    if not Comparison.objects.get_or_create(game=game)[1]:
        return 0
    people: Mapping[int, User] = {seat.number: seat.user for seat in _seats_of_people(game) if seat.user is not None}
    linked_since, opened_count = households.since_among([user.pk for user in people.values()]), 0
    for (one, other), findings in findings_of(game, hints).items():
        pair = (people[one], people[other])
        since = linked_since.get(frozenset(user.pk for user in pair))
        explained = case_filing.dismissed_detectors(pair) | (
            EXPLAINED_BY_HOUSEHOLD if since and not game.is_rated else frozenset()
        )
        if unanswered := [each for each in findings if each.detector.key not in explained]:
            opened_count += _open_case(game, (one, other), pair, unanswered, since) is not None
    return opened_count


def _open_case(
    game: Game, seats: Pair, people: tuple[User, User], findings: Sequence[Finding], linked: datetime | None
) -> Case | None:
    findings_by_subject: dict[str, Any] = {
        subject: [each.as_evidence(linked) for each in findings if each.detector.subject == subject]
        for subject in (ACCOUNTS, PLAY)
    }
    figures = {
        "seats_compared": [number + 1 for number in seats],
        "detectors": [each.detector.key for each in findings],
        **findings_by_subject,
    }
    words = "Two accounts that played together stand out by figures. A reason to look, no proof."
    return case_filing.open_for_detector(
        people=people, game=game, words=words, severity=severity_of(findings), figures=figures
    )


def _seats_of_people(game: Game) -> list[Seat]:
    seats = game.seats.filter(user__isnull=False, user__is_bot=False)
    return list(seats.select_related("user").order_by("number"))


def _account_findings(hints: Iterable[Hint]) -> Iterator[tuple[Pair, Finding]]:
    for hint in hints:
        if hint.kind in BY_KEY:
            yield hint.seats, Finding(BY_KEY[hint.kind], hint.days)


def _play_findings(game: Game, people: Sequence[int]) -> Iterator[tuple[Pair, Finding]]:
    """Figures of seats that one person had from start to end; nobody answers for an earlier player."""
    tenures = Tenure.objects.filter(game=game).values_list("number").annotate(n=Count("pk"))
    changed = {number for number, count in tenures if count > 1}
    pairs = list(combinations([number for number in people if number not in changed], 2))
    if not pairs:
        return
    try:
        paid = off_market_payments(game)
    except Damaged:
        paid = []
    rows = concords(choices_of(game), range(game.seats_wanted))
    # Only pairs with a person say what is usual: two bots of one kind always choose alike.
    rows = [row for row in rows if row.chosen and set(row.seats) & set(people)]
    for pair in pairs:
        yield pair, payments_between(pair, paid)
        yield from ((pair, finding) for finding in _choice_findings(pair, rows, is_slow=game.is_slow))


def _result_findings(game: Game, seats: Sequence[int]) -> Iterator[tuple[Pair, Finding]]:
    """Findings from all rated games that two people of this rated game played from start to end."""
    stayed = RatedResult.objects.filter(has_left=False, rating__user__isnull=False)
    people = dict(stayed.filter(game=game, number__in=seats).values_list("number", "rating__user"))
    places: dict[int, dict[int, int]] = {}
    shared_results = stayed.filter(rating__user__in=people.values())
    for game_id, user, rank in shared_results.values_list("game", "rating__user", "rank"):
        places.setdefault(game_id, {})[user] = rank
    for one, other in combinations(people, 2):
        yield (one, other), results_between(people[one], people[other], places.values())


def _choice_findings(pair: Pair, rows: Iterable[Concord], *, is_slow: bool) -> Iterator[Finding]:
    own = [row for row in rows if row.seats == pair]
    others = [row for row in rows if row.seats != pair]
    for row in own:
        yield Finding(BY_KEY["choices"], row.share, row.chosen, _usual_percent([each.share for each in others]))
        if is_slow:  # where phases last minutes, everybody decides within two
            yield Finding(BY_KEY["timing"], row.pace, row.timed, _usual_percent([each.pace for each in others]))


def _usual_percent(shares: Sequence[int]) -> int | None:
    return round(median(shares)) if shares else None
