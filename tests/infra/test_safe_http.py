"""Requests to addresses that people have given reach public hosts alone, by the address that was checked, and end in
time whatever the other side does."""

import itertools
import socket
import threading
import time
from typing import Any

import pytest

from game.engine.actions import Refused
from game.infra import safe_http
from game.infra.safe_http import Unreachable, check_url, is_public, post
from tests.hooks import NAME, URL, hook_host, reach_to

FORBIDDEN = (
    "0.0.0.0", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.254", "127.0.0.1", "127.255.0.1",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.88.99.1",
    "192.168.1.1", "192.31.196.1", "192.175.48.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1",
    "2001::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1",
    "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1", "2620:4f:8000::1", "not an address",
)  # fmt: skip
PUBLIC = ("1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "192.0.1.1", "223.255.255.255", "2606:4700::1111")
NO_URLS = (
    "http://hooks.example.org/", "https://hooks.example.org:8443/", "https://hooks.example.org:/", "ftp://example.org/",
    "https://user@hooks.example.org/", "https://user:pass@example.org/", "https://@example.org/",
    "https://127.0.0.1/", "https://2130706433/", "https://0x7f000001/", "https://127.1/", "https://[::1]/",
    "https://017700000001/", "https://hooks.0x7f/", "https://1.2.3.4.5/", "https://localhost/", "https:///path",
    "https://example.org/#part", "https://exa mple.org/", "https://example.org/\r\nHost: x", "https://example.org\\@x/",
    "https://bücher.example/", "https://-a.example.org/", "https://a..example.org/", "https://example.org./", "",
    "https://" + "a" * 70 + ".org/", "https://example.org/" + "a" * 500, "https://example.org:99999/",
)  # fmt: skip


@pytest.mark.parametrize("address", FORBIDDEN)
def test_a30_what_is_no_public_host_is_not_reached(address: str, settings: Any) -> None:
    assert not is_public(address)
    settings.OUTGOING = safe_http.Reach(look_up=lambda name: ["1.1.1.1", address], port=1)
    with pytest.raises(Unreachable, match="no host on the public Internet"):
        post(URL, b"", {})


def test_a30_nobody_learns_which_names_our_network_has(settings: Any) -> None:
    def unknown(name: str) -> list[str]:
        raise OSError("no such name")

    lines = []
    for look_up in (unknown, lambda name: ["10.0.0.7"], lambda name: []):
        settings.OUTGOING = safe_http.Reach(look_up=look_up, port=1)
        with pytest.raises(Unreachable) as refused:
            post(URL, b"", {})
        lines.append(str(refused.value))
    assert len(set(lines)) == 1


@pytest.mark.parametrize("address", PUBLIC)
def test_public_hosts_are_reached(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", NO_URLS)
def test_addresses_of_another_form_are_refused(url: str) -> None:
    with pytest.raises(Refused):
        check_url(url)
    with pytest.raises(Unreachable):
        post(url, b"", {})


def test_the_host_is_the_one_in_the_address() -> None:
    assert check_url("https://Hooks.Example.org:443/a?b=c") == "hooks.example.org"


def test_a_message_arrives_over_tls_with_the_name_of_the_host(settings: Any) -> None:
    with hook_host() as host:
        settings.OUTGOING = reach_to(host.port)
        answer = post(URL, b'{"data": {}}', {"X-Mine": "1"})
    (taken,) = host.taken
    assert (answer.status, taken.path, taken.body) == (200, "/take?from=sectors", b'{"data": {}}')
    assert (taken.headers["host"], taken.headers["x-mine"]) == (NAME, "1")


def test_a_certificate_for_another_name_is_no_good(settings: Any) -> None:
    with hook_host("other.example.org") as host:
        settings.OUTGOING = reach_to(host.port)
        with pytest.raises(Unreachable, match="certificate"):
            post(URL, b"", {})
    assert not host.taken


def test_a_resolver_that_changes_its_answer_is_asked_once(settings: Any) -> None:
    """The second answer of a rebinding name would be our own network."""
    result = itertools.count()

    def look_up(name: str) -> list[str]:
        return ["1.1.1.1"] if next(result) == 0 else ["127.0.0.1"]

    with hook_host() as host:
        settings.OUTGOING = reach_to(host.port, look_up=look_up, may_be_reached=is_public, longest=0.3)
        with pytest.raises(Unreachable):
            post(URL, b"", {})
        assert next(result) == 1
        with pytest.raises(Unreachable, match="public"):
            post(URL, b"", {})
    assert not host.taken


def test_a30_a_name_whose_server_never_answers_takes_one_thread(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "LONGEST_LOOK_UP", 0.1)
    answered, asked = threading.Event(), list[str]()

    def look_up(name: str) -> list[str]:
        asked.append(name)
        answered.wait(60)
        return []

    settings.OUTGOING = safe_http.Reach(look_up=look_up)
    try:
        for _ in range(5):
            with pytest.raises(Unreachable, match="no host on the public Internet"):
                post(URL, b"", {})
        assert len(asked) == 1
    finally:
        answered.set()


def test_redirects_are_not_followed_and_proxies_not_asked(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    with hook_host() as host:
        host.answer = lambda taken: (302, {"Location": "https://hooks.example.org/inside"}, b"")
        settings.OUTGOING = reach_to(host.port)
        assert post(URL, b"{}", {}).status == 302
    assert [taken.path for taken in host.taken] == ["/take?from=sectors"]


def test_two_kilobytes_of_an_answer_are_read(settings: Any) -> None:
    with hook_host() as host:
        host.answer = lambda taken: (200, {"Retry-After": "7"}, b"x" * 1_000_000)
        settings.OUTGOING = reach_to(host.port)
        answer = post(URL, b"{}", {})
    assert len(answer.body) == 2048
    assert answer.wait is not None
    assert answer.wait.total_seconds() == 7


def trickle(line: socket.socket, stop: threading.Event) -> None:
    """Takes a connection and answers a byte now and then: no time-out of a single read ends that."""
    while not stop.is_set():
        try:
            taken, _ = line.accept()
        except OSError:
            return
        while not stop.wait(0.05):
            try:
                taken.sendall(b"\x16")
            except OSError:
                break


def test_a_host_that_trickles_is_left_in_time(settings: Any) -> None:
    stop = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as line:
        thread = threading.Thread(target=trickle, args=(line, stop), daemon=True)
        thread.start()
        settings.OUTGOING = reach_to(line.getsockname()[1], longest=0.5)
        with pytest.raises(Unreachable):
            post(URL, b"{}", {})
        stop.set()
    thread.join(5)


def test_a_host_that_trickles_its_headers_is_left_in_time(settings: Any) -> None:
    def slowly(taken: Any) -> Any:
        time.sleep(20)
        return 200, {}, b""

    with hook_host() as host:
        host.answer = slowly
        settings.OUTGOING = reach_to(host.port, longest=0.5)
        with pytest.raises(Unreachable):
            post(URL, b"{}", {})


def test_names_that_are_not_found_lead_nowhere(settings: Any) -> None:
    def look_up(name: str) -> list[str]:
        raise socket.gaierror("no such name")

    settings.OUTGOING = safe_http.Reach(look_up=look_up)
    with pytest.raises(Unreachable, match="no host on the public Internet"):
        post(URL, b"{}", {})
