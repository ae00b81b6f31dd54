"""Endpoints for what players decide together: invitations, proposals, more time, the chat's switches, a rematch."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api_tokens import MANAGE, PLAY
from game.api import answers, shapes
from game.api.endpoint import Endpoint, Operation
from game.api.facts.games import Summary, place_of, summary_of
from game.api.games import TABLE, Table
from game.api.problems import Problem
from game.chat import reading, writing
from game.clock import extensions
from game.lobby import inviting, lobby, rematch
from game.lobby.invitations import invitees_of
from game.play import authority
from game.seats import takeover
from game.store import eyes
from game.store.proposals import SEAT, Proposal, VoteTopic, open_proposals
from game.store.seat_models import Invitation as Link
from game.votes import voting
from game.votes.rewinds import number_of_vote

Service = Callable[..., Any]
SEATED = ("not-found", "not-seated", "not-running", "phase-closed", "refused")


def service_call(
    name: str, summary: str, service: Service, *problems: str, scope: str = MANAGE, body: Any = None, **fixed: Any
) -> tuple[Operation, Service]:
    """An operation that calls a service with the game, the user, the fields of the body and what is `fixed`, and
    responds with the game's new state."""
    operation = Operation(name, summary, Summary, scope, body=body, limit="write", problems=problems or SEATED)
    return operation, partial(service, **fixed)


def endpoint_of(about: str, **calls: tuple[Operation, Service]) -> type[Table]:
    """An endpoint with these operations by method."""

    def handler(service: Service) -> Callable[..., Response]:
        def handle(self: Table, request: Request, game_id: int, **place: Any) -> Response:
            self.find_game(game_id)
            fields = {} if self.body is None else msgspec.structs.asdict(self.body)
            service(game_id=game_id, user=self.person, **place, **fields)
            return self.changed(game_id)

        return handle

    handlers = {method.lower(): handler(service) for method, (_, service) in calls.items()}
    operations = {method: operation for method, (operation, _) in calls.items()}
    return type("Address", (Table,), {"__doc__": about, "operations": operations, **handlers})


Fill = endpoint_of(
    "Bots for every free seat.",
    POST=service_call(
        "fill_with_bots", "Seat a bot of a level in every free seat, as the host", lobby.fill_with_bots, *TABLE,
        body=shapes.Level,
    ),
)  # fmt: skip
Back = endpoint_of(
    "Somebody whom the host sent away.",
    POST=service_call(
        "invite_again", "Let somebody come back who was sent away, as the host", lobby.invite_again, *TABLE
    ),
)
Endings = endpoint_of(
    "Ending the game without a result.",
    POST=service_call(
        "propose_ending",
        "Propose to end the game without a result, and agree to it",
        voting.propose,
        topic=VoteTopic.ENDING,
    ),
)
VoteOut = endpoint_of(
    "Voting out a player who has left.",
    POST=service_call(
        "propose_voting_out",
        "Propose to vote out a seat that the caretaker plays, where the rules allow it, and agree to it",
        voting.propose,
        topic=VoteTopic.ENDING,
    ),
)
Ending = endpoint_of(
    "A proposal to end the game, or to vote a player out.",
    POST=service_call(
        "agree_to_ending",
        "Agree to the proposal; the last who is present carries it",
        voting.agree,
        topic=VoteTopic.ENDING,
    ),
    DELETE=service_call(
        "revoke_ending",
        "Take back your agreement; whoever made the proposal takes it back",
        voting.withdraw,
        topic=VoteTopic.ENDING,
    ),
)
Pauses = endpoint_of(
    "Pausing the game.",
    POST=service_call(
        "propose_pause",
        "Propose to pause the game, or to go on, and agree to it",
        voting.propose,
        topic=VoteTopic.PAUSE,
    ),
)
Pause = endpoint_of(
    "A proposal to pause the game, or to go on.",
    POST=service_call("agree_to_pause", "Agree to the proposal", voting.agree, topic=VoteTopic.PAUSE),
    DELETE=service_call("decline_pause", "Decline the proposal", voting.decline, topic=VoteTopic.PAUSE),
)
PauseWithdrawal = endpoint_of(
    "Taking back a proposal of one’s own.",
    POST=service_call(
        "withdraw_pause",
        "Withdraw your own proposal to pause, or to go on",
        voting.withdraw,
        topic=VoteTopic.PAUSE,
    ),
)
Rewind = endpoint_of(
    "A rewind that a moderator has put to the players.",
    POST=service_call(
        "agree_to_rewind",
        "Agree to it; the last who is present takes the game back",
        voting.agree,
        topic=VoteTopic.REWIND,
    ),
    DELETE=service_call(
        "decline_rewind", "Decline it; then the moderators decide", voting.decline, topic=VoteTopic.REWIND
    ),
)
Extension = endpoint_of(
    "More time for the open phase.",
    POST=service_call("extend_phase", "Take half of the phase’s length more, once a phase", extensions.extend),
)
Switch = endpoint_of(
    "Whether there is a chat.",
    POST=service_call(
        "switch_chat", "Switch the chat on or off, as the host", writing.switch, *TABLE, body=shapes.Switch
    ),
)
Mute = endpoint_of(
    "One player’s messages.",
    POST=service_call(
        "mute", "Hide a player’s messages from yourself, or show them again",
        lambda *, number, **fields: reading.mute(seat_number=number, **fields), scope=PLAY, body=shapes.Switch,
    ),
)  # fmt: skip
Report = endpoint_of(
    "A message that breaks the rules of the house.",
    POST=service_call(
        "report_message", "Bring a message before the moderators", reading.report, scope=PLAY, body=shapes.Reason
    ),
)


