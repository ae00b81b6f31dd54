"""What an email says about one game, only from what `view` shows its reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.urls import reverse
from django.utils.dateformat import format as date_format

from accounts.quiet_hours import zone_of
from game.boards.base import Fact
from game.boards.ranks import rank_words
from game.boards.registry import board_of
from game.delivery import board_links
from game.delivery.email_lines import MentionLine, away_lines, mentions_among
from game.engine.flow import Phase
from game.engine.language import apart, say, say_as
from game.engine.phrases import listed, thousands
from game.history.briefings import Briefing, brief
from game.i18n import LONG_DAY, SHORT_DAY, date_words
from game.lobby.invitations import Terms, terms_for
from game.lobby.plans import Visits, visits_of
from game.outbox.notice_kinds import row_of
from game.seats.stand_ins import StandInFacts, facts_of
from game.store import eyes
from game.store.badges import badges_of
from game.store.eyes import Eyes
from game.store.game import Game, Seat, Status
from game.store.log import Draft, Kind, Notice
from game.store.moderation_models import Intervention, ModeratorAction
from game.store.proposals import NAME, SEAT, ProposalKind, VoteTopic, open_proposal
from game.store.rule_limits import Budget
from game.store.seat_view import view_of_seat

MOST_CHOICES = 8
MENTION, MISSED = Notice.Kind.MENTION, Notice.Kind.MISSED


@dataclass(frozen=True)
class Matter:
    """One game, as its email describes it."""

    notice: Notice
    url: str
    """Empty if the reader cannot open the game."""
    turn: int
    turn_words: str = ""
    """The turn as the game calls it: `year 3`."""
    peek_url: str = ""
    ask: str = ""
    """What the game asks of the reader, by `Board.prompt`: `Place stock orders`."""
    is_asked: bool = False
    """Whether the game waits for the reader now."""
    choices: tuple[str, ...] = ()
    """What the reader may choose, in words, the first of them."""
    more_choices: int = 0
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
    standings: tuple[Fact, ...] = ()
    """Everybody's place and score, once the game is over."""
    fellows: str = ""
    visits: Visits | None = None
    deciding: str = ""
    briefing: Briefing | None = None
    since_words: str = ""
    mentions: tuple[MentionLine, ...] = ()
    leaver: str = ""
    """Whom a proposal would vote out of the game; empty for one to end it."""
    is_leaver: bool = False  # the players vote on whether the reader is out
    pause: str = ""
    pause_until: str = ""
    pause_reason: str = ""
    """What the moderator wrote who stopped the game."""
    away: tuple[str, ...] = ()
    stand_in: StandInFacts | None = None
    invitation: Terms | None = None
    closes: str = ""
    news: tuple[Matter, ...] = ()
    """Further news of the same game, a line each."""

    @property
    def asks_for_decision(self) -> bool:
        """True if the mail is about a decision of the reader."""
        return self.notice.kind in Notice.ASKING

    @property
    def line(self) -> str:
        """The line of a list of news about it, without facts."""
        return say(row_of(self.notice).line)

    @property
    def name(self) -> str:
        """The game's name on one line, for use in headers; for invited strangers the kind of game."""
        return self.invitation.title if self.invitation else apart(" ".join(self.notice.game.name.split()))


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


def matter_of(notice: Notice, notices: Sequence[Notice], now: datetime) -> Matter:
    """The content about one game. Without its position if it is on hold or has not started; only its name if the reader
    can no longer open it."""
    if not row_of(notice).shows_position:
        return brief_matter(notice, notices, ())
    if not eyes.may_see(game=notice.game, user_id=notice.user_id):
        seats = list(Seat.objects.filter(game=notice.game).select_related("user"))
        return replace(brief_matter(notice, notices, seats), turn=0)
    return _matter(notice, notices, now)


