"""What an email says: written when it is sent, only from what `view` shows its reader."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.dateformat import format as date_format

from accounts.languages import speaking
from accounts.mail import Letter
from accounts.models import User
from accounts.quiet_hours import zone_of
from game.boards.base import Fact
from game.boards.registry import board_of
from game.delivery import board_links, unsubscribing
from game.delivery.away_lines import away_lines
from game.delivery.chat_mail import Mentioned, mentions_among
from game.engine.flow import Phase
from game.engine.language import apart, say
from game.engine.phrases import listed
from game.history.briefings import Briefing, brief
from game.i18n import LONG_DAY, SHORT_DAY, city_of, date_words
from game.lobby.invitation_lines import Terms, terms_for
from game.outbox.preferences import OF_MAIL, TOPICS
from game.seats.stand_in_notices import Standing, standing_of
from game.site import site_row
from game.store import eyes
from game.store.badges import badges_of, rank_words
from game.store.eyes import Eyes
from game.store.game import Game, Seat, Status
from game.store.log import Draft, Kind, ModeratorAction, Notice
from game.store.preference_models import Topic
from game.store.rule_limits import Budget

TURN, REMINDER, MOVED = Notice.Kind.TURN, Notice.Kind.REMINDER, Notice.Kind.MOVED
MENTION, MISSED = Notice.Kind.MENTION, Notice.Kind.MISSED
LIST_FROM = 3  # games in one mail from which on it is a list; two are enough where both ask
TEMPLATES = {
    TURN: "decision",
    REMINDER: "decision",
    MOVED: "decision",
    Notice.Kind.STARTED: "started",
    Notice.Kind.FINISHED: "finished",
    Notice.Kind.VOID: "void",
    Notice.Kind.AWAY: "away",
    Notice.Kind.KEPT: "away",
    Notice.Kind.MISSED: "missed",
    MENTION: "mention",
    Notice.Kind.REPLACED: "replaced",
    Notice.Kind.ENDING: "ending",
    Notice.Kind.VOTE: "pause",
    Notice.Kind.PAUSED: "pause",
    Notice.Kind.RESUMED: "pause",
    Notice.Kind.PROXIED: "proxy",
    Notice.Kind.STANDS_IN: "proxy",
    Notice.Kind.RETURNED: "proxy",
    Notice.Kind.STOOD_IN: "proxy",
    Notice.Kind.HELD: "pause",
    Notice.Kind.REWIND: "pause",
    Notice.Kind.INVITED: "invited",
    Notice.Kind.CLOSING: "room",
    Notice.Kind.CLOSED: "room",
}
BRIEF = {Notice.Kind.HELD, Notice.Kind.INVITED, Notice.Kind.CLOSING, Notice.Kind.CLOSED}
"""Without a position, or with one that cannot be trusted."""
AMONG_NEWS = {Notice.Kind.FINISHED: 0, MENTION: 2, MISSED: 2}
"""What is told of a game first and last where no decision is asked; the rest is in between."""
IN_A_DECISION = frozenset({Notice.Kind.STARTED, Notice.Kind.VOID, MENTION, MISSED})
WITH_MENTIONS = {Notice.Kind.STARTED, Notice.Kind.FINISHED, Notice.Kind.VOID}
"""These also name the player who mentioned the reader."""
HAS_LEFT = {Notice.Kind.REPLACED, Notice.Kind.STOOD_IN}
"""The seat is not the reader's any more: neither how it is doing nor a page about their emails is theirs."""
IN_A_PARAGRAPH = {"pause", "proxy", "room"}
"""These say all in one paragraph, such as `_pause.txt`, in one form for all."""


