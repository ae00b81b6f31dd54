"""One table of processes: the files in `deploy/` and the operations page say the same as it."""

import configparser
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.urls import URLResolver, get_resolver

from sectors_site import deployment, proxy
from sectors_site.processes import PROCESSES, SECOND_WEB_PORT, web_processes
from sectors_site.servers import find_nginx
from tests.servers import ROOT

NAMES = [process.name for process in PROCESSES]
WITH_HTTPS = deployment.files()["nginx.conf"]


@pytest.mark.parametrize("name", deployment.files())
def test_a_file_is_as_the_table_writes_it(name: str) -> None:
    """`python -m sectors_site.deployment` writes it again."""
    assert (ROOT / "deploy" / name).read_text(encoding="utf-8") == deployment.files()[name]


def test_the_operations_page_has_the_table() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    table = page.partition("| process | command |\n|---|---|\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [f"| {each.name} | `{each.command}`: {each.description} |" for each in PROCESSES]


@pytest.mark.parametrize(("cores", "number"), [(1, 2), (2, 2), (3, 3), (64, 4)])
def test_there_are_web_processes_for_the_cores_that_postgresql_bears(cores: int, number: int) -> None:
    assert web_processes(cores) == number


def test_every_queue_has_a_worker() -> None:
    from django.conf import settings

    served = {words[words.index("-Q") + 1] for each in PROCESSES if "-Q" in (words := each.command.split())}
    assert served == set(settings.CELERY_TASK_QUEUES)


def test_containers_are_the_processes_and_what_they_need() -> None:
    result: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    services = result["services"]
    assert [name for name in services if name in NAMES] == NAMES
    assert set(services) - set(NAMES) == {"postgres", "redis", "prepare", "proxy"}
    for each in PROCESSES:
        command = " ".join(services[each.name]["command"])
        assert command.startswith(each.command)
        assert services[each.name]["environment"]["SECTORS_PROCESS"] == each.name
        assert services[each.name]["restart"] == "always"
    named = {volume for service in services.values() for volume in service.get("volumes", ()) if volume[0] not in "./"}
    assert {volume.partition(":")[0] for volume in named} == set(result["volumes"])


def test_images_are_pinned_and_the_site_gets_no_password_of_an_administrator(tmp_path: Path) -> None:
    """The digests come from the registry, which is asked by Docker: here by a program that answers as it does."""
    text = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    services: dict[str, Any] = yaml.safe_load(text)["services"]
    docker = tmp_path / "docker"
    docker.write_text(f"#!/bin/sh\necho sha256:{'0' * 64}\n", encoding="ascii")
    docker.chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run([ROOT / "deploy" / "pin-images"], env=path, capture_output=True, text=True, check=True)
    assert all(re.fullmatch(r"\w+_IMAGE=[\w:.-]+@sha256:[0-9a-f]{64}", line) for line in done.stdout.splitlines())
    pinned = {line.partition("=")[0] for line in done.stdout.splitlines()}
    assert pinned == set(re.findall(r"\{(\w+_IMAGE):\?\}", text))
    assert all(re.fullmatch(r"sectors|\$\{\w+_IMAGE:\?\}", each["image"]) for each in services.values())
    assert services["redis"]["command"][-1].endswith('--requirepass "$$REDIS_PASSWORD"')
    holders = [name for name, each in services.items() if "ADMIN" in str(each)]
    assert holders == ["postgres"]


def test_no_image_and_no_commit_takes_the_passwords_along() -> None:
    """The image of the site is made of the checkout, in which the operator's two files lie."""
    text = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")
    files = re.findall(r"--env-file (\S+)", text)
    assert files == ["deploy/environment", "deploy/servers"]
    for name, start in ((".dockerignore", ""), (".gitignore", "/")):
        left_out = (ROOT / name).read_text(encoding="utf-8").splitlines()
        assert {f"{start}{file}" for file in files} <= set(left_out), name


@pytest.mark.parametrize("process", PROCESSES, ids=NAMES)
def test_a_unit_starts_its_process_in_the_folder_where_the_link_leads(process: Any, tmp_path: Path) -> None:
    """By its own path: an update changes where the link leads, and a running process goes on reading its release."""
    unit = configparser.ConfigParser(interpolation=None, strict=True)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(ROOT / "deploy" / "systemd" / f"sectors-{process.name}.service")
    assert unit["Service"]["WorkingDirectory"] == "/opt/sectors"
    # A single % would be a specifier of systemd's, a single $ a variable.
    words = shlex.split(unit["Service"]["ExecStart"].replace("%%", "%").replace("$$", "$"))
    release, link = tmp_path / "release", tmp_path / "link"
    (release / ".venv" / "bin").mkdir(parents=True)
    python = release / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho "$0 $*"\n', encoding="ascii")
    python.chmod(0o755)
    link.symlink_to(release)
    started = subprocess.run(words, cwd=link, capture_output=True, text=True, check=True).stdout
    assert started.strip() == f"{python.resolve()} {process.arguments}"
    assert unit["Service"]["Restart"] == "always"
    target = (ROOT / "deploy" / "systemd" / "sectors.target").read_text(encoding="utf-8")
    assert f"sectors-{process.name}.service" in target


def test_the_web_process_beside_runs_during_an_update_alone() -> None:
    """It is where nginx looks for it, and nothing starts it with the machine."""
    unit = (ROOT / "deploy" / "systemd" / "sectors-web-beside.service").read_text(encoding="utf-8")
    assert f"--port {SECOND_WEB_PORT}'" in unit
    assert f"server 127.0.0.1:{SECOND_WEB_PORT} max_fails=0 backup;" in WITH_HTTPS
    assert "[Install]" not in unit
    assert "beside" not in (ROOT / "deploy" / "systemd" / "sectors.target").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", ["on this machine", "with HTTPS"])
def test_nginx_reads_what_it_is_told(kind: str, tmp_path: Path) -> None:
    """What it is told for HTTPS is read without the certificate, which is not here."""
    is_root = os.getuid() == 0
    if kind == "on this machine":
        text = proxy.on_this_machine(tmp_path, port=18000, web=18001, beside=18002, is_root=is_root)
    else:
        lines = [line for line in WITH_HTTPS.splitlines() if "ssl_" not in line and "access_log /var" not in line]
        inner = "\n".join(lines).replace("443 ssl http2", "18443").replace(" 80;", " 18080;").replace(":80;", ":18080;")
        text = f'pid "{tmp_path}/pid";\nevents {{}}\nhttp {{\n{inner}\n}}\n'
    (tmp_path / "nginx.conf").write_text(text, encoding="utf-8")
    nginx = find_nginx()
    assert nginx, "nginx is missing: ./dev test installs it or names the command that does."
    command = [nginx, "-t", "-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def addresses_with_a_key() -> list[str]:
    """Every address of the site that holds a secret, from its own table."""
    routes = (str(route) for route, _ in _routes(get_resolver().url_patterns))
    return sorted(route for route in routes if re.search(r"<(str:)?(token|key)>", route))


def _routes(patterns: Iterable[Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for each in patterns:
        path = before + str(each.pattern)
        yield from _routes(each.url_patterns, path) if isinstance(each, URLResolver) else [(path, each)]


@pytest.mark.parametrize("route", addresses_with_a_key())
def test_the_proxy_logs_no_address_with_a_key(route: str) -> None:
    path = "/" + re.sub(r"<int:\w+>", "7", route).replace("^", "")
    patterns = re.findall(r"(?m)^    ~(\S+) 0;$", WITH_HTTPS)
    assert any(re.match(pattern, path) for pattern in patterns)
    assert not any(re.match(pattern, "/games/7/") for pattern in patterns)
