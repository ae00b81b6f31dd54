"""Links between accounts. Hints that several seats of a game belong to one person: the same browser, address, network
or mailbox. A hint is a reason to look, not proof: families, schools and offices share addresses. Only keyed hashes are
stored, for `FINGERPRINT_DAYS`; email addresses are compared in place and shown to no one. Moderators record and end
links between people who share a home."""

from __future__ import annotations

import hmac
import ipaddress
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from accounts.addresses import mailbox_of
from accounts.models import User
from accounts.names import sought
from game.engine.actions import Refused
from game.moderation import emails, interventions, permissions
from game.moderation.models import Fingerprint
from game.reputation import households
from game.reputation.models import HouseholdLink
from game.store import account_locks
from game.store.game import Game, Seat
from game.store.moderation_models import Intervention

FINGERPRINT_DAYS = 30
NETWORKS = {4: (32, 24), 6: (64, 48)}
"""Prefix lengths of one connection's own addresses and of its surrounding network, by IP version."""
RARE_DOMAIN_ACCOUNTS = 5  # a mail domain with at most this many accounts is rare
STRENGTHS = ("strong", "medium", "weak")
STRENGTH_BY_KIND = {
    Fingerprint.Kind.DEVICE: "strong",
    Fingerprint.Kind.ADDRESS: "medium",
    Fingerprint.Kind.NETWORK: "weak",
}
KIND_TEXTS = {
    "device": "signed in with the same browser",
    "address": "sat down from the same address",
    "network": "sat down from neighbouring addresses",
    "mailbox": "use the same mailbox under two spellings",
    "numbered": "have email addresses that differ only in a number",
    "domain": "have email addresses at the same rare domain",
}
WHAT = Intervention.LINK_PLAYERS


class Hint(NamedTuple):
    """Two seats of one game and what they share. `strength` is one of `STRENGTHS`, `days` the number of days with the
    same fingerprint, `last` the latest of them; mailbox hints have neither.

    `linked` is the time at which both declared that they share a home or a connection."""

    game_id: int
    seats: tuple[int, int]
    people: tuple[int, int]
    names: tuple[str, str]
    kind: str
    strength: str
    days: int = 0
    last: date | None = None
    linked: date | None = None

    @property
    def words(self) -> str:
        """The hint as a sentence for the desk."""
        days = "1 day" if self.days == 1 else f"{self.days} days"
        when = f" (on {days}, last on {self.last})" if self.last else ""
        link = f"; they share a home or a connection, as declared on {self.linked}" if self.linked else ""
        return f"{self.names[0]} and {self.names[1]} {KIND_TEXTS[self.kind]}{when}{link}"


class _Player(NamedTuple):
    game_id: int
    number: int
    user_id: int
    name: str
    email: str


def note_visit(*, user: User, address: str, others_here: Collection[int] = ()) -> None:
    """Store where somebody came from today; `others_here` are other accounts that this browser has signed in to."""
    if user.is_bot or user.is_guest:
        return
    today = timezone.now().date()
    rows = [Fingerprint(user=user, kind=kind, digest=digest, day=today) for kind, digest in _fingerprints_of(address)]
    for other in User.objects.filter(pk__in=others_here, is_guest=False).exclude(pk=user.pk):
        pair = _keyed_hash(Fingerprint.Kind.DEVICE, f"{min(user.pk, other.pk)}.{max(user.pk, other.pk)}")
        rows += [Fingerprint(user=each, kind=Fingerprint.Kind.DEVICE, digest=pair, day=today) for each in (user, other)]
    Fingerprint.objects.bulk_create(rows, ignore_conflicts=True)


def forget_old_traces() -> int:
    """Delete fingerprints older than `FINGERPRINT_DAYS`. Returns how many there were."""
    return Fingerprint.objects.filter(day__lt=timezone.now().date() - timedelta(days=FINGERPRINT_DAYS)).delete()[0]


