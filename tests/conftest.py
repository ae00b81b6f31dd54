"""Fixtures every test may ask for: databases, mail, a browser, and the whole site in this process."""

import contextlib
import itertools
import os
import threading
from collections.abc import Iterator, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
import structlog

from tests import homes, servers
from tests.faults.sizes import IS_FULL

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from tests.live_site import LiveSite

SQLITE = os.environ.get("TEST_DATABASE") == "sqlite"


# What passes once passes again, on a slow machine too: the long random search is `python -m
# tests.rulesets.sectors.fuzz`.
hypothesis.settings.register_profile(
    "same", derandomize=True, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("same")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "breaks: makes games fail, so that failed attempts are no fault of the site")
    config.addinivalue_line("markers", "trial: waits for real time, or plays hundreds of games: `./dev test --trials`")
    config.addinivalue_line(
        "markers", "embedded: runs on PostgreSQL and once more on SQLite, as the embedded default does"
    )
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(FailuresAtOnce(config))


class FailuresAtOnce:
    """Prints what failed when it fails: a run that is cut short prints no summary."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self.config.pluginmanager.getplugin("terminalreporter")
        if report.failed and terminal:
            terminal.write_line(
                f"\n{report.when} of {report.nodeid}\n{report.longreprtext}\n{report.capstdout[-4000:]}"
            )


SLOWEST_FIRST = ("faults", "browser")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits comes first, so that no worker is left with it at the end; stories of the browser come in a row."""
    items.sort(key=lambda item: SLOWEST_FIRST.index(room_of(item)) if room_of(item) in SLOWEST_FIRST else 9)
    for item in items:
        if IS_FULL:
            item.add_marker(pytest.mark.timeout(0))


def room_of(item: pytest.Item) -> str:
    return item.path.relative_to(servers.ROOT).parts[1]


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """DATABASE_URL where it names a PostgreSQL, else a throwaway server."""
    given = os.environ.get("DATABASE_URL", "")
    if given.startswith("postgres"):
        yield given
        return
    with servers.postgres_server() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """REDIS_URL where one was given, else a throwaway server."""
    given = os.environ.get("TEST_REDIS_URL")
    if given:
        yield given
        return
    with servers.redis_server() as url:
        yield url


@pytest.fixture
def hints_redis(settings: Any) -> Iterator[servers.RedisServer]:
    """A Redis that the test may take away; it carries the hints of the site, as in the service."""
    server = servers.RedisServer()
    settings.CHANNEL_LAYERS = servers.hints_over(server.url)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request: pytest.FixtureRequest) -> None:
    """Tests of the site run on PostgreSQL unless TEST_DATABASE=sqlite; rules tests start neither."""
    if not SQLITE:
        _use_postgres(request.getfixturevalue("postgres_url"))
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


def _use_postgres(url: str) -> None:
    """As a copy of what the tests that hurt a database copy too: the migrations run once."""
    import environ
    from django.db import connections

    connections["default"].close()
    del connections["default"]
    found = environ.Env.db_url_config(url) | {"TEST": {"TEMPLATE": homes.template_on(url)}}
    connections.settings = connections.configure_settings({"default": found})


@pytest.fixture(autouse=True)
def the_same_draws_each_time(request: pytest.FixtureRequest) -> Iterator[None]:
    """A table's secret is made of the test's name: its lots and its bots do not change from run to run."""
    from django.db.models.signals import pre_save

    from game.store.game import Game

    tables = itertools.count(1)

    def seal(instance: Game, **_: Any) -> None:
        if instance._state.adding:
            instance.secret = sha256(f"{request.node.name}/{next(tables)}".encode()).hexdigest()

    pre_save.connect(seal, sender=Game)
    yield
    pre_save.disconnect(seal, sender=Game)


@pytest.fixture(autouse=True)
def nothing_is_set_for_the_site() -> None:
    """The cache says so, as after a look of the sweep, and nothing is counted against a limit, whatever the test before
    did: SQLite gives the numbers of its accounts again."""
    from django.core.cache import cache

    from game.moderation import site_desk
    from game.site import features

    cache.clear()
    features.cache_off_features([])
    cache.set(site_desk.KEY, [], site_desk.CACHED_FOR)
    features.forget_row()


WATCHED_ROOMS = ("chat", "clock", "lobby", "moderation", "people", "reputation", "seats", "votes")


@pytest.fixture(autouse=True)
def locks_come_in_order(request: pytest.FixtureRequest) -> Iterator[None]:
    """In the rooms in which one act locks games and several people."""
    if room_of(request.node) not in WATCHED_ROOMS:
        yield
        return
    from tests.lock_order import watched

    with watched():
        yield


