"""The content of an email: written when it is sent, only from what `view` shows its reader."""

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
from game.lobby.invitations import Terms, terms_for
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
LIST_FROM = 3  # a mail about this many games is a list, or about two if both ask for a decision
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
KINDS_WITHOUT_POSITION = {Notice.Kind.HELD, Notice.Kind.INVITED, Notice.Kind.CLOSING, Notice.Kind.CLOSED}
"""The game has no position, or one that cannot be trusted."""
NEWS_ORDER = {Notice.Kind.FINISHED: 0, MENTION: 2, MISSED: 2}
"""Sort order of a game's notices that ask for no decision; 1 by default."""
SHOWN_WITH_DECISION = frozenset({Notice.Kind.STARTED, Notice.Kind.VOID, MENTION, MISSED})
WITH_MENTIONS = {Notice.Kind.STARTED, Notice.Kind.FINISHED, Notice.Kind.VOID}
"""These also name the player who mentioned the reader."""
AFTER_LEAVING = {Notice.Kind.REPLACED, Notice.Kind.STOOD_IN}
"""The reader has lost the seat: the mail shows neither its standing nor a link to the game's email settings."""
PARAGRAPH_TEMPLATES = {"pause", "proxy", "room"}
"""These share one layout with a single paragraph, such as `_pause.txt`."""


@dataclass(frozen=True)
class Matter:
    """One game, as its email describes it."""

    notice: Notice
    url: str
    """Empty if the reader cannot open the game."""
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
    """Further news of the same game, a line each."""

    @property
    def is_asked(self) -> bool:
        """Whether the mail is about a decision of the reader."""
        return self.notice.kind in Notice.ASKING

    @property
    def name(self) -> str:
        """The game's name on one line, for use in headers; for invited strangers the kind of game."""
        return self.invitation.title if self.invitation else apart(" ".join(self.notice.game.name.split()))


def write_email(notices: Sequence[Notice], *, now: datetime) -> Letter:
    """One email about everything due to one person, most urgent first, in their language."""
    with speaking(notices[0].user.language):
        return _compose(notices, now)


def _compose(notices: Sequence[Notice], now: datetime) -> Letter:
    user, heads = notices[0].user, _one_per_game(notices)
    is_list = _is_list(heads) or any(notice.in_digest for notice in notices)
    kind = "digest" if is_list else TEMPLATES[Notice.Kind(heads[0].kind)]
    topics = {TOPICS[Notice.Kind(head.kind)] for head in heads}
    matters = [_matter_of(head, notices, now) for head in heads]
    matters = [
        replace(each, also=_further_news(each, notices, _kinds_in_text(each, heads[0], is_list))) for each in matters
    ]
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
    form = "paragraph" if kind in PARAGRAPH_TEMPLATES else kind
    context |= {"subject": subject, "paragraph": f"mail/_{kind}.txt"}
    email = Letter(subject, render_to_string(f"mail/{form}.txt", context), to=[user.email])
    email.attach_alternative(render_to_string(f"mail/{form}.html", context), "text/html")
    email.extra_headers = _thread_headers(heads) | {"Auto-Submitted": "auto-generated"}
    email.extra_headers |= unsubscribing.headers(user, topics)
    return email


def _is_list(heads: Sequence[Notice]) -> bool:
    """Whether a mail lists its games, each with its deadline, its default and its link."""
    asking = [head for head in heads if head.kind in Notice.ASKING]
    return len(heads) >= LIST_FROM or len(asking) > 1


def _thread_headers(heads: Sequence[Notice]) -> dict[str, str]:
    """All emails about one game reply to the same message, which was never sent, so that mail programs group them. An
    email about several games belongs to no thread."""
    headers = {"Message-ID": _message_id(_message_name(heads[0]))}
    if len(heads) > 1:
        return headers
    game = _message_id(f"game-{heads[0].game_id}")
    return headers | {"In-Reply-To": game, "References": game}


def _message_name(head: Notice) -> str:
    """The same for every attempt. A moved deadline uses the same row for each move, so its name has the new time."""
    moved_to = head.game.deadline_at if head.kind == MOVED else None
    return f"notice-{head.pk}-{moved_to.timestamp():.0f}" if moved_to else f"notice-{head.pk}"


def _context(user: User, topics: Collection[Topic], matters: Sequence[Matter]) -> dict[str, Any]:
    zone, game = zone_of(user), matters[0].notice.game
    is_invited = any(matter.notice.kind == Notice.Kind.INVITED for matter in matters)
    is_one, site = len(matters) == 1, settings.SITE_URL
    has_left = is_one and matters[0].notice.kind in AFTER_LEAVING
    # Only one's own games have a page about their emails, until they are closed.
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
    """A duration to the minute."""
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