@dataclass(frozen=True)
class Matter:
    """One game as its email describes it."""

    notice: Notice
    url: str
    """Nothing where the reader cannot open the game."""
    turn: int
    peek_url: str = ""
    ask: str = ""
    default: str = ""
    deadline: str = ""
    deadline_short: str = ""
    left: str = ""
    has_begun: bool = False
    fingerprint: str = ""
    has_new_secret: bool = False
    void_reason: str = ""
    missed: str = ""
    missed_phase: str = ""
    caretaker: str = ""
    phase: str = ""
    score: int = 0
    rank: str = ""
    facts: tuple[Fact, ...] = ()
    holdings: tuple[Fact, ...] = ()
    without_holdings: str = ""
    deciding: str = ""
    briefing: Briefing | None = None
    since_words: str = ""
    mentions: tuple[Mentioned, ...] = ()
    pause: str = ""
    pause_until: str = ""
    away: tuple[str, ...] = ()
    proxy: Standing | None = None
    invitation: Terms | None = None
    closes: str = ""
    also: tuple[Matter, ...] = ()
    """What else there is to tell of the same game, a line each."""

    @property
    def is_asked(self) -> bool:
        """Whether a decision of the reader is what the mail is about."""
        return self.notice.kind in Notice.ASKING

    @property
    def name(self) -> str:
        """The game's name on one line, because it is used in a header; for strangers who are invited, the kind of
        game."""
        return self.invitation.title if self.invitation else apart(" ".join(self.notice.game.name.split()))


def write_email(notices: Sequence[Notice], *, now: datetime) -> Letter:
    """One email about everything that is due to one person, the most urgent first, in their language."""
    with speaking(notices[0].user.language):
        return _written(notices, now)


def _written(notices: Sequence[Notice], now: datetime) -> Letter:
    user, heads = notices[0].user, _without_doubles(notices)
    is_list = _is_list(heads) or any(notice.in_digest for notice in notices)
    kind = "digest" if is_list else TEMPLATES[Notice.Kind(heads[0].kind)]
    topics = {TOPICS[Notice.Kind(head.kind)] for head in heads}
    matters = [_matter_of(head, notices, now) for head in heads]
    matters = [replace(each, also=_also(each, notices, _said(each, heads[0], is_list))) for each in matters]
    context = _context(user, topics, matters) | {
        "is_list": is_list,
        "matter": matters[0],
        "matters": matters,
        "asked": [matter for matter in matters if matter.is_asked],
        "others": matters[1:],
        "is_reminder": heads[0].kind == REMINDER,
        "has_moved": heads[0].kind == MOVED,
    }
    subject = " ".join(render_to_string(f"mail/{kind}_subject.txt", context).split())
    form = "paragraph" if kind in IN_A_PARAGRAPH else kind
    context |= {"subject": subject, "paragraph": f"mail/_{kind}.txt"}
    email = Letter(subject, render_to_string(f"mail/{form}.txt", context), to=[user.email])
    email.attach_alternative(render_to_string(f"mail/{form}.html", context), "text/html")
    email.extra_headers = _thread(heads) | {"Auto-Submitted": "auto-generated"}
    email.extra_headers |= unsubscribing.headers(user, topics)
    return email


def _is_list(heads: Sequence[Notice]) -> bool:
    """Whether a mail tells of its games one after another, each with its deadline, its default and its link."""
    asked = [head for head in heads if head.kind in Notice.ASKING]
    return len(heads) >= LIST_FROM or len(asked) > 1


def _thread(heads: Sequence[Notice]) -> dict[str, str]:
    """All emails about one game reply to the same message, which was never sent, so that readers' programs show them
    together. An email about several games belongs to no thread."""
    own = {"Message-ID": _message_id(_name_of(heads[0]))}
    if len(heads) > 1:
        return own
    game = _message_id(f"game-{heads[0].game_id}")
    return own | {"In-Reply-To": game, "References": game}


def _name_of(head: Notice) -> str:
    """The same however often it is tried. A moved deadline is reported for each move, by the same row."""
    moved_to = head.game.deadline_at if head.kind == MOVED else None
    return f"notice-{head.pk}-{moved_to.timestamp():.0f}" if moved_to else f"notice-{head.pk}"


