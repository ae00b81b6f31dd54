"""What nginx writes down: no address that is a key, whatever it is, goes wrong with it or is loaded from its page."""

import contextlib
import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sectors_site import proxy, secret_addresses
from sectors_site.servers import find_nginx, free_port, is_listening, wait_for
from tests.servers import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEY = "Zq3-canary_9"
PATHS = [f"/{begin.replace('[0-9]+', '7')}{KEY}/" for begin in secret_addresses.PREFIXES]


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[int]:
    """A proxy whose site is away, so that every request is an error; it logs as behind HTTPS."""
    port, nobody = free_port(), free_port()
    text = proxy.on_this_machine(tmp_path, port=port, web=nobody, is_root=os.getuid() == 0)
    logged = f'access_log "{tmp_path}/access.log" sectors if=$sectors_logged;'
    settings = tmp_path / "nginx.conf"
    settings.write_text(text.replace("server_name _;", f"server_name _;\n    {logged}"), encoding="utf-8")
    binary = find_nginx()
    assert binary, "nginx is missing: ./dev test installs it or names the command that does."
    with (tmp_path / "error.log").open("w") as errors:
        running = subprocess.Popen([binary, "-e", "stderr", "-p", tmp_path, "-c", settings], stderr=errors)
    wait_for(lambda: is_listening(port) or running.poll() is not None, "nginx")
    assert running.poll() is None, (tmp_path / "error.log").read_text()
    yield port
    running.terminate()
    running.wait(PATIENCE)


@pytest.mark.parametrize("path", PATHS)
def test_the_proxy_writes_no_key_down(nginx: int, tmp_path: Path, path: str) -> None:
    ask(nginx, path)
    ask(nginx, path.replace("i", "%69", 1).replace("/look", "//l%6fok"))
    errors = (tmp_path / "error.log").read_text()
    ask(nginx, "/static/css/base.css", referer=f"http://127.0.0.1{path}")
    ask(nginx, f"/accounts/login/?next={path}")
    accesses = (tmp_path / "access.log").read_text()
    assert "GET /static/css/base.css" in accesses, "other addresses are logged"
    assert KEY not in accesses
    assert KEY not in errors


def test_nor_does_the_page_of_a_secret_address_that_nginx_makes_by_itself_pass_it_on(
    nginx: int, tmp_path: Path, page: "Page"
) -> None:
    """While the site is away, whatever is loaded next goes wrong, and nginx names in its errors where it was asked."""
    for path in PATHS:
        page.goto(f"http://127.0.0.1:{nginx}{path}")
        page.get_by_role("link").click()
        page.wait_for_url(f"http://127.0.0.1:{nginx}/")
    errors = (tmp_path / "error.log").read_text()
    assert f'referrer: "http://127.0.0.1:{nginx}/"' in errors
    assert KEY not in errors


def ask(port: int, path: str, *, referer: str = "") -> None:
    result = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Referer": referer} if referer else {})
    with contextlib.suppress(urllib.error.HTTPError):
        urllib.request.urlopen(result, timeout=PATIENCE).close()