def _one_per_game(notices: Sequence[Notice]) -> list[Notice]:
    """The most urgent notice of each game; the others are mentioned in its mail."""
    by_game: dict[int, Notice] = {}
    for notice in sorted(notices, key=_urgency):
        by_game.setdefault(notice.game_id, notice)
    return list(by_game.values())


def _urgency(notice: Notice) -> tuple[bool, int, float, int]:
    deadline = notice.game.deadline_at
    is_asking = notice.kind in Notice.ASKING
    when = deadline.timestamp() if is_asking and deadline else 0.0
    return (not is_asking, NEWS_ORDER.get(Notice.Kind(notice.kind), 1), when, notice.pk)


def _kinds_in_text(matter: Matter, first: Notice, is_list: bool) -> frozenset[Notice.Kind]:
    """The kinds of notices that the mail covers besides a game's head."""
    if is_list:
        return frozenset({MENTION, MISSED})
    if matter.notice != first:
        return frozenset()
    return SHOWN_WITH_DECISION if matter.is_asked else frozenset({MENTION} if first.kind in WITH_MENTIONS else ())


def _further_news(matter: Matter, notices: Sequence[Notice], in_text: Collection[Notice.Kind]) -> tuple[Matter, ...]:
    """Other kinds of notices about a game, in order, without those that the mail covers already."""
    head = matter.notice
    covered = {head.kind, *Notice.ASKING, *in_text}
    others = {other.kind: other for other in notices if other.game_id == head.game_id and other.kind not in covered}
    seats = list(Seat.objects.filter(game=head.game).select_related("user")) if others else []
    return tuple(_brief_matter(other, notices, seats) for other in others.values())


def _matter_of(notice: Notice, notices: Sequence[Notice], now: datetime) -> Matter:
    """The content about one game. Without its position if it is on hold or has not started; only its name if the reader
    can no longer open it."""
    if notice.kind in KINDS_WITHOUT_POSITION:
        return _brief_matter(notice, notices, ())
    if not eyes.may_see(game=notice.game, user_id=notice.user_id):
        seats = list(Seat.objects.filter(game=notice.game).select_related("user"))
        return replace(_brief_matter(notice, notices, seats), turn=0)
    return _matter(notice, notices, now)


def _brief_matter(notice: Notice, notices: Sequence[Notice], seats: Sequence[Seat]) -> Matter:
    """The content without the game's position."""
    game, closes_at = notice.game, notice.game.closes_at
    return Matter(
        notice=notice,
        url=_url_for(notice),
        turn=game.turn,
        pause=_pause_kind(notice),
        proxy=standing_of(notice, seats),
        mentions=mentions_among(notices, game.pk),
        invitation=terms_for(notice) if notice.kind == Notice.Kind.INVITED else None,
        closes=_format_moment(closes_at.astimezone(zone_of(notice.user)), LONG_DAY) if closes_at else "",
    )


def _has_new_secret(game: Game) -> bool:
    """Whether the last rewind reopened an ended game: then its new fingerprint is in the log."""
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
    missed = None if _tells_missed(briefing) else _missed_phase(game, notices)
    return Matter(
        notice=notice,
        url=_url_for(notice),
        peek_url=board_links.address(notice) if notice.kind in Notice.ASKING else "",
        ask=board_of(game.ruleset).prompt(view),
        deadline=_format_moment(here, LONG_DAY) if here else "",
        deadline_short=_format_moment(here, SHORT_DAY) if here else "",
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
        deciding=_deciding_names(seats, game.waiting_seats, number),
        briefing=briefing,
        since_words=_since_words(briefing, zone_of(notice.user)),
        mentions=mentions_among(notices, game.pk),
        pause=_pause_kind(notice),
        pause_until=_format_moment(game.pause_ends_at.astimezone(zone_of(notice.user)), LONG_DAY)
        if game.pause_ends_at
        else "",
        away=away_lines(notice, seats),
        proxy=standing_of(notice, seats),
        **_seat_fields(notice, view),
    )


def _url_for(notice: Notice) -> str:
    """The page that the notice is about; empty if the reader can no longer open the game."""
    game, is_talk = notice.game, notice.kind == MENTION
    if not eyes.may_see(game=game, user_id=notice.user_id):
        return ""
    return settings.SITE_URL + (reverse("chat", args=[game.pk]) if is_talk else game.get_absolute_url())