def _context(user: User, topics: Collection[Topic], matters: Sequence[Matter]) -> dict[str, Any]:
    zone, game = zone_of(user), matters[0].notice.game
    is_invited = any(matter.notice.kind == Notice.Kind.INVITED for matter in matters)
    is_one, site = len(matters) == 1, settings.SITE_URL
    has_left = is_one and matters[0].notice.kind in HAS_LEFT
    # There is a page about the emails of one's own games alone, until they are closed.
    is_elsewhere = is_invited or has_left or game.status == Status.ABANDONED
    is_own = is_one and not is_elsewhere and bool(matters[0].url)
    return {
        "language": user.language,
        "zone": zone.key,
        "city": city_of(zone),
        "unsubscribe_url": unsubscribing.address(user, topics),
        "mute_url": unsubscribing.address(user, OF_MAIL, game_id=game.pk) if is_one else "",
        "is_invited": is_invited,
        "has_left": has_left,
        "settings_url": site + (reverse("game_notifications", args=[game.pk]) if is_own else reverse("notifications")),
    }


def left_words(seconds: float) -> str:
    """A length of time to the minute."""
    minutes = max(round(seconds / 60), 0)
    hours, minutes = divmod(minutes, 60)
    return " ".join(
        words
        for words in (
            say("{hours} h", hours=hours) if hours else "",
            say("{minutes} min", minutes=minutes) if minutes or not hours else "",
        )
        if words
    )


def _without_doubles(notices: Sequence[Notice]) -> list[Notice]:
    """One notice a game; the others are told within its mail."""
    first: dict[int, Notice] = {}
    for notice in sorted(notices, key=_urgency):
        first.setdefault(notice.game_id, notice)
    return list(first.values())


def _urgency(notice: Notice) -> tuple[bool, int, float, int]:
    deadline = notice.game.deadline_at
    is_asking = notice.kind in Notice.ASKING
    when = deadline.timestamp() if is_asking and deadline else 0.0
    return (not is_asking, AMONG_NEWS.get(Notice.Kind(notice.kind), 1), when, notice.pk)


def _said(matter: Matter, first: Notice, is_list: bool) -> frozenset[Notice.Kind]:
    """What the mail says of a game besides its head."""
    if is_list:
        return frozenset({MENTION, MISSED})
    if matter.notice != first:
        return frozenset()
    return IN_A_DECISION if matter.is_asked else frozenset({MENTION} if first.kind in WITH_MENTIONS else ())


def _also(matter: Matter, notices: Sequence[Notice], said: Collection[Notice.Kind]) -> tuple[Matter, ...]:
    """The other kinds of notices about a game, in the order in which they came, without what was said already."""
    head = matter.notice
    told = {head.kind, *Notice.ASKING, *said}
    others = {other.kind: other for other in notices if other.game_id == head.game_id and other.kind not in told}
    seats = list(Seat.objects.filter(game=head.game).select_related("user")) if others else []
    return tuple(_brief(other, notices, seats) for other in others.values())


def _matter_of(notice: Notice, notices: Sequence[Notice], now: datetime) -> Matter:
    """What there is to say. For a game that is on hold or has not started, nothing about its position; for a reader who
    cannot open it any more, only its name."""
    if notice.kind in BRIEF:
        return _brief(notice, notices, ())
    if not eyes.may_see(game=notice.game, user_id=notice.user_id):
        seats = list(Seat.objects.filter(game=notice.game).select_related("user"))
        return replace(_brief(notice, notices, seats), turn=0)
    return _matter(notice, notices, now)


def _brief(notice: Notice, notices: Sequence[Notice], seats: Sequence[Seat]) -> Matter:
    """What can be said without the game's position."""
    game, closes_at = notice.game, notice.game.closes_at
    return Matter(
        notice=notice,
        url=_url(notice),
        turn=game.turn,
        pause=_pause(notice),
        proxy=standing_of(notice, seats),
        mentions=mentions_among(notices, game.pk),
        invitation=terms_for(notice) if notice.kind == Notice.Kind.INVITED else None,
        closes=_moment(closes_at.astimezone(zone_of(notice.user)), LONG_DAY) if closes_at else "",
    )