def hints_of_game(game_id: int) -> list[Hint]:
    """Hints about the people of one game, the strongest first: four queries."""
    return hints_of_games([game_id])[game_id]


def hints_of_games(game_ids: Collection[int]) -> Mapping[int, list[Hint]]:
    """Hints of many games in the same number of queries. People who have left their seat do not count."""
    seats = Seat.objects.filter(game_id__in=game_ids, user__isnull=False, user__is_bot=False).order_by("number")
    tables: dict[int, list[_Player]] = defaultdict(list)
    for row in seats.values_list("game_id", "number", "user_id", "user__username", "user__email"):
        tables[row[0]].append(_Player(*row))
    people = {player.user_id for table in tables.values() for player in table}
    fingerprints = _fingerprints_by_person(people)
    rare = _rare_domains(player.email for table in tables.values() for player in table)
    hints_by_game: dict[int, list[Hint]] = defaultdict(list)
    linked_on = {pair: since.date() for pair, since in households.since_among(people).items()}
    for game_id, table in tables.items():
        pairs = combinations(table, 2)
        hints = [hint for pair in pairs for hint in _hints_of_pair(*pair, fingerprints, rare)]
        with_links = [hint._replace(linked=linked_on.get(frozenset(hint.people))) for hint in hints]
        hints_by_game[game_id] = sorted(with_links, key=lambda hint: (STRENGTHS.index(hint.strength), hint.seats))
    return hints_by_game


def suspect_games() -> QuerySet[Game]:
    """Games of any status in which two people left the same fingerprint, without lessons."""
    fingerprints = Fingerprint.objects.values("user__seats__game_id", "kind", "digest")
    shared = fingerprints.annotate(people=Count("user", distinct=True))
    games = shared.filter(people__gt=1, user__seats__game__lesson="").values("user__seats__game_id")
    return Game.objects.filter(pk__in=games)


@transaction.atomic
def record_link(*, person: User, username: str, moderator: User, reason: str) -> None:
    """Record that two people share a home or a connection; then only moderators can end the link. Raises `Refused`."""
    others = User.objects.filter(username__iexact=sought(username.strip())).values_list("pk", flat=True)
    permissions.check(WHAT, moderator, reason, on=[person.pk, *others])
    other = interventions.find_person(username)
    if person == other:
        raise Refused("These are one account. Enter the name of another player.", code="about_you", field="username")
    _check_people(moderator, person, other)
    link = households.open_between(person, other)
    if link is not None and link.since is not None:
        raise Refused(f"{person} and {other} are linked already.", code="already_linked")
    one, two = sorted((person, other), key=lambda each: each.pk)
    link = link or HouseholdLink(one=one, two=two)
    households.check_waiting(link)
    link.since, link.by_moderator = timezone.now(), True
    link.save()
    _email_both(person, other, reason, is_on=True)
    interventions.record(None, moderator, WHAT, reason, user=person.username, other=other.username, state="linked")


@transaction.atomic
def remove_link(*, person: User, number: int, moderator: User, reason: str) -> None:
    """End a link of this person at once, no matter who asked for it. Raises `Refused`."""
    links = households.links_in_force_of(person).filter(pk=number).select_related("one", "two")
    people = [key for pair in links.values_list("one", "two") for key in pair]
    permissions.check(WHAT, moderator, reason, on=people)
    link = links.first()
    if link is None:
        raise Refused("There is no such link any more.", code="no_such_link")
    other = link.other(person)
    _check_people(moderator, person, other)
    link.delete()
    _email_both(person, other, reason, is_on=False)
    interventions.record(None, moderator, WHAT, reason, user=person.username, other=other.username, state="ended")


def _keyed_hash(kind: str, text: str) -> str:
    key = f"game.moderation.multi_accounts:{settings.SECRET_KEY}"
    return hmac.new(key.encode(), f"{kind}:{text}".encode(), sha256).hexdigest()[:32]