def brief_matter(notice: Notice, notices: Sequence[Notice], seats: Sequence[Seat]) -> Matter:
    """The content without the game's position."""
    game, closes_at = notice.game, notice.game.closes_at
    return Matter(
        notice=notice,
        url=_url_for(notice),
        turn=game.turn,
        turn_words=game.rules.turn_inside(game.turn),
        pause=_pause_kind(notice),
        pause_reason=_pause_reason(notice),
        stand_in=facts_of(notice, seats),
        mentions=mentions_among(notices, game.pk),
        invitation=terms_for(notice) if notice.kind == Notice.Kind.INVITED else None,
        closes=_format_moment(closes_at.astimezone(zone_of(notice.user)), LONG_DAY) if closes_at else "",
        **_ending_fields(notice),
    )


def _ending_fields(notice: Notice) -> dict[str, Any]:
    proposal = open_proposal(notice.game, VoteTopic.ENDING) if notice.kind == Notice.Kind.ENDING else None
    if proposal is None or SEAT not in proposal.facts:
        return {}
    return {"leaver": proposal.facts[NAME], "is_leaver": proposal.facts[SEAT] == notice.seat.number}


def _has_new_secret(game: Game) -> bool:
    """True if the last rewind reopened an ended game: then its new fingerprint is in the log."""
    since = game.log.filter(kind=Kind.MODERATION, branch=game.branch, remark__facts__fingerprint=game.secret_hash)
    return bool(game.past_secrets) and since.exists()


def _matter(notice: Notice, notices: Sequence[Notice], now: datetime) -> Matter:
    game, number, is_talk = notice.game, notice.seat.number, notice.kind == MENTION
    seat = eyes.eyes_abroad(game, [notice.seat], notice.user_id)
    view = Budget().run(lambda: eyes.view(game, game.load_position(), seat))
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    briefing = None if is_talk or seat is None else _briefing(notice, seats, seat, view)
    has_begun = any(other.game_id == game.pk and other.kind == Notice.Kind.STARTED for other in notices)
    void_reason = _void_reason(notice, notices)
    has_new_secret = bool(void_reason) and _has_new_secret(game)
    missed = None if _tells_missed(briefing) else _missed_phase(game, notices)
    choices = _choices(game, seat) if notice.kind in Notice.ASKING else []
    return Matter(
        notice=notice,
        url=_url_for(notice),
        peek_url=board_links.board_url(notice) if notice.kind in Notice.ASKING and not notice.seat.device else "",
        ask=board_of(game.ruleset).prompt(view),
        choices=tuple(choices[:MOST_CHOICES]),
        more_choices=max(len(choices) - MOST_CHOICES, 0),
        has_begun=has_begun,
        fingerprint=_fingerprint(game) if has_begun or has_new_secret else "",
        has_new_secret=has_new_secret,
        void_reason=void_reason,
        missed=f"{say(missed.instead or missed.default)}." if missed else "",
        missed_phase=say(missed.title) if missed else "",
        caretaker=say(game.rules.caretaker.while_away),
        standings=_standings(seats, view, number) if game.status == Status.FINISHED else (),
        fellows=_fellows(seats, number) if has_begun else "",
        visits=visits_of(game) if has_begun else None,
        deciding=_deciding_names(seats, game.shown_waiting(seat), number),
        briefing=briefing,
        since_words=_since_words(briefing, zone_of(notice.user)),
        mentions=mentions_among(notices, game.pk),
        away=away_lines(notice, seats),
        stand_in=facts_of(notice, seats),
        **_moment_fields(game, view),
        **_deadline_fields(game, zone_of(notice.user), now),
        **_ending_fields(notice),
        **_pause_fields(notice),
        **_seat_fields(notice, view),
    )


def _moment_fields(game: Game, view: Any) -> dict[str, Any]:
    phase = say(view.phase.title) if view.phase else ""
    return {"turn": view.turn, "turn_words": game.rules.turn_inside(view.turn), "phase": phase}


