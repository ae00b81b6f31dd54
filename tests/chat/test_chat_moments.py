"""The moment of the game at which a message was written, as each reader is told it."""

import pytest

from accounts.models import User
from game.chat.models import Message
from game.store.game import Game
from tests.chat.test_chat import say, words
from tests.scenes import person, table

pytestmark = [pytest.mark.django_db]


def test_the_moment_of_a_message_is_told_in_the_language_of_its_reader() -> None:
    """Also that of a message whose phase was stored by its English title."""
    game: Game = table(person("Ada"), person("Ben"), bots=1)
    earlier = say(game, "Ada", "Earlier.")
    Message.objects.filter(pk=earlier.pk).update(phase="phase 1: Influence bid")
    assert words(game, "Ben").count("Turn 1, phase 1: Influence bid") == 1
    say(game, "Ben", "Later.")
    User.objects.filter(username="Ben").update(language="de")
    result = words(game, "Ben")
    assert "Influence bid" not in result
    assert result.count("Phase 1: Einflussgebot") == 1, "both belong to one moment"