def _fingerprints_of(address: str) -> list[tuple[str, str]]:
    """The fingerprints of an address and of its network; empty if it is not an address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return []
    own_bits, network_bits = NETWORKS[parsed.version]
    kinds = ((Fingerprint.Kind.ADDRESS, own_bits), (Fingerprint.Kind.NETWORK, network_bits))
    return [(kind, _keyed_hash(kind, str(ipaddress.ip_network((parsed, bits), strict=False)))) for kind, bits in kinds]


def _fingerprints_by_person(people: Collection[int]) -> Mapping[int, Mapping[tuple[str, str], set[date]]]:
    """The days on which each person left each fingerprint."""
    days_by_person: dict[int, dict[tuple[str, str], set[date]]] = defaultdict(lambda: defaultdict(set))
    for user, kind, digest, day in Fingerprint.objects.filter(user__in=people).values_list(
        "user", "kind", "digest", "day"
    ):
        days_by_person[user][kind, digest].add(day)
    return days_by_person


def _rare_domains(addresses: Iterable[str]) -> set[str]:
    """Mail domains that several people of these games share and few accounts of the site have."""
    person_count: dict[str, int] = defaultdict(int)
    for address in set(addresses):
        person_count[mailbox_of(address)[1]] += 1
    shared = [domain for domain, people in person_count.items() if domain and people > 1]
    if not shared:
        return set()
    counts = {f"n{i}": Count("pk", filter=Q(email__iendswith=f"@{domain}")) for i, domain in enumerate(shared)}
    accounts = User.objects.aggregate(**counts)
    return {domain for i, domain in enumerate(shared) if accounts[f"n{i}"] <= RARE_DOMAIN_ACCOUNTS}


def _hints_of_pair(
    one: _Player,
    other: _Player,
    fingerprints: Mapping[int, Mapping[tuple[str, str], set[date]]],
    rare: Collection[str],
) -> Iterable[Hint]:
    here, there = fingerprints.get(one.user_id, {}), fingerprints.get(other.user_id, {})
    days_by_kind: dict[str, set[date]] = defaultdict(set)
    for kind, digest in here.keys() & there.keys():
        days_by_kind[kind] |= here[kind, digest] | there[kind, digest]
    if Fingerprint.Kind.ADDRESS in days_by_kind:
        days_by_kind.pop(Fingerprint.Kind.NETWORK, None)  # implied by the address
    pair = (one.game_id, (one.number, other.number), (one.user_id, other.user_id), (one.name, other.name))
    for kind, days in days_by_kind.items():
        yield Hint(*pair, kind, STRENGTH_BY_KIND[Fingerprint.Kind(kind)], len(days), max(days))
    if mail_hint := _mail_hint(one.email, other.email, rare):
        yield Hint(*pair, *mail_hint)


def _mail_hint(one: str, other: str, rare: Collection[str]) -> tuple[str, str] | None:
    """What two mail addresses have in common, and how strong a hint that is. Dots are ignored."""
    (box, domain), (other_box, other_domain) = mailbox_of(one), mailbox_of(other)
    if not domain or domain != other_domain:
        return None
    box, other_box = box.replace(".", ""), other_box.replace(".", "")
    if box == other_box:
        return "mailbox", "strong"
    stem = re.sub(r"\d+$", "", box)
    if stem and stem == re.sub(r"\d+$", "", other_box):
        return "numbered", "medium"
    return ("domain", "weak") if domain in rare else None


def _check_people(moderator: User, *people: User) -> None:
    account_locks.lock_accounts(*people)
    for person in people:
        if not person.is_active or person.is_bot or person.is_guest:
            raise Refused("There is no open account to act on.", code="no_such_account")
        permissions.check_ties(moderator, on=person)


def _email_both(person: User, other: User, reason: str, *, is_on: bool) -> None:
    why = permissions.clean_reason(reason)
    emails.email_link(person, other.username, why, is_on=is_on)
    emails.email_link(other, person.username, why, is_on=is_on)