def _has_new_secret(game: Game) -> bool:
    """Whether the last rewind was of a game that had ended: its new fingerprint is on the log since then."""
    since = game.log.filter(kind=Kind.MODERATION, branch=game.branch, note__endswith=game.secret_hash)
    return bool(game.past_secrets) and since.exists()


def _matter(notice: Notice, notices: Sequence[Notice], now: datetime) -> Matter:
    game, number, is_talk = notice.game, notice.seat.number, notice.kind == MENTION
    seat = eyes.eyes_among([notice.seat], notice.user_id)
    view = Budget().run(lambda: eyes.view(game, game.load_position(), seat))
    here = game.deadline_at.astimezone(zone_of(notice.user)) if game.deadline_at else None
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    briefing = None if is_talk or seat is None else _briefing(notice, seats, seat, view)
    has_begun = any(other.game_id == game.pk and other.kind == Notice.Kind.STARTED for other in notices)
    void_reason = _void_reason(notice, notices)
    has_new_secret = bool(void_reason) and _has_new_secret(game)
    missed = None if _tells_missed(briefing) else _missed(game, notices)
    return Matter(
        notice=notice,
        url=_url(notice),
        peek_url=board_links.address(notice) if notice.kind in Notice.ASKING else "",
        ask=board_of(game.ruleset).prompt(view),
        deadline=_moment(here, LONG_DAY) if here else "",
        deadline_short=_moment(here, SHORT_DAY) if here else "",
        left=left_words((game.deadline_at - now).total_seconds()) if game.deadline_at else "",
        has_begun=has_begun,
        fingerprint=_fingerprint(game) if has_begun or has_new_secret else "",
        has_new_secret=has_new_secret,
        void_reason=void_reason,
        missed=f"{say(missed.instead or missed.default)}." if missed else "",
        missed_phase=say(missed.title) if missed else "",
        caretaker=say(game.rules.caretaker.while_away),
        turn=view.turn,
        phase=say(view.phase.title) if view.phase else "",
        deciding=_deciding(seats, game.waiting_seats, number),
        briefing=briefing,
        since_words=_since_words(briefing, zone_of(notice.user)),
        mentions=mentions_among(notices, game.pk),
        pause=_pause(notice),
        pause_until=_moment(game.pause_ends_at.astimezone(zone_of(notice.user)), LONG_DAY)
        if game.pause_ends_at
        else "",
        away=away_lines(notice, seats),
        proxy=standing_of(notice, seats),
        **_of_seat(notice, view),
    )


def _url(notice: Notice) -> str:
    """Where the reader finds what it is about; empty if the game is closed to them by now."""
    game, is_talk = notice.game, notice.kind == MENTION
    if not eyes.may_see(game=game, user_id=notice.user_id):
        return ""
    return settings.SITE_URL + (reverse("chat", args=[game.pk]) if is_talk else game.get_absolute_url())


def _fingerprint(game: Game) -> str:
    """What the log has published of the secret of the draws, for its reader to keep."""
    fingerprint, tells = game.secret_hash, (Kind.START, Kind.MODERATION)
    return fingerprint if game.log.filter(kind__in=tells, note__endswith=fingerprint).exists() else ""


def _of_seat(notice: Notice, view: Any) -> dict[str, Any]:
    """How the seat is doing; for a reader to whom it does not belong only its place, which a game without a result does
    not have."""
    number, board = notice.seat.number, board_of(notice.game.ruleset)
    score, is_stranger = view.player(number).score, eyes.eyes_among([notice.seat], notice.user_id) is None
    is_placeless = notice.game.status == Status.ABANDONED or notice.kind in HAS_LEFT
    return {
        "default": "" if is_stranger else _default(notice, view),
        "score": score,
        "rank": "" if is_placeless else rank_words([player.score for player in view.players], score),
        "facts": () if is_stranger else board.facts(view, number),
        "holdings": () if is_stranger else board.holdings(view, number),
        "without_holdings": "" if is_stranger else say(board.without_holdings),
    }


