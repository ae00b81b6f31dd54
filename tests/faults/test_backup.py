"""A backup taken while games are played is restored elsewhere, verified, and played on; what differs is said. (F31)"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sqlite3
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import zstandard

from sectors_site.backup_rows import NoBackup
from sectors_site.backups import restore_backup, write_backup
from tests.faults.judging import verdict
from tests.homes import empty_database, fresh_database, fresh_home
from tests.servers import ROOT

PREPARE = """
from tests.tables import at_phase, new_game, send
game = at_phase(new_game("ada", "bob", bots=2), "stock_orders")
ticker = next(iter(game.load_position().state.companies))
send(game, 0, {"kind": "market_order", "company": ticker, "side": "buy", "location": "ipo", "quantity": 2})
new_game("bob", bots=3)
"""
PLAY = """
import itertools
from game.store.game import Game
from tests.tables import steps_to_the_end
print("playing", flush=True)
for game in itertools.cycle(Game.objects.exclude(pk=1)):
    next(steps_to_the_end(game), None)
"""
GO_ON = """
from game.store.game import Game
from game.site.models import SiteState
from tests.faults import witness
from tests.tables import clock_runs_out
witness.watch()
game = Game.objects.get(pk=1)
after = clock_runs_out(game)
assert after.phase_serial > game.phase_serial
assert SiteState.objects.get().restored, "mail would have ids that were given before"
"""
RESTORE = """
import sys
from django.core.management import CommandError, call_command
for file in {files}:
    try:
        call_command("restore", file)
    except CommandError as error:
        print(error, file=sys.stderr)
"""


class Place:
    """A site's home and database."""

    def __init__(self, home: Path, database: str, *, has_tables: bool = False) -> None:
        home.mkdir()
        if has_tables:
            fresh_home(home)
        self.home = home
        known = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
        self.environment = known | {"SECTORS_HOME": str(home), "DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
        if database:
            make = fresh_database if has_tables else empty_database
            self.environment["DATABASE_URL"] = make(database, f"backup_{home.name}")

    def program(self, lines: str) -> list[str]:
        return [sys.executable, "-c", f"import django\ndjango.setup()\n{lines}"]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False, timeout=800
        )

    def manage(self, *command: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "manage.py", *command)

    def refuses(self, *files: Path) -> list[str]:
        """Try to restore one file after another in one process; what is said about each that is refused."""
        done = self.run(*self.program(RESTORE.format(files=list(map(str, files)))))
        assert done.returncode == 0, done.stderr
        assert not done.stdout, "one of them was restored"
        return done.stderr.splitlines()


