"""What the site notices about two accounts in one game that ended: it opens a case for the desk, and does nothing more.
Each game is examined once, within an hour of its end. A finding is a reason to look, not proof; no detector acts."""

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
from game.moderation.collusion import Concord, OffMarket, Pair, choices_of, concords, off_market
from game.moderation.multi_accounts import KEPT_DAYS, Hint, hints_of_games
from game.reputation import households
from game.reputation.rating_models import RatedResult
from game.store.case_models import Case, Comparison
from game.store.game import Game, Seat, Status
from game.store.tenure_models import Sitting

AT_ONCE = 20  # games a round
DECLARED = (
    "Both declared on {day} that they share a home or a connection: people who live together talk, also about games."
)
ACCOUNTS, PLAY = "accounts", "play"
Severity = Case.Severity


class Detector(NamedTuple):
    """A figure of a pair and from where on it opens a case.

    `least` is in days for `ACCOUNTS`, in percent for `PLAY`; `counted` is how many decisions or payments it must rest
    on, and `above` by how many points it must be above what is usual at the same table. `against` is what speaks for
    the players."""

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
EXPLAINED = frozenset({"device", "mailbox", "address", "timing"})
"""What a declared shared home explains about two people in games that are not rated, which they are free to play
together. It does not explain what they pay each other or how alike they choose."""


class Finding(NamedTuple):
    """A figure of a pair, what it rests on, and what is usual at the same table, where that can be said."""

    detector: Detector
    value: int
    counted: int = 0
    usual: int | None = None

    @property
    def stands_out(self) -> bool:
        """Whether it is a reason to look."""
        asked = self.detector
        if self.value < asked.least or self.counted < asked.counted:
            return False
        return not asked.above or (self.usual is not None and self.value - self.usual >= asked.above)

    def told(self, linked: datetime | None) -> dict[str, Any]:
        """As it is frozen: a sentence for the desk, and its numbers. `linked` is since when both say that they share a
        home."""
        asked, figures = self.detector, ""
        if asked.subject == PLAY:
            usual = "" if self.usual is None else f", usual at this table {self.usual}%"
            figures = f": {self.value}% of {self.counted}{usual} (threshold {asked.least}%)"
        elif asked.least:
            figures = f": {self.value} (threshold {asked.least})"
        numbers = {"value": self.value, "counted": self.counted, "usual": self.usual, "threshold": asked.least}
        against = asked.against if linked is None else f"{asked.against} {DECLARED.format(day=linked.date())}"
        return {"text": f"{asked.words}{figures}. Against it: {against}", "detector": asked.key, **numbers}


def compare_ended() -> int:
    """Look at the pairs of games that ended and were not looked at yet; how many cases were opened."""
    games = _due()
    hints = hints_of_games([game.pk for game in games])
    return sum(_compare(game, hints[game.pk]) for game in games)


def findings_of(game: Game, hints: Iterable[Hint]) -> dict[Pair, list[Finding]]:
    """What stands out about the pairs of an ended game, by their seats."""
    found: dict[Pair, list[Finding]] = {}
    people = [seat.number for seat in _people(game)]
    for pair, finding in [*_of_accounts(hints), *_of_play(game, people), *_of_results(game, people)]:
        if finding.stands_out:
            found.setdefault(pair, []).append(finding)
    return found


def severity_of(findings: Sequence[Finding]) -> Severity:
    """That of the gravest finding; one step graver where the accounts and the play both stand out. Never urgent."""
    gravest = min(finding.detector.severity for finding in findings)
    both = len({finding.detector.subject for finding in findings}) > 1
    return Severity(max(Severity.HIGH, gravest - both))


def payments_between(pair: Pair, paid: Iterable[OffMarket]) -> Finding:
    """How one-sided the payments between two seats are that are far from market, of those that can be compared."""
    far = [each for each in paid if {each.payer, each.payee} == set(pair) and each.is_far and each.usual is not None]
    all_of_it = sum(each.amount for each in far)
    given = sum(each.amount for each in far if each.payer == pair[0])
    share = round(100 * max(given, all_of_it - given) / all_of_it) if all_of_it else 0
    return Finding(BY_KEY["payments"], share, len(far))


def results_between(one: int, other: int, places: Iterable[Mapping[int, int]]) -> Finding:
    """How often the same one of two people came out above the other; `places` are those of each rated game by
    person."""
    both = [(game[one], game[other]) for game in places if one in game and other in game]
    told = [mine < theirs for mine, theirs in both if mine != theirs]
    above = max(sum(told), len(told) - sum(told))
    return Finding(BY_KEY["results"], round(100 * above / len(told)) if told else 0, len(told))


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


