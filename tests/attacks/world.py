"""A world with secrets in it: people in every role, two games under way, and a canary in everything that is hidden."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from allauth.account.models import EmailAddress
from django.test import Client

from accounts import api_tokens, guests
from accounts.models import User
from game.chat import reading, writing
from game.delivery import webhooks
from game.lobby import lobby
from game.play import drafts, moves
from game.seats import takeover
from game.store.game import Game, Seat
from game.store.seat_models import Invitation
from tests.scenes import moderator, of_role, table
from tests.scenes import person as confirmed
from tests.tables import fresh, send, steps_to_the_end

NOBODY, STRANGER, GUEST, RIVAL, OWN, REPLACED, FUTURE, STAFF, HELPER, MODERATOR, DESK = (
    "nobody",
    "stranger",
    "guest",
    "rival",
    "own",
    "replaced",
    "future",
    "staff",
    "helper",
    "moderator",
    "desk",
)
ROLES = (NOBODY, STRANGER, GUEST, RIVAL, OWN, REPLACED, FUTURE, STAFF, DESK)
"""Nobody signed in; an account that plays nowhere; a guest; two seats of both games; who has resigned from them; who
will take that seat over; staff without a permission; a moderator with all of them."""
AT_DESK = (NOBODY, OWN, STAFF, HELPER, MODERATOR, DESK)
"""Who opens the desk: a player, and all kinds of staff. Elsewhere the two roles see what other staff see."""
SEATS = frozenset({RIVAL, OWN})
NAMES = {STRANGER: "mallory", RIVAL: "ben", OWN: "ada", REPLACED: "rhea", FUTURE: "fred"}

# Limit prices: nothing else in a game is as large.
ORDERED, DRAFTED, ABANDONED, KEPT = 743_117, 743_119, 743_125, 743_127
REVISED, REDRAFTED = 743_121, 743_123
NOTED, SAID, WAS_NOTED = "canary-in-the-notebook", "canary-in-the-chat", "canary-in-an-old-notebook"
HOOK = "canary-of-a-webhook"
PRIVATE_NAME = "canary-of-a-private-table"


@dataclass
class Canary:
    """Something secret and the roles that may read it."""

    words: str
    readers: frozenset[str] = frozenset()


@dataclass
class World:
    """Made once; what is asked of it is undone."""

    people: dict[str, User] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.people = {role: confirmed(name) for role, name in NAMES.items()}
        for role, user in self.people.items():
            address = f"canary.{role}@example.org"
            EmailAddress.objects.filter(user=user).update(email=address)
            User.objects.filter(pk=user.pk).update(email=address)
            user.refresh_from_db()
        self.people |= {
            GUEST: guests.new_guest(),
            STAFF: confirmed("Sam", is_staff=True),
            HELPER: of_role("Hana", "helper"),
            MODERATOR: of_role("Mona", "moderator"),
            DESK: moderator("Lena"),
        }
        self.open, self.private = self._table("The open table"), self._table(PRIVATE_NAME, is_open=False)
        self.hook = webhooks.add(user=self.people[OWN], url=f"https://{HOOK}.example.org/")
        issued, self.token = api_tokens.issue(user=self.people[OWN], name="canary", scopes=["read"], days=30)
        self.token_number = issued.pk

    def _table(self, name: str, *, is_open: bool = True) -> Game:
        seated = [self.people[role] for role in (OWN, RIVAL, REPLACED)]
        game = table(*seated, bots=1, name=name) if is_open else self._by_invitation(name, seated)
        writing.say(game_id=game.pk, user=seated[0], text=f"{SAID} {game.pk}")
        reading.save_notes(game=game, user=seated[0], text=f"{NOTED} {game.pk}", revision=0)
        reading.save_notes(game=game, user=seated[2], text=f"{WAS_NOTED} {game.pk}", revision=0)
        to_orders(game)
        send(fresh(game), 2, order(fresh(game), ABANDONED))
        takeover.resign(game_id=game.pk, user=seated[2])
        take_care(game, 2, order(fresh(game), KEPT))
        game = fresh(game)
        seal(game, ORDERED, DRAFTED)
        return fresh(game)

    def _by_invitation(self, name: str, people: list[User]) -> Game:
        game = lobby.create_game(host=people[0], name=name, seats=4, is_open=False, bots=0)
        token = Invitation.objects.get(game=game).token
        for guest in people[1:]:
            lobby.join_game(game_id=game.pk, user=guest, token=token)
        lobby.fill_with_bots(game_id=game.pk, user=people[0])
        return lobby.start_game(game_id=game.pk, user=people[0])

    def client(self, role: str, *, strict: bool = False) -> Client:
        """A browser of this role, signed in; `strict`: forms need their token, as they do outside tests."""
        client = Client(enforce_csrf_checks=strict)
        if role != NOBODY:
            client.force_login(self.people[role])
        return client

    @cached_property
    def canaries(self) -> list[Canary]:
        """Everything that is secret. Moderators see addresses of people; no staff see anything of games."""
        own, desk = frozenset({OWN}), frozenset({DESK, MODERATOR})
        found = [
            *(Canary(str(value), own) for value in (ORDERED, DRAFTED, REVISED, REDRAFTED)),
            Canary(NOTED, own),
            Canary(WAS_NOTED, frozenset({REPLACED})),
            *(Canary(str(value)) for value in (ABANDONED, KEPT)),
            Canary(SAID, SEATS),
            Canary(PRIVATE_NAME, SEATS | {REPLACED, DESK, STAFF, HELPER, MODERATOR}),
            Canary(HOOK, own),
            *(Canary(secret) for secret in (self.token, self.hook.secret)),
            *(Canary(game.secret) for game in (self.open, self.private)),
            *(Canary(game.secret[:16]) for game in (self.open, self.private)),
            *(Canary(user.email, frozenset({role}) | desk) for role, user in self.people.items() if user.email),
            *(Canary(user.password) for user in self.people.values()),
        ]
        for game in (self.open, self.private):
            entries = game.log.filter(seat=0, kind="submit").exclude(fingerprint="")
            found += [Canary(entry.fingerprint) for entry in entries]
        return found


def to_orders(game: Game) -> None:
    """Play on until orders are placed and a company is floated, so that it takes limit orders."""
    for now in steps_to_the_end(game):
        if now.phase_name == "stock_orders" and floated(now):
            return


def floated(game: Game) -> list[str]:
    """The companies whose shares are traded."""
    companies = game.load_position().state.companies
    return [key for key, company in companies.items() if company.status == "active"]


def order(game: Game, price: int) -> dict[str, object]:
    """A limit order that anybody may place, with a price that is found again wherever it turns up."""
    return {"kind": "limit_order", "company": floated(game)[0], "side": "buy", "value": price, "quantity": 1}


def seal(game: Game, ordered: int, drafted: int) -> None:
    """The seat of `OWN` submits an order and keeps a draft beside it."""
    send(game, 0, order(game, ordered))
    seat = Seat.objects.get(game=game, number=0)
    drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[order(game, drafted)])


def take_care(game: Game, seat: int, request: dict[str, object]) -> None:
    """The caretaker decides for a seat whose player has left."""
    change = moves.transaction_of(moves.lock_running(game.pk))
    change.take(change.rules.parse(request, seat))
    change.commit()


def revise(game: Game) -> None:
    """`OWN` changes their mind several times: nobody else may notice that, nor when, nor how often."""
    for price in (ORDERED + 1_000, ORDERED + 2_000, REVISED):
        send(game, 0, {"kind": "withdraw", "of": "order"}, order(game, price))
    seat = Seat.objects.get(game=game, number=0)
    drafts.save_draft(seat=seat, serial=game.phase_serial, requests=[order(game, REDRAFTED)])
    reading.save_notes(game=game, user=seat.user, text=f"{NOTED} anew", revision=1)  # type: ignore[arg-type]
