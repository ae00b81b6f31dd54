"""Addresses of votes: the same acts on each topic."""

from django.urls import path

from game.store.proposals import VoteTopic
from game.votes import voting
from game.votes.views import view_of

GAME = "games/<int:game_id>"
urlpatterns = [
    path(f"{GAME}/ending/", view_of(voting.propose, VoteTopic.ENDING), name="propose_ending"),
    path(f"{GAME}/seats/<int:number>/vote-out/", view_of(voting.propose, VoteTopic.ENDING), name="propose_voting_out"),
    path(f"{GAME}/ending/<int:number>/agree/", view_of(voting.agree, VoteTopic.ENDING), name="agree_to_ending"),
    path(f"{GAME}/ending/<int:number>/revoke/", view_of(voting.withdraw, VoteTopic.ENDING), name="revoke_ending"),
    path(f"{GAME}/pause/", view_of(voting.propose, VoteTopic.PAUSE), name="propose_pause"),
    path(f"{GAME}/pause/<int:number>/agree/", view_of(voting.agree, VoteTopic.PAUSE), name="agree_to_pause"),
    path(f"{GAME}/pause/<int:number>/decline/", view_of(voting.decline, VoteTopic.PAUSE), name="decline_pause"),
    path(f"{GAME}/pause/<int:number>/withdraw/", view_of(voting.withdraw, VoteTopic.PAUSE), name="withdraw_pause"),
    path(f"{GAME}/rewind/<int:number>/agree/", view_of(voting.agree, VoteTopic.REWIND), name="agree_to_rewind"),
    path(f"{GAME}/rewind/<int:number>/decline/", view_of(voting.decline, VoteTopic.REWIND), name="decline_rewind"),
]
