"""The balance report: written, well-formed, and its figures those of the games."""

import json
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from statistics import mean
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import call_command

from game.management.reports import figures
from game.management.reports.figures import Bar, bars

NAME = "sectors-4-seats-edition-1"


class Tables(HTMLParser):
    """The cells of each table by the table's id; complains about tags that do not match."""

    VOID = frozenset({"meta", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.rows: dict[str, list[list[str]]] = {}
        self.table: str = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self.table = str(dict(attrs).get("id"))
            self.rows[self.table] = []
        elif tag == "tr":
            self.rows[self.table].append([])
        elif tag in {"td", "th"}:
            self.rows[self.table][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in {"td", "th"}:
            self.rows[self.table][-1][-1] += data


@pytest.mark.parametrize(
    ("values", "spans"),
    [
        ([8, 8, 8], [("8", 3)]),
        ([3, 5, 5], [("3", 1), ("4", 0), ("5", 2)]),
        (
            [195, 276, 240, 241],
            [("190–199", 1), ("200–209", 0), ("210–219", 0), ("220–229", 0), ("230–239", 0), ("240–249", 2)],
        ),
        ([0, 1_000_000], [("0–199999", 1), ("200000–399999", 0)]),
    ],
)
def test_a_histogram_has_at_most_ten_equal_spans(values: list[int], spans: list[tuple[str, int]]) -> None:
    drawn = figures.histogram(values)
    assert drawn[: len(spans)] == spans
    assert len(drawn) <= figures.MOST_SPANS
    assert sum(games for _, games in drawn) == len(values)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten games of the first edition, then two of the second, in one report."""
    folder = tmp_path_factory.mktemp("report") / "balance"
    out = {"stdout": StringIO(), "stderr": StringIO()}
    call_command("simulate", "sectors", seats=4, games=10, option=["edition=1"], report=folder, **out)
    assert "10 of 10 games" in out["stderr"].getvalue()
    assert "10 games, 10 with money and shares conserved" in out["stdout"].getvalue()
    call_command("simulate", "sectors", seats=3, games=2, report=folder, **out)
    return folder


@pytest.fixture(scope="module")
def run(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / f"{NAME}.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def shown(folder: Path) -> dict[str, list[list[str]]]:
    return read(folder / f"{NAME}.html")


def read(page: Path) -> dict[str, list[list[str]]]:
    parser = Tables()
    parser.feed(page.read_text(encoding="utf-8"))
    parser.close()
    assert not parser.open
    return {name: rows[1:] for name, rows in parser.rows.items()}


def test_pages_are_written_well_formed_and_stand_alone(folder: Path) -> None:
    assert {path.suffix for path in folder.iterdir()} == {".html", ".json", ".css"}
    for page in folder.glob("*.html"):
        read(page)
        text = page.read_text(encoding="utf-8")
        assert "<script" not in text
        assert "style=" not in text
        for drawn in text.split("<svg")[1:]:
            ElementTree.fromstring("<svg" + drawn.split("</svg>")[0] + "</svg>")


def test_the_index_leads_to_every_run(folder: Path) -> None:
    rows = read(folder / "index.html")["None"]
    assert [row[1] for row in rows] == ["2", "10"]
    text = (folder / "index.html").read_text(encoding="utf-8")
    assert all(f'href="{path.stem}.html"' in text for path in folder.glob("*.json"))


def test_lengths_are_those_of_the_games(run: dict[str, Any], shown: dict[str, list[list[str]]]) -> None:
    for name, key in (("Turns", "turns"), ("Phases", "phases"), ("Rounds of decisions", "decisions")):
        values = [game[key] for game in run["games"]]
        row = next(row for row in shown["length"] if row[0] == name)
        assert [float(cell) for cell in row[1:]] == [min(values), round(mean(values), 1), max(values)]
    assert sum(sum(game["waits"].values()) for game in run["games"]) == sum(game["decisions"] for game in run["games"])


def test_seats_share_the_wins(run: dict[str, Any], shown: dict[str, list[list[str]]]) -> None:
    assert sum(float(row[1]) for row in shown["seats"]) == pytest.approx(10, abs=0.3)
    for row in shown["seats"]:
        scores = [s["score"] for game in run["games"] for s in game["standings"] if s["seat"] == int(row[0]) - 1]
        assert row[3] == f"{round(mean(scores)):,}"


def test_the_last_point_of_the_curves_is_the_end(run: dict[str, Any], shown: dict[str, list[list[str]]]) -> None:
    for game in run["games"]:
        assert len(game["course"]) == game["turns"] + 1
        assert sorted(game["course"][-1]["worth"]) == sorted(s["score"] for s in game["standings"])
    last = [game["course"][8] for game in run["games"] if game["turns"] >= 8]
    row = next(row for row in shown["worth"] if row[0] == "8")
    assert row[1] == f"{round(mean(max(point['worth']) for point in last)):,}"
    bank = next(row for row in shown["bank"] if row[0] == "8")
    assert bank[1].replace("−", "-") == f"{min(point['bank'] for point in last):,}"


def test_money_and_companies_are_counted(run: dict[str, Any], shown: dict[str, list[list[str]]]) -> None:
    dividends = sum(game["income"].get("dividend", 0) for game in run["games"])
    row = next(row for row in shown["income"] if row[0] == "dividend")
    assert row[1] == f"{round(dividends / 10):,}"
    fates = {row[0]: int(row[1]) for row in shown["counted"]}
    assert fates["company floated"] == run["occurrences"]["events"]["company_floated"]
    assert fates["went bankrupt"] == run["occurrences"]["events"]["went_bankrupt"]
    in_play = sum(len(game["facts"]["sectors"]) for game in run["games"])
    assert sum(int(row[1]) for row in shown["sectors"]) == in_play == 30


def test_what_was_never_used_is_named(run: dict[str, Any], folder: Path) -> None:
    text = (folder / f"{NAME}.html").read_text(encoding="utf-8")
    never = sum(not count for name in ("company_actions", "cards") for count in run["occurrences"][name].values())
    assert text.count('class="bar bar--none"') >= never > 0


def test_a_shared_first_place_counts_in_parts() -> None:
    standings = [{"seat": seat, "place": place, "score": 9} for seat, place in ((0, 1), (1, 1), (2, 3))]
    assert [seat.wins for seat in figures.seats([{"standings": standings}])] == [0.5, 0.5, 0]


def test_bars_of_nothing_are_drawn() -> None:
    assert bars([], "Nothing") == ""
    assert "bar--none" in bars([Bar("none <b>", 0, "never")], "Never")
    assert "<b>" not in bars([Bar("none <b>", 0, "never")], "Never")