def _due() -> list[Game]:
    """Two people at least sat there to the end; older games have no traces left to compare."""
    ended = Game.objects.filter(status=Status.FINISHED, lesson="", comparison=None)
    recent = ended.filter(finished_at__gte=Now() - timedelta(days=KEPT_DAYS))
    sat = Count("seats", filter=Q(seats__user__is_bot=False))
    chosen = recent.annotate(sat=sat).filter(sat__gt=1).order_by("finished_at").values_list("pk", flat=True)
    return list(Game.objects.filter(pk__in=list(chosen[:AT_ONCE])).order_by("finished_at"))


def _compare(game: Game, hints: Iterable[Hint]) -> int:
    # Written down before it is tried: what breaks on a game does so once.
    if not Comparison.objects.get_or_create(game=game)[1]:
        return 0
    people: Mapping[int, User] = {seat.number: seat.user for seat in _people(game) if seat.user is not None}
    linked, opened = households.since_among([user.pk for user in people.values()]), 0
    for (one, other), findings in findings_of(game, hints).items():
        pair = (people[one], people[other])
        since = linked.get(frozenset(user.pk for user in pair))
        answered = case_filing.cleared_of(pair) | (EXPLAINED if since and not game.is_rated else frozenset())
        if left := [each for each in findings if each.detector.key not in answered]:
            opened += _open(game, (one, other), pair, left, since) is not None
    return opened


def _open(
    game: Game, seats: Pair, people: tuple[User, User], findings: Sequence[Finding], linked: datetime | None
) -> Case | None:
    told: dict[str, Any] = {
        subject: [each.told(linked) for each in findings if each.detector.subject == subject]
        for subject in (ACCOUNTS, PLAY)
    }
    figures = {
        "seats_compared": [number + 1 for number in seats],
        "detectors": [each.detector.key for each in findings],
        **told,
    }
    words = "Two accounts that played together stand out by figures. A reason to look, no proof."
    return case_filing.open_for_detector(
        people=people, game=game, words=words, severity=severity_of(findings), figures=figures
    )


def _people(game: Game) -> list[Seat]:
    seats = game.seats.filter(user__isnull=False, user__is_bot=False)
    return list(seats.select_related("user").order_by("number"))


def _of_accounts(hints: Iterable[Hint]) -> Iterator[tuple[Pair, Finding]]:
    for hint in hints:
        if hint.kind in BY_KEY:
            yield hint.seats, Finding(BY_KEY[hint.kind], hint.days)


def _of_play(game: Game, people: Sequence[int]) -> Iterator[tuple[Pair, Finding]]:
    """Figures of seats that one person had from the start to the end; nobody answers for who sat there before."""
    sittings = Sitting.objects.filter(game=game).values_list("number").annotate(n=Count("pk"))
    changed = {number for number, count in sittings if count > 1}
    pairs = list(combinations([number for number in people if number not in changed], 2))
    if not pairs:
        return
    try:
        paid = off_market(game)
    except Damaged:
        paid = []
    rows = concords(choices_of(game), range(game.seats_wanted))
    # What is usual is told by the pairs with a person in them: two bots of one kind always choose alike.
    rows = [row for row in rows if row.chosen and set(row.seats) & set(people)]
    for pair in pairs:
        yield pair, payments_between(pair, paid)
        yield from ((pair, finding) for finding in _choices(pair, rows, is_slow=game.is_slow))


def _of_results(game: Game, seats: Sequence[int]) -> Iterator[tuple[Pair, Finding]]:
    """Of a rated game, what came of all rated games that two of its people played from the start to the end: other
    results are not theirs."""
    stayed = RatedResult.objects.filter(has_left=False, rating__user__isnull=False)
    people = dict(stayed.filter(game=game, number__in=seats).values_list("number", "rating__user"))
    places: dict[int, dict[int, int]] = {}
    theirs = stayed.filter(rating__user__in=people.values())
    for number, user, rank in theirs.values_list("game", "rating__user", "rank"):
        places.setdefault(number, {})[user] = rank
    for one, other in combinations(people, 2):
        yield (one, other), results_between(people[one], people[other], places.values())


def _choices(pair: Pair, rows: Iterable[Concord], *, is_slow: bool) -> Iterator[Finding]:
    own = [row for row in rows if row.seats == pair]
    others = [row for row in rows if row.seats != pair]
    for row in own:
        yield Finding(BY_KEY["choices"], row.share, row.chosen, _usual([each.share for each in others]))
        if is_slow:  # where phases last minutes, everybody decides within two
            yield Finding(BY_KEY["timing"], row.pace, row.timed, _usual([each.pace for each in others]))


def _usual(shares: Sequence[int]) -> int | None:
    return round(median(shares)) if shares else None