@pytest.mark.parametrize("kind", [pytest.param("sqlite", marks=pytest.mark.trial), "postgres"])
def test_a_backup_of_a_busy_site_is_restored_and_played_on(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres_url") if kind == "postgres" else ""
    here = Place(tmp_path / "here", database, has_tables=True)
    there = Place(tmp_path / "there", database)
    if kind == "postgres":
        request.getfixturevalue("owner")(there)
    prepared = here.run(*here.program(PREPARE))
    assert prepared.returncode == 0, prepared.stderr
    file = tmp_path / "sectors.backup"
    player = subprocess.Popen(here.program(PLAY), cwd=ROOT, env=here.environment, stdout=subprocess.PIPE)
    try:
        assert player.stdout is not None
        player.stdout.readline()
        written = here.manage("backup", str(file))
    finally:
        player.kill()
        player.wait()
    assert written.returncode == 0, written.stderr
    assert written.stdout.startswith("2 games in ")
    assert file.stat().st_mode & 0o077 == 0
    assert "into an empty one" in here.manage("restore", str(file)).stderr
    restored = there.manage("restore", str(file))
    assert restored.returncode == 0, restored.stderr
    assert restored.stdout.startswith("2 games restored; ")
    assert restored.stdout.endswith("all equal.\n")
    went_on = there.run(*there.program(GO_ON))
    assert went_on.returncode == 0, went_on.stderr
    assert verdict(there.environment, restored.stderr + went_on.stderr) == []


def test_a_backup_replaces_no_file(tmp_path: Path) -> None:
    (file := tmp_path / "sectors.backup").touch()
    with pytest.raises(NoBackup, match="is there already"):
        write_backup(file)


def prepared(
    file: Path, *, noted: Callable[[dict[str, Any]], None] = lambda noted: None, parts: dict[str, bytes] | None = None
) -> Path:
    """A copy of a backup with another manifest, or with other files."""
    with tarfile.open(file) as tar:
        whole = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    notes = json.loads(whole["games.json"])
    noted(notes)
    whole |= {"games.json": json.dumps(notes).encode()} | (parts or {})
    other = file.with_name(f"prepared{len(list(file.parent.glob('prepared*')))}.backup")
    with tarfile.open(other, "w") as tar:
        for name, content in whole.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return other


@pytest.fixture
def owner(postgres_url: str) -> Iterator[Callable[[Place], None]]:
    """Gives a database to a role that may do nothing else, and lets its site sign in as that role."""
    databases = []
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute("CREATE ROLE backup_owner LOGIN")

        def give(place: Place) -> None:
            address = place.environment["DATABASE_URL"]
            databases.append(address.rsplit("/", 1)[1])
            server.execute(f"ALTER DATABASE {databases[-1]} OWNER TO backup_owner")
            place.environment["DATABASE_URL"] = address.replace("sectors@", "backup_owner@")

        yield give
        for name in databases:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        server.execute("DROP ROLE backup_owner")


def test_a_prepared_backup_of_postgresql_is_data_and_runs_nothing(
    tmp_path: Path, postgres_url: str, owner: Callable[[Place], None]
) -> None:
    here = Place(tmp_path / "source", postgres_url, has_tables=True)
    there = Place(tmp_path / "target", postgres_url)
    owner(there)
    file = tmp_path / "good.backup"
    assert here.manage("backup", str(file)).returncode == 0
    mark = tmp_path / "mark"

    def runs_a_program(noted: dict[str, Any]) -> None:
        noted["columns"][f"auth_group FROM PROGRAM 'touch {mark}' --"] = ["id"]

    def other_columns(noted: dict[str, Any]) -> None:
        noted["columns"]["auth_group"] = ["id", f"name) FROM PROGRAM 'touch {mark}' --"]

    def a_path(noted: dict[str, Any]) -> None:
        noted["columns"]["../../mark"] = ["id"]

    rows = prepared(file, parts={"auth_group": zstandard.compress(b"1\tmoderators\textra\n")})
    others = [prepared(file, noted=prepare) for prepare in (runs_a_program, other_columns, a_path)]
    *columns, data = there.refuses(*others, rows)
    assert len(columns) == len(others)
    assert all("is not the one of its migrations" in sentence for sentence in columns)
    assert "damaged or made up: extra data after last expected column" in data
    assert not mark.exists()
    restored = there.manage("restore", str(file))
    assert restored.returncode == 0, restored.stderr


def altered(file: Path, *statements: str) -> Path:
    """A copy of an SQLite backup whose database was changed."""
    copy = file.with_name("copy")
    copy.write_bytes(part_of(file, "database"))
    with contextlib.closing(sqlite3.connect(copy)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()
    return prepared(file, parts={"database": copy.read_bytes()})


def test_a_prepared_backup_of_sqlite_is_data_and_runs_nothing(tmp_path: Path) -> None:
    here, there = (Place(tmp_path / name, "", has_tables=True) for name in ("here", "there"))
    file = tmp_path / "good.backup"
    assert here.manage("backup", str(file)).returncode == 0
    reasons = {
        "CREATE VIRTUAL TABLE late USING fts5(words)": "late is neither",
        "CREATE VIEW late AS SELECT 1": "late is neither",
        "CREATE TABLE late (id)": "its table late is not the one of its migrations",
        "ALTER TABLE auth_group ADD COLUMN late": "its table auth_group is not the one of its migrations",
    }
    sentences = there.refuses(*(altered(file, statement) for statement in reasons))
    for sentence, reason in zip(sentences, reasons.values(), strict=True):
        assert reason in sentence
    trigger = "CREATE TRIGGER late AFTER INSERT ON auth_group BEGIN DELETE FROM game_game; END"
    restored = there.manage("restore", str(altered(file, trigger)))
    assert restored.returncode == 0, restored.stderr
    with contextlib.closing(sqlite3.connect(there.home / "sectors.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master WHERE name = 'late'").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM auth_group").fetchone() != (0,)


def test_a_backup_whose_migrations_are_not_those_of_this_site_is_refused_before_anything_is_changed(
    tmp_path: Path,
) -> None:
    here = Place(tmp_path / "here", "", has_tables=True)
    file = tmp_path / "good.backup"
    assert here.manage("backup", str(file)).returncode == 0

    def later(noted: dict[str, Any]) -> None:
        noted["migrations"].append(["game", "9999_later"])

    parts = [without("game"), without("contenttypes", "0001_initial"), lambda noted: noted["migrations"].clear()]
    newer, *incomplete = here.refuses(*(prepared(file, noted=change) for change in (later, *parts)))
    assert "this one has no migration game.9999_later" in newer
    assert len(incomplete) == len(parts)
    assert all("its list names only part of the migrations of a site" in sentence for sentence in incomplete)
    assert here.manage("migrate", "--check").returncode == 0


def without(app: str, name: str = "") -> Callable[[dict[str, Any]], None]:
    """Notes that leave out the migrations of an app, or one of them."""

    def leave_out(noted: dict[str, Any]) -> None:
        listed = noted["migrations"]
        noted["migrations"] = [each for each in listed if each[0] != app or (name and each[1] != name)]

    return leave_out


def test_a_prepared_backup_whose_games_cannot_be_read_names_them(tmp_path: Path) -> None:
    """Its notes fit, as whoever prepares it writes them too; what is sealed is in no sentence."""
    here, there = (Place(tmp_path / name, "", has_tables=True) for name in ("source", "target"))
    assert here.run(*here.program(PREPARE + 2 * 'new_game("ada", bots=2)\n')).returncode == 0
    file = tmp_path / "good.backup"
    assert here.manage("backup", str(file)).returncode == 0

    def other_hash(noted: dict[str, Any]) -> None:
        noted["games"]["4"][3] = "0" * 64

    damaged = altered(
        prepared(file, noted=other_hash),
        "DELETE FROM game_loggedaction WHERE game_id = 1",
        "UPDATE game_game SET ruleset = 'none' WHERE id = 2",
        "UPDATE game_game SET options = '{\"a\": 1}' WHERE id = 3",
    )
    refused = there.manage("restore", str(damaged))
    assert refused.returncode == 1
    assert "entries of its log are there" in refused.stderr
    assert "game 2 cannot be read or replayed (Damaged)" in refused.stderr
    assert "game 3 cannot be read or replayed (Damaged)" in refused.stderr
    assert "game 4 differs from what was backed up" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert "do not let people play here" in refused.stderr


SESSIONS, DATA_BYTES = 1000, 100_000  # a hundred megabytes of rows


def rows_alike(file: Path) -> Path:
    """Rows of random letters, each of which repeats the one before: the tables' files take hardly more than one."""
    data, packer = os.urandom(DATA_BYTES // 2).hex().encode(), zstandard.ZstdCompressor().compressobj()
    rows = (b"%d\t%s\t2030-01-01 00:00:00+00\n" % (number, data) for number in range(SESSIONS))
    packed = b"".join([*map(packer.compress, rows), packer.flush()])
    columns = ["session_key", "session_data", "expire_date"]
    return prepared(
        file, noted=lambda noted: noted["columns"].update(django_session=columns), parts={"django_session": packed}
    )


def rows_by_default(file: Path) -> Path:
    """Rows whose data stands once in the file, as the default of a column that was added later."""
    return altered(
        file,
        "DROP TABLE django_session",
        "CREATE TABLE django_session (session_key text PRIMARY KEY, expire_date text DEFAULT '2030')",
        f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {SESSIONS})"
        " INSERT INTO django_session (session_key) SELECT i FROM n",
        f"ALTER TABLE django_session ADD COLUMN session_data text DEFAULT '{'a' * DATA_BYTES}'",
    )


@pytest.mark.parametrize(
    ("kind", "prepare", "reason"),
    [
        ("postgres", rows_alike, "it unpacks to over 50 times its bytes"),
        ("sqlite", rows_by_default, "database or disk is full"),
    ],
)
def test_no_prepared_rows_take_more_room_than_their_file_allows(
    kind: str, prepare: Callable[[Path], Path], reason: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("postgres_url") if kind == "postgres" else ""
    here, there = (Place(tmp_path / name, database, has_tables=True) for name in ("near", "far"))
    file = tmp_path / "good.backup"
    assert here.manage("backup", str(file)).returncode == 0
    refused = there.manage("restore", str(prepare(file)))
    assert refused.returncode == 1
    assert reason in refused.stderr
    assert there.manage("restore", str(file)).returncode == 0, "nothing of the other one is there"


def part_of(file: Path, name: str) -> bytes:
    with tarfile.open(file) as tar:
        return tar.extractfile(name).read()  # type: ignore[union-attr]


def test_what_is_no_backup_is_one_sentence(tmp_path: Path) -> None:
    place = Place(tmp_path / "home", "")
    (file := tmp_path / "no.backup").write_bytes(b"nothing of the kind")
    done = place.manage("restore", str(file))
    assert done.returncode == 1
    assert done.stderr == f"CommandError: {file} is no backup, or is damaged.\n"


def link_to_itself(tar: tarfile.TarFile) -> None:
    entry = tarfile.TarInfo("games.json")
    entry.type, entry.linkname = tarfile.SYMTYPE, "games.json"
    tar.addfile(entry)


def hole_of_gigabytes(tar: tarfile.TarFile) -> None:
    """A file of 8 gigabytes of which the archive has no byte."""
    entry = tarfile.TarInfo("games.json")
    entry.type = tarfile.GNUTYPE_SPARSE
    head = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    head[386:410], head[483:495] = b"00000000000\0" * 2, b"77777777777\0"
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head[:512])
    assert tar.fileobj
    tar.fileobj.write(head)


def with_size(kind: bytes, size: int) -> Callable[[tarfile.TarFile], None]:
    """A member that claims a size of which a computer cannot even write the number down."""

    def add(tar: tarfile.TarFile) -> None:
        entry = tarfile.TarInfo("games.json")
        entry.type, entry.size = kind, size
        assert tar.fileobj
        tar.fileobj.write(entry.tobuf(tarfile.GNU_FORMAT))

    return add


def no_letters(tar: tarfile.TarFile) -> None:
    entry = tarfile.TarInfo("games.json")
    entry.size = 1
    tar.addfile(entry, io.BytesIO(b"\xff"))


def nested_deeply(tar: tarfile.TarFile) -> None:
    entry = tarfile.TarInfo("games.json")
    text = b'{"more": ' + b"[" * 100_000
    entry.size = len(text)
    tar.addfile(entry, io.BytesIO(text))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mode", "prepare", "reason"),
    [
        ("w", link_to_itself, "games.json is no file in it"),
        ("w", hole_of_gigabytes, "games.json is no file in it"),
        ("w", with_size(tarfile.REGTYPE, 1 << 80), "is no backup"),
        ("w", with_size(tarfile.GNUTYPE_LONGNAME, 1 << 80), "is no backup"),
        ("w", with_size(tarfile.GNUTYPE_LONGNAME, 1 << 50), "is no backup"),
        ("w", no_letters, "contents is damaged"),
        ("w", nested_deeply, "contents is damaged"),
        ("w:gz", lambda tar: tar.add(__file__, "games.json"), "is no backup"),
    ],
)
def test_no_prepared_archive_takes_more_room_than_it_has_bytes(
    tmp_path: Path, mode: Any, prepare: Callable[[tarfile.TarFile], None], reason: str
) -> None:
    with tarfile.open(file := tmp_path / "prepared.backup", mode) as tar:
        prepare(tar)
    with pytest.raises(NoBackup, match=reason):
        restore_backup(file)