class Read(Table):
    """The last message the player has read."""

    operations = {
        "POST": Operation(
            "mark_chat_read", "Say up to which message you have read", Summary, PLAY, body=shapes.Upto, limit="write",
            problems=("not-found", "not-seated"),
        )
    }  # fmt: skip

    def post(self, request: Request, game_id: int) -> Response:
        self.find_seat(game_id)
        reading.mark_read(game_id=game_id, user=self.person, number=self.body.number)
        return self.changed(game_id)


class Invitation(Endpoint):
    """The invitation link of a game, for its host; for all its players while a private running game has a free seat."""

    operations = {
        "GET": Operation(
            "get_invitation", "The link to your table, as its host or for a free seat", answers.Invitation, MANAGE,
            problems=("not-found", "not-host"),
        ),
        "POST": Operation(
            "renew_invitation", "A new link, after which the old one leads nowhere", answers.Invitation, MANAGE,
            body=shapes.Nothing, limit="write", problems=TABLE,
        ),
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        if not takeover.may_share_link(self.find_game(game_id), self.person):
            raise Problem("not-host")
        token = Link.objects.values_list("token", flat=True).get(game_id=game_id)
        return Response(answers.Invitation(game_id, token, eyes.link_to(game_id)))

    def post(self, request: Request, game_id: int) -> Response:
        self.find_game(game_id)
        lobby.renew_invitation(game_id=game_id, user=self.person)
        return self.get(request, game_id)


class Invitees(Endpoint):
    """The people invited by name, for the host only."""

    operations = {
        "GET": Operation(
            "list_invitees", "Whom you have invited by name to your table, as its host", answers.Invitees, MANAGE,
            problems=("not-found", "not-host"),
        )
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        game = self.find_game(game_id)
        if not authority.is_host(game, self.person):
            raise Problem("not-host")
        return Response(answers.Invitees(invitees_of(game)))


class Invitee(Table):
    """One person invited by name."""

    operations = {
        "DELETE": Operation(
            "withdraw_invitation", "Withdraw an invitation as the host; decline it, where the number is your own", None,
            MANAGE, status=204, limit="write", problems=TABLE,
        )
    }  # fmt: skip

    def delete(self, request: Request, game_id: int, number: int) -> Response:
        self.find_game(game_id)
        if number == self.person.pk:
            inviting.decline(game_id=game_id, user=self.person)
        else:
            inviting.withdraw(game_id=game_id, user=self.person, person=number)
        return Response(None, status=204)


class Proposals(Endpoint):
    """The open proposals of a game."""

    operations = {
        "GET": Operation(
            "list_proposals", "What is proposed at your table, and who has agreed", answers.Proposals,
            problems=("not-found", "not-seated"),
        )
    }  # fmt: skip

    def get(self, request: Request, game_id: int) -> Response:
        self.find_seat(game_id)
        game = self.find_game(game_id)
        return Response(answers.Proposals([_proposal(*each) for each in open_proposals(game).items()]))


class Rematch(Table):
    """The rematch of a game."""

    operations = {
        "POST": Operation(
            "rematch", "Open the rematch of a finished game, or join it; answers with the new game", Summary, MANAGE,
            body=shapes.Nothing, limit="write", problems=("not-found", "not-seated", "not-running", "refused"),
            for_one_game=False,
        )
    }  # fmt: skip

    def post(self, request: Request, game_id: int) -> Response:
        self.find_game(game_id)
        after = rematch.rematch(game_id=game_id, user=self.person)
        return Response(summary_of(place_of(self.find_game(after.pk), self.person)))


def _proposal(topic: VoteTopic, proposal: Proposal) -> answers.Proposal:
    return answers.Proposal(
        topic.value,
        proposal.kind.value,
        number_of_vote(proposal) if topic == VoteTopic.REWIND else proposal.number,
        proposal.by,
        list(proposal.agreed),
        list(proposal.declined),
        proposal.until,
        proposal.facts.get(SEAT),
    )