def _moment(here: datetime, form: str) -> str:
    """`Friday 20 November, 20:00`."""
    return say("{date}, {clock}", date=date_words(here, form), clock=f"{here:%H:%M}")


def _default(notice: Notice, view: Any) -> str:
    """What counts if the reader does nothing. It says that a draft exists but not what it contains: email is not
    confidential."""
    if view.phase is None:
        return ""
    draft = Draft.objects.in_time().filter(seat=notice.seat, serial=notice.serial).order_by(*Draft.NEWEST).first()
    if draft is None or not draft.content:
        return f"{say(view.phase.default)}."
    saved = draft.saved_at.astimezone(zone_of(notice.user))
    return say("the draft you saved at {clock} is submitted for you.", clock=f"{saved:%H:%M}")


def _pause(notice: Notice) -> str:
    """What a mail about a pause tells: asked to pause, asked to go on, paused by the players or a moderator, on hold,
    or resumed; or asked to take the game back."""
    proposal = notice.game.open_pause
    if notice.kind == Notice.Kind.VOTE:
        return "ask" if proposal is None or proposal["to"] == "pause" else "ask_on"
    if notice.kind == Notice.Kind.PAUSED:
        return "paused" if notice.game.pause_ends_at else "stopped"
    return str(notice.kind) if notice.kind in {Notice.Kind.HELD, Notice.Kind.RESUMED, Notice.Kind.REWIND} else ""


def _void_reason(notice: Notice, notices: Sequence[Notice]) -> str:
    """Why the game was rewound, for a seat whose submissions no longer count because of that."""
    if not any(other.game_id == notice.game_id and other.kind == Notice.Kind.VOID for other in notices):
        return ""
    rewind = ModeratorAction.objects.filter(game_id=notice.game_id, verb="rewind_to").first()
    return rewind.reason if rewind else say("a moderator's decision")


def _tells_missed(briefing: Any) -> bool:
    """Whether the lines of a briefing say already what counted instead of a missed decision."""
    return briefing is not None and any(line.outcome.kind == "missed" for line in briefing.lines)


def _missed(game: Game, notices: Sequence[Notice]) -> Phase | None:
    """The newest phase in which the reader was waited for and decided nothing."""
    missed = [other.serial for other in notices if other.game_id == game.pk and other.kind == MISSED]
    if not missed:
        return None
    name = game.log.filter(serial=max(missed)).order_by("-number").values_list("phase_name", flat=True).first()
    rows = game.rules.flow(game.read_options()).rows
    return next((row.phase for row in rows if row.phase.name == name), None)


def _deciding(seats: Sequence[Seat], waiting: Sequence[int], own: int) -> str:
    """Who must decide, as everyone may know; the reader first."""
    others = [seat.shown_name for seat in seats if seat.number in waiting and seat.number != own]
    names = ([say("you")] if own in waiting else []) + others
    return listed(names)


def _briefing(notice: Notice, seats: Sequence[Seat], own: Eyes, view: Any) -> Briefing | None:
    """What the reader's page would now say about the time since they last saw it."""
    game, seat = notice.game, notice.seat
    if seat.seen_version >= game.version:
        return None
    names = [place.name for place in badges_of(seats, user_id=notice.user_id)]
    since = max(seat.seen_version, 1)
    return brief(game=game, seat=own, since=since, at=seat.seen_at, names=names.__getitem__, view=view)


def _since_words(briefing: Briefing | None, zone: ZoneInfo) -> str:
    """The heading of a briefing: `Since your last visit, Friday 07:52`."""
    if briefing is None or briefing.since is None:
        return say("Since the game began")
    here = briefing.since.astimezone(zone)
    return say("Since your last visit, {day} {clock}", day=date_format(here, "l"), clock=f"{here:%H:%M}")


def _message_id(name: str) -> str:
    """The same for every mail of that name, so that a reader's program knows what belongs together. After a restore the
    numbers of rows are given again, and mailboxes drop a mail whose id they know: so its word is part of the id."""
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    restored = site_row.lately().restored
    return f"<{name}-{restored}@{host}>" if restored else f"<{name}@{host}>"