def _fingerprint(game: Game) -> str:
    """The fingerprint of the draws' secret, if the log has published it."""
    fingerprint, publishing_kinds = game.secret_hash, (Kind.START, Kind.MODERATION)
    return fingerprint if game.log.filter(kind__in=publishing_kinds, note__endswith=fingerprint).exists() else ""


def _seat_fields(notice: Notice, view: Any) -> dict[str, Any]:
    """How the seat is doing; only its place if it is not the reader's, and no place if the game has no result."""
    number, board = notice.seat.number, board_of(notice.game.ruleset)
    score, is_stranger = view.player(number).score, eyes.eyes_among([notice.seat], notice.user_id) is None
    is_placeless = notice.game.status == Status.ABANDONED or notice.kind in AFTER_LEAVING
    return {
        "default": "" if is_stranger else _default_text(notice, view),
        "score": score,
        "rank": "" if is_placeless else rank_words([player.score for player in view.players], score),
        "facts": () if is_stranger else board.facts(view, number),
        "holdings": () if is_stranger else board.holdings(view, number),
        "without_holdings": "" if is_stranger else say(board.without_holdings),
    }


def _format_moment(here: datetime, form: str) -> str:
    """`Friday 20 November, 20:00`."""
    return say("{date}, {clock}", date=date_words(here, form), clock=f"{here:%H:%M}")


def _default_text(notice: Notice, view: Any) -> str:
    """What counts if the reader does nothing. It says that a draft exists but not its content: email is not
    confidential."""
    if view.phase is None:
        return ""
    draft = Draft.objects.in_time().filter(seat=notice.seat, serial=notice.serial).order_by(*Draft.NEWEST).first()
    if draft is None or not draft.content:
        return f"{say(view.phase.default)}."
    saved = draft.saved_at.astimezone(zone_of(notice.user))
    return say("the draft you saved at {clock} is submitted for you.", clock=f"{saved:%H:%M}")


def _pause_kind(notice: Notice) -> str:
    """The variant of a mail about a pause: a vote to pause or resume, paused by players or a moderator, on hold,
    resumed, or a vote on a rewind."""
    proposal = notice.game.open_pause
    if notice.kind == Notice.Kind.VOTE:
        return "ask" if proposal is None or proposal["to"] == "pause" else "ask_on"
    if notice.kind == Notice.Kind.PAUSED:
        return "paused" if notice.game.pause_ends_at else "stopped"
    return str(notice.kind) if notice.kind in {Notice.Kind.HELD, Notice.Kind.RESUMED, Notice.Kind.REWIND} else ""


def _void_reason(notice: Notice, notices: Sequence[Notice]) -> str:
    """Why the game was rewound, if submissions of the seat became void."""
    if not any(other.game_id == notice.game_id and other.kind == Notice.Kind.VOID for other in notices):
        return ""
    rewind = ModeratorAction.objects.filter(game_id=notice.game_id, verb="rewind_to").first()
    return rewind.reason if rewind else say("a moderator's decision")


def _tells_missed(briefing: Any) -> bool:
    """Whether the briefing already says what counted instead of a missed decision."""
    return briefing is not None and any(line.outcome.kind == "missed" for line in briefing.lines)


def _missed_phase(game: Game, notices: Sequence[Notice]) -> Phase | None:
    """The newest phase in which the reader missed a decision."""
    missed_serials = [other.serial for other in notices if other.game_id == game.pk and other.kind == MISSED]
    if not missed_serials:
        return None
    name = game.log.filter(serial=max(missed_serials)).order_by("-number").values_list("phase_name", flat=True).first()
    rows = game.rules.flow(game.read_options()).rows
    return next((row.phase for row in rows if row.phase.name == name), None)


def _deciding_names(seats: Sequence[Seat], waiting: Sequence[int], own: int) -> str:
    """Who must decide, which is public; the reader first."""
    others = [seat.shown_name for seat in seats if seat.number in waiting and seat.number != own]
    names = ([say("you")] if own in waiting else []) + others
    return listed(names)


def _briefing(notice: Notice, seats: Sequence[Seat], own: Eyes, view: Any) -> Briefing | None:
    """The briefing that the reader's page would show now."""
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
    """The same for every mail of that name, so that mail programs group them. After a restore row numbers repeat, and
    mailboxes drop a known id, so the restore's word is part of it."""
    host = settings.DEFAULT_FROM_EMAIL.rsplit("@", 1)[-1].strip("> ")
    restored = site_row.lately().restored
    return f"<{name}-{restored}@{host}>" if restored else f"<{name}@{host}>"
