"""A share of City of the Big Shoulders has a value; no page about a game calls it a price."""

import re

import pytest
from django.test import Client

from tests.scenes import play_on
from tests.tables import new_game

ABOUT_A_SHARE = {
    "en": r"[Ss]hare price|[Ss]tock price|\bprice\b|\bPrices?\b(?! Protection)",
    "de": r"Kurs\b|[kK]urse?\b",
}
PAGES = (
    "story/",
    "charts/",
    "spreadsheet/",
    "results/",
    "results/?turn=3",
    "history/",
    "outcomes/",
    "explain/score/0/",
    "",
)


@pytest.mark.django_db
def test_story_charts_and_tables_say_value_in_both_languages() -> None:
    game = play_on(new_game("ada", bots=2, ruleset="big_shoulders"))
    for language, words in ABOUT_A_SHARE.items():
        for page in PAGES:
            answer = Client(headers={"accept-language": language}).get(f"/games/{game.pk}/{page}", follow=True)
            assert answer.status_code == 200, page
            text = re.sub(r"(?s)<script.*?</script>|<[^>]+>", " ", answer.content.decode())
            hits = [text[max(0, hit.start() - 40) : hit.end() + 20] for hit in re.finditer(words, text)]
            assert not hits, (language, page, hits[:5])