def _deadline_fields(game: Game, zone: tzinfo, now: datetime) -> dict[str, Any]:
    if game.deadline_at is None:
        return {"deadline": "", "deadline_short": "", "left": ""}
    here = game.deadline_at.astimezone(zone)
    return {
        "deadline": _format_moment(here, LONG_DAY),
        "deadline_short": _format_moment(here, SHORT_DAY),
        "left": left_words((game.deadline_at - now).total_seconds()),
    }


def _pause_fields(notice: Notice) -> dict[str, Any]:
    ends_at = notice.game.pause_ends_at
    return {
        "pause": _pause_kind(notice),
        "pause_reason": _pause_reason(notice),
        "pause_until": _format_moment(ends_at.astimezone(zone_of(notice.user)), LONG_DAY) if ends_at else "",
    }


def _choices(game: Game, seat: Eyes | None) -> list[str]:
    """The actions that the open phase offers this seat, one on each line. Values stay on the board: email is not
    confidential."""
    if seat is None or game.phase is None:
        return []
    kinds = {action.__struct_config__.tag for action in game.phase.actions}
    offers = Budget().run(lambda: view_of_seat(game, seat)).offers
    return list(dict.fromkeys(offer.label for offer in offers if offer.kind in kinds and not offer.refused))


def _standings(seats: Sequence[Seat], view: Any, own: int) -> tuple[Fact, ...]:
    """Everybody's name and score, the winner first; empty while the game goes on. The reader is `You`."""
    if view.phase is not None:
        return ()
    placed = sorted((seat for seat in seats if seat.place is not None), key=lambda seat: (seat.place, seat.number))
    names = {seat.number: say_as("seat", "You") if seat.number == own else apart(seat.shown_name) for seat in placed}
    return tuple(
        Fact(f"{seat.place}. {names[seat.number]}", thousands(view.player(seat.number).score)) for seat in placed
    )


def _fellows(seats: Sequence[Seat], own: int) -> str:
    """The other players of the game; bots are marked."""
    names = [
        say("{name} (bot)", name=apart(seat.shown_name)) if seat.bot else apart(seat.shown_name)
        for seat in seats
        if seat.number != own
    ]
    return listed(names)


def _url_for(notice: Notice) -> str:
    """The page that the notice is about; empty if the reader can no longer open the game."""
    game, is_talk = notice.game, notice.kind == MENTION
    if not eyes.may_see(game=game, user_id=notice.user_id):
        return ""
    return settings.SITE_URL + (reverse("chat", args=[game.pk]) if is_talk else game.get_absolute_url())


def _fingerprint(game: Game) -> str:
    """The fingerprint of the draws' secret, if the log has published it."""
    is_published = game.log.filter(remark__facts__fingerprint=game.secret_hash).exists()
    return game.secret_hash if is_published else ""


def _seat_fields(notice: Notice, view: Any) -> dict[str, Any]:
    """Fields about the seat's score and place; only the place if it is not the reader's, and none if the game has no
    result."""
    number, board = notice.seat.number, board_of(notice.game.ruleset)
    score, is_stranger = view.player(number).score, eyes.eyes_abroad(notice.game, [notice.seat], notice.user_id) is None
    is_placeless = notice.game.status == Status.ABANDONED or row_of(notice).has_lost_seat
    rank = "" if is_placeless else rank_words([player.score for player in view.players], score)
    place = (Fact(say("Place"), rank),) if rank else ()
    return {
        "default": "" if is_stranger else _default_text(notice, view),
        "is_asked": not is_stranger and number in notice.game.waiting_seats and _is_deciding(view),
        "score": score,
        "rank": rank,
        "facts": place if is_stranger else (*board.facts(view, number), *place),
        "holdings": () if is_stranger else board.holdings(view, number),
        "without_holdings": "" if is_stranger or view.phase is None else say(board.without_holdings),
    }


