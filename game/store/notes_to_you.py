"""Notes for the person they are about, who reads “you” instead of the name."""

from __future__ import annotations

from collections.abc import Mapping

from game.engine.language import mark

SENTENCES_TO: Mapping[tuple[str, str], str] = {
    ("RESIGNED", "name"): mark(
        "You resigned. The caretaker plays your seat; what was submitted for it and not revealed is void."
    ),
    ("ACCOUNT_CLOSED", "name"): mark(
        "You left: your account was closed. The caretaker plays your seat; what was submitted for it and not "
        "revealed is void."
    ),
    ("TAKEN_OVER", "name"): mark(
        "You took over the seat of {was}; what was submitted for it and not revealed is void."
    ),
    ("TAKEN_OVER", "was"): mark("{name} took over your seat; what was submitted for it and not revealed is void."),
    ("MISSED_TWICE", "name"): mark(
        "You missed two decisions in a row. The caretaker plays your seat until you are back."
    ),
    ("PROXY_MISSED_TWICE", "name"): mark(
        "You missed two decisions in a row. The caretaker plays this seat until you are back, or {was} is."
    ),
    ("PROXY_MISSED_TWICE", "was"): mark(
        "{name} missed two decisions in a row. The caretaker plays your seat until {name} is back, or you are."
    ),
    ("IS_BACK", "name"): mark("You are back and decide again."),
    ("IS_BACK_AND_ON", "name"): mark("You are back and decide again. The game goes on."),
    ("PROPOSED_ENDING", "name"): mark("You proposed to end the game without a result."),
    ("WITHDREW_ENDING", "name"): mark("You withdrew the proposal to end the game."),
    ("AGREES_TO_END", "name"): mark("You agree to end the game."),
    ("AGREES_NO_LONGER_TO_END", "name"): mark("You no longer agree to end the game."),
    ("PROPOSED_VOTING_OUT", "name"): mark("You proposed to vote {was} out of the game."),
    ("PROPOSED_VOTING_OUT", "was"): mark("{name} proposed to vote you out of the game."),
    ("WITHDREW_VOTING_OUT", "name"): mark("You withdrew the proposal to vote {was} out of the game."),
    ("WITHDREW_VOTING_OUT", "was"): mark("{name} withdrew the proposal to vote you out of the game."),
    ("AGREES_TO_VOTE_OUT", "name"): mark("You agree to vote {was} out of the game."),
    ("AGREES_TO_VOTE_OUT", "was"): mark("{name} agrees to vote you out of the game."),
    ("AGREES_NO_LONGER_TO_VOTE_OUT", "name"): mark("You no longer agree to vote {was} out of the game."),
    ("AGREES_NO_LONGER_TO_VOTE_OUT", "was"): mark("{name} no longer agrees to vote you out of the game."),
    ("VOTED_OUT", "was"): mark(
        "All other players who are present voted you out of the game. It takes effect when this phase is over."
    ),
    ("PROPOSED_PAUSE", "name"): mark("You proposed to pause the game."),
    ("PROPOSED_GOING_ON", "name"): mark("You proposed to continue the game."),
    ("WITHDREW_PAUSE", "name"): mark("You withdrew the proposal to pause the game."),
    ("WITHDREW_GOING_ON", "name"): mark("You withdrew the proposal to continue the game."),
    ("AGREES_TO_PAUSE", "name"): mark("You agree to pause the game."),
    ("AGREES_TO_GO_ON", "name"): mark("You agree to continue the game."),
    ("DECLINES_PAUSE", "name"): mark("You do not agree to pause the game."),
    ("DECLINES_TO_GO_ON", "name"): mark("You do not agree to continue the game."),
    ("TOOK_MORE_TIME", "name"): mark("You need more time: this phase is extended by {more}."),
    ("TOOK_TIME_UNTIL", "name"): mark("You need more time: this phase is extended until {until}."),
    ("ON_VACATION", "name"): mark("You are on vacation from {first} to {last}. Deadlines wait."),
    ("NO_VACATION", "name"): mark("You have cancelled a vacation, or are back early."),
    ("AGREES_TO_REWIND", "name"): mark("You agree to rewind the game."),
    ("DECLINES_TO_REWIND", "name"): mark("You do not agree to rewind the game. The moderators decide."),
    ("GAVE_SEAT_TO_BOT", "was"): mark(
        "Moderator {moderator} gave your seat to the bot {name}; what was submitted for it and not revealed is "
        "void: {reason}"
    ),
    ("GAVE_SEAT", "name"): mark(
        "Moderator {moderator} gave you the seat of {was}; what was submitted for it and not revealed is void: {reason}"
    ),
    ("GAVE_SEAT", "was"): mark(
        "Moderator {moderator} gave your seat to {name}; what was submitted for it and not revealed is void: {reason}"
    ),
    ("PROXY_SET", "name"): mark("Moderator {moderator} lets you play the seat of {was} until {until}: {reason}"),
    ("PROXY_SET", "was"): mark("Moderator {moderator} lets {name} play your seat until {until}: {reason}"),
    ("PROXY_ENDED", "name"): mark("Moderator {moderator} gave {was} back the seat that you played: {reason}"),
    ("PROXY_ENDED", "was"): mark("Moderator {moderator} gave you back the seat that {name} played: {reason}"),
    ("PROXY_OWNER_BACK", "name"): mark("{was} is back and has taken over again from you."),
    ("PROXY_OWNER_BACK", "was"): mark("You are back and have taken over again from {name}."),
    ("PROXY_GAVE_BACK", "name"): mark("You gave the seat back to {was}, who plays it again."),
    ("PROXY_GAVE_BACK", "was"): mark("{name} gave the seat back to you; you play it again."),
    ("PROXY_OVER", "name"): mark("{was} plays again; you no longer stand in."),
    ("PROXY_OVER", "was"): mark("You play again; {name} no longer stands in."),
    ("MONEY_CORRECTED", "whose"): mark("Moderator {moderator} corrected your money: {reason}"),
    ("MISS_EXCUSED", "name"): mark("Moderator {moderator} excused a missed decision of yours: {reason}"),
}
"""The sentence by the id of its note and the fact that names the reader. Moderators act under their names, and bots
read nothing."""
