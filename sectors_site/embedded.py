"""The whole site in one process: pages, sockets, worker and beat (`./dev play`)."""

import argparse
import contextlib
import errno
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NoReturn

import django
import uvicorn
from django.db import DatabaseError

from sectors_site.serving import OPTIONS

HOST = "127.0.0.1"
NO_ROOM_ERRNOS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES}
NO_ROOM_MESSAGES = ("disk is full", "disk I/O error", "readonly database", "unable to open database file")
EXTRA_GAMES = {"toy": "tests.toy.ruleset:TOY"}
"""Games that are playable here only."""


def main() -> None:
    """Bind, prepare, serve until stopped."""
    arguments = _arguments()
    _stop_quietly_on_signals()
    sock = _bind(arguments.port)
    address = f"http://{HOST}:{sock.getsockname()[1]}"
    os.environ.setdefault("SITE_URL", address)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sectors_site.settings")
    if arguments.game in EXTRA_GAMES:
        _register(arguments.game)
    with _explain_storage_errors():
        django.setup()
    _serve(sock, address, _chosen_game(arguments.game))


def _register(game: str) -> None:
    """Add a game that is not shipped, with a home of its own: a site without the game could not read its tables."""
    others = os.environ.get("EXTRA_RULESETS", "")
    os.environ["EXTRA_RULESETS"] = ",".join(filter(None, (others, EXTRA_GAMES[game])))
    home = os.environ.get("SECTORS_HOME") or Path(__file__).resolve().parent.parent / ".local"
    os.environ["SECTORS_HOME"] = str(Path(home) / game)


def _chosen_game(game: str) -> str:
    """The requested game, or the first one; exits if there is no such game."""
    from game.rulesets.registry import RULESETS

    keys = list(dict.fromkeys((*RULESETS, *EXTRA_GAMES)))
    if game and game not in RULESETS:
        _exit_with(f"There is no game {game!r}: choose one of {', '.join(keys)} with ./dev play --game KEY.")
    return game or keys[0]


def _serve(sock: socket.socket, address: str, game: str) -> None:
    from accounts.sign_ins import create_link
    from sectors_site.background import Background, prepare

    with _explain_storage_errors():
        player = prepare(game)
    background = Background()
    background.start()
    try:
        AnnouncingServer(f"{address}/", f"{address}{create_link(player)}").run(sockets=[sock])
    finally:
        print("\nStopping.", flush=True)
        background.stop()


@contextlib.contextmanager
def _explain_storage_errors() -> Iterator[None]:
    """Exit with a sentence instead of a traceback if the disk is full."""
    try:
        yield
    except (OSError, DatabaseError) as error:
        if isinstance(error, OSError) and error.errno not in NO_ROOM_ERRNOS:
            raise
        if isinstance(error, DatabaseError) and not any(words in str(error) for words in NO_ROOM_MESSAGES):
            raise
        home = os.environ.get("SECTORS_HOME") or ".local"
        _exit_with(
            f"The site cannot store its files in {home}: the disk is full or closed to it. Make room, then start again."
        )


class AnnouncingServer(uvicorn.Server):
    """Prints its address once it listens."""

    def __init__(self, address: str, sign_in: str) -> None:
        super().__init__(uvicorn.Config("sectors_site.asgi:application", **OPTIONS))
        where = f"Sectors is running at  {address}\nSign in as the demo player (link works once):  {sign_in}"
        self.words = f"\n{where}\nPress Ctrl-C to stop.\n"

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(self.words, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev play", description="Play on this machine.")
    parser.add_argument("--port", type=port_of, default=8000, help="where to listen (8000); 0 takes any free port")
    parser.add_argument(
        "--game", default="", metavar="KEY", help="the game on the table (the first of those the site plays)"
    )
    return parser.parse_args()


def port_of(text: str) -> int:
    """Parse a port from the command line."""
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port: give a number from 0 to 65535")
    return int(text)


def _bind(port: int) -> socket.socket:
    """Bind first, so that a busy port fails without waiting."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((HOST, port))
        # Listen now, so that a second start fails here and not halfway.
        sock.listen(128)
    except OSError as error:
        _exit_with(_bind_error_text(port, error))
    return sock


def _bind_error_text(port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is busy: stop what uses it, or choose another with ./dev play --port N."
    return f"Port {port} cannot be opened ({error.strerror}): choose another with ./dev play --port N."


def _stop_quietly_on_signals() -> None:
    """Uvicorn shuts down on a signal and then raises it again: exit with success, not with a traceback."""

    def exit_quietly(signal_number: int, frame: FrameType | None) -> NoReturn:
        sys.exit(0)

    for signal_number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(signal_number, exit_quietly)


def _exit_with(sentence: str) -> NoReturn:
    print(sentence, file=sys.stderr)
    sys.exit(1)


if __name__ == "__main__":
    main()