@pytest.fixture
def judged(request: pytest.FixtureRequest, db: None, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Whatever the test does to its games ends in the oracle of faults, with what was logged and mailed."""
    from django.core import mail

    from tests.faults import canaries, oracle, witness

    witness.watch()
    oracle.ACKNOWLEDGED.clear()
    yield
    text = "\n".join(caplog.handler.format(record) for record in caplog.get_records("call"))
    mails = [as_received(sent) for sent in getattr(mail, "outbox", [])]
    found = {*oracle.verdict(text + canaries.words_of(mails)), *oracle.forgotten()}
    if request.node.get_closest_marker("breaks"):
        found -= {sentence for sentence in found if sentence.endswith(oracle.ATTEMPTS)}
    witness.forget()
    assert found == set()


def as_received(sent: Any) -> EmailMessage:
    """A mail as whoever it goes to reads it."""
    return message_from_bytes(sent.message().as_bytes(), policy=policy.default)  # type: ignore[arg-type,return-value]


@pytest.fixture
def logged() -> Iterator[list[Any]]:
    """The lines that operators get to read meanwhile, which go nowhere else; `event` is what each is about."""
    with structlog.testing.capture_logs() as lines:
        yield lines


@pytest.fixture
def mailbox(settings: Any) -> Iterator[servers.Mailbox]:
    """A real SMTP server, and the site told to use it."""
    box = servers.Mailbox()
    with servers.smtp_server(box):
        servers.use_post(settings, box.port)
        yield box


class Delivered(Sequence[Any]):
    """What people have been sent, once the worker has gone its round."""

    def __getitem__(self, number: Any) -> Any:
        return self._all()[number]

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> list[Any]:
        from django.core import mail

        from accounts.emails import send_queued

        send_queued()
        return mail.outbox  # type: ignore[attr-defined,no-any-return]


@pytest.fixture
def mailoutbox(mailoutbox: list[Any]) -> Delivered:
    """Pytest's own, with the mail about accounts that the worker sends."""
    return Delivered()


@pytest.fixture(scope="session")
def whole_chromium() -> str:
    found = servers.find_chromium()
    assert found, "Chromium is missing: ./dev test installs it or names the command that does."
    return found


@pytest.fixture(scope="session")
def chromium(whole_chromium: str) -> str:
    """The program of the browser: the one named by CHROMIUM, else the quickest."""
    return whole_chromium if os.environ.get("CHROMIUM") else servers.find_headless_shell() or whole_chromium


class OneBrowser:
    """Opened for the first story that needs it and closed before the next test that is none: while it is open, the
    event loop of Playwright runs in this thread, and neither an async test nor `async_to_sync` could run beside it."""

    def __init__(self) -> None:
        self._stack = contextlib.ExitStack()
        self._opened: Browser | None = None
        self._program = ""

    def open(self, chromium: str) -> "Browser":
        from playwright.sync_api import sync_playwright

        if self._program != chromium:
            self.close()
        if self._opened is None:
            self._program = chromium
            playwright = self._stack.enter_context(sync_playwright())
            # The calls of the ORM beside the loop are made by the test itself.
            self._stack.enter_context(pytest.MonkeyPatch.context()).setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
            arguments = ["--no-sandbox"] if os.getuid() == 0 else []
            self._opened = playwright.chromium.launch(executable_path=chromium, args=arguments, timeout=120_000)
            self._stack.callback(self._opened.close)
        return self._opened

    def close(self) -> None:
        self._opened = None
        self._stack.close()


ONE_BROWSER = OneBrowser()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if "chromium" not in getattr(item, "fixturenames", ()):
        ONE_BROWSER.close()


def pytest_sessionfinish() -> None:
    ONE_BROWSER.close()


@pytest.fixture
def browser(chromium: str) -> Iterator["Browser"]:
    """The windows that a story leaves open are closed after it."""
    opened = ONE_BROWSER.open(chromium)
    yield opened
    for context in opened.contexts:
        context.close()


@pytest.fixture
def page(browser: "Browser") -> Iterator["Page"]:
    """A fresh visitor at 1440 px; an error in a page's script or a refused resource (CSP) fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(servers.BROWSER_PATIENCE)
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None)
    yield opened
    context.close()
    assert not complaints, complaints


@pytest.fixture(scope="session")
def live_server_threads() -> Iterator["LiveSite"]:
    """The server and the worker, started once: stopping a worker takes seconds."""
    from tests.live_site import LiveSite

    site = LiveSite()
    site.start()
    yield site
    site.stop()


@pytest.fixture
def live_site(transactional_db: None, live_server_threads: "LiveSite", settings: Any) -> Iterator["LiveSite"]:
    """The whole site in this process on the test's database: pages, sockets, worker, and its ticks."""
    settings.SITE_URL = live_server_threads.address
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "testserver"]
    with live_server_threads.ticking():
        yield live_server_threads


@pytest.fixture(autouse=True)
def no_thread_is_left_ticking() -> Iterator[None]:
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "ticker"]