def _is_deciding(view: Any) -> bool:
    """True if the open phase asks for a decision; an automatic one only shows its results."""
    return view.phase is not None and view.phase.mode != "automatic"


def _format_moment(here: datetime, form: str) -> str:
    """`Friday 20 November, 20:00`."""
    return say("{date}, {clock}", date=date_words(here, form), clock=f"{here:%H:%M}")


def _default_text(notice: Notice, view: Any) -> str:
    """What counts if the reader does nothing. It says that a draft exists but not its content: email is not
    confidential."""
    if not _is_deciding(view):
        return ""
    draft = Draft.objects.of_player(notice.seat_id, notice.user_id, notice.serial).first()
    if draft is None or not draft.content:
        return f"{say(view.phase.default)}."
    saved = draft.saved_at.astimezone(zone_of(notice.user))
    return say("the draft you saved at {clock} is submitted for you.", clock=f"{saved:%H:%M}")


def _pause_kind(notice: Notice) -> str:
    """The variant of a mail about a pause: a vote to pause or resume, paused by players or a moderator, on hold,
    resumed, or a vote on a rewind."""
    if notice.kind == Notice.Kind.VOTE:
        proposal = open_proposal(notice.game, VoteTopic.PAUSE)
        return "ask_on" if proposal is not None and proposal.kind == ProposalKind.GOING_ON else "ask"
    if notice.kind == Notice.Kind.PAUSED:
        return "paused" if notice.game.pause_ends_at else "stopped"
    return str(notice.kind) if notice.kind in {Notice.Kind.HELD, Notice.Kind.RESUMED, Notice.Kind.REWIND} else ""


def _pause_reason(notice: Notice) -> str:
    """Why a moderator paused the game or put it on hold; empty if the site itself did."""
    verbs = {Notice.Kind.PAUSED: Intervention.PAUSE, Notice.Kind.HELD: Intervention.HOLD}
    if notice.kind not in verbs or _pause_kind(notice) == "paused":
        return ""
    latest = ModeratorAction.objects.filter(game_id=notice.game_id).first()
    return latest.reason if latest and latest.verb == verbs[Notice.Kind(notice.kind)] else ""


def _void_reason(notice: Notice, notices: Sequence[Notice]) -> str:
    """Why the game was rewound, if submissions of the seat became void."""
    if not any(other.game_id == notice.game_id and other.kind == Notice.Kind.VOID for other in notices):
        return ""
    rewind = ModeratorAction.objects.filter(game_id=notice.game_id, verb="rewind_to").first()
    return rewind.reason if rewind else say("a moderator's decision")


def _tells_missed(briefing: Any) -> bool:
    """True if the briefing already says what counted instead of a missed decision."""
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
    """The names of those who must decide, which are public, the reader first. Empty if only the reader must: the mail
    asks for that anyway."""
    others = [seat.shown_name for seat in seats if seat.number in waiting and seat.number != own]
    names = ([say("you")] if own in waiting else []) + others
    return listed(names) if others else ""


def _briefing(notice: Notice, seats: Sequence[Seat], own: Eyes, view: Any) -> Briefing | None:
    """The briefing that the reader's page would show now."""
    game, seat = notice.game, notice.seat
    if seat.seen_version >= game.version:
        return None
    names = [place.name for place in badges_of(seats, ruleset=game.ruleset, user_id=notice.user_id)]
    since = max(seat.seen_version, 1)
    return brief(game=game, seat=own, since=since, at=seat.seen_at, names=names.__getitem__, view=view)


def _since_words(briefing: Briefing | None, zone: ZoneInfo) -> str:
    """The heading of a briefing: `Since your last visit, Friday 07:52`."""
    if briefing is None or briefing.since is None:
        return say("Since the game began")
    here = briefing.since.astimezone(zone)
    return say("Since your last visit, {day} {clock}", day=date_format(here, "l"), clock=f"{here:%H:%M}")
