"""Generates the files in `deploy/` from the table of processes: `python -m sectors_site.deployment`."""

from __future__ import annotations

from pathlib import Path

from sectors_site import proxy
from sectors_site.processes import PROCESSES, SECOND_WEB_PORT, WEB_PORT, Process

DEPLOY = Path(__file__).resolve().parent.parent / "deploy"
INSTALL_SECTION = """
[Install]
WantedBy=sectors.target
"""
CODE_FOLDER, DATA_FOLDER, SETTINGS_FILE = "/opt/sectors", "/var/lib/sectors", "/etc/sectors/environment"


def files() -> dict[str, str]:
    """The generated files of the folder, by name."""
    units = {
        f"systemd/sectors-{process.name}.service": _unit(process) for process in (*PROCESSES, second_web_process())
    }
    return {
        "nginx.conf": proxy.with_https(f"{proxy.HOST}:{WEB_PORT}", f"{proxy.HOST}:{SECOND_WEB_PORT}"),
        "compose.nginx.conf": proxy.with_https(f"web:{WEB_PORT}"),
        "compose.yaml": _compose(),
        "systemd/sectors.target": _target(),
        **units,
    }


def second_web_process() -> Process:
    """The web process that runs only during an update, while the other one restarts."""
    web = next(process for process in PROCESSES if process.name == "web")
    arguments = web.arguments.replace(str(WEB_PORT), str(SECOND_WEB_PORT))
    return Process("web-beside", arguments, "serves while the web process is restarted")


def main() -> None:
    """Write the files."""
    for name, text in files().items():
        file = DEPLOY / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _unit(process: Process) -> str:
    # systemd has a meaning of its own for % and $.
    command = _exec_in_release(process).replace("%", "%%").replace("$", "$$")
    return f"""\
[Unit]
Description=Sectors, {process.name}: {process.description.replace("`", "")}
After=network-online.target postgresql.service redis-server.service
Wants=network-online.target
PartOf=sectors.target

[Service]
User=sectors
WorkingDirectory={CODE_FOLDER}
EnvironmentFile={SETTINGS_FILE}
Environment=SECTORS_HOME={DATA_FOLDER} SECTORS_PROCESS={process.name}
ExecStart={command}
Restart=always
RestartSec=1
KillMode=mixed
TimeoutStopSec=60
StateDirectory=sectors
StateDirectoryMode=0700
NoNewPrivileges=yes
PrivateTmp=yes
ProtectHome=yes
ProtectSystem=strict
ProtectKernelTunables=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
{"" if process.name == "web-beside" else INSTALL_SECTION}"""


def _exec_in_release(process: Process) -> str:
    """Start in the folder that the link points to now: later imports come from the same release, even if the link
    changes."""
    return f"""/bin/sh -c 'exec "$(pwd -P)/.venv/bin/python" {process.arguments}'"""


def _target() -> str:
    names = " ".join(f"sectors-{process.name}.service" for process in PROCESSES)
    return f"""\
[Unit]
Description=Sectors
Wants={names}

[Install]
WantedBy=multi-user.target
"""


def _compose() -> str:
    processes = "".join(_container(process) for process in PROCESSES)
    return f"{_compose_header()}\nservices:\n{_compose_dependencies()}{processes}{_compose_proxy()}"


def _compose_header() -> str:
    return f"""\
# The service in containers:
#   deploy/pin-images >> deploy/servers
#   docker compose -f deploy/compose.yaml --env-file deploy/environment --env-file deploy/servers up -d
# deploy/environment holds what the operations page asks of a service, and POSTGRES_PASSWORD and REDIS_PASSWORD;
# deploy/servers holds POSTGRES_ADMIN_PASSWORD, which the site never gets, and each image with its digest.
# Passwords are of letters and digits.
name: sectors

x-site: &site
  build:
    context: ..
    dockerfile: deploy/Dockerfile
    args:
      PYTHON_IMAGE: ${{PYTHON_IMAGE:?}}
  image: sectors
  env_file: environment
  restart: always
  stop_grace_period: 60s
  depends_on: &servers
    postgres:
      condition: service_healthy
    redis:
      condition: service_started
    prepare:
      condition: service_completed_successfully
  volumes:
    - home:{DATA_FOLDER}

x-urls: &urls
  DATABASE_URL: postgres://sectors:${{POSTGRES_PASSWORD:?}}@postgres/sectors
  REDIS_URL: redis://:${{REDIS_PASSWORD:?}}@redis/0
  SECTORS_HOME: {DATA_FOLDER}
"""


def _compose_dependencies() -> str:
    """The services that the processes need."""
    return """\
  postgres:
    image: ${POSTGRES_IMAGE:?}
    restart: always
    environment:
      POSTGRES_PASSWORD: ${POSTGRES_ADMIN_PASSWORD:?}
      SECTORS_PASSWORD: ${POSTGRES_PASSWORD:?}
    volumes:
      - postgres:/var/lib/postgresql/data
      - ./postgres-role.sh:/docker-entrypoint-initdb.d/postgres-role.sh:ro
    healthcheck:
      test: [CMD, pg_isready, -U, sectors, -h, 127.0.0.1]
      interval: 5s
      retries: 12
  redis:
    image: ${REDIS_IMAGE:?}
    restart: always
    environment:
      REDIS_PASSWORD: ${REDIS_PASSWORD:?}
    command: [sh, -c, 'exec redis-server --save "" --appendonly no --requirepass "$$REDIS_PASSWORD"']
  prepare:
    <<: *site
    restart: "no"
    depends_on:
      postgres:
        condition: service_healthy
    environment:
      <<: *urls
      SECTORS_PROCESS: prepare
    command: [sh, -c, "python manage.py migrate --noinput && python manage.py collectstatic --noinput"]
"""


def _compose_proxy() -> str:
    return """\
  proxy:
    image: ${NGINX_IMAGE:?}
    restart: always
    depends_on:
      web:
        condition: service_healthy
    ports: ["80:80", "443:443"]
    volumes:
      - ./compose.nginx.conf:/etc/nginx/conf.d/default.conf:ro
      - /etc/ssl/sectors:/etc/ssl/sectors:ro

volumes:
  home:
  postgres:
"""


HEALTH_PROBE = f"from urllib.request import urlopen; urlopen('http://127.0.0.1:{WEB_PORT}/readyz', timeout=5)"
HEALTHCHECK = f"""\
    healthcheck:
      test: [CMD, python, -c, "{HEALTH_PROBE}"]
      interval: 10s
      start_period: 60s
"""


def _container(process: Process) -> str:
    is_web = process.name == "web"
    # The proxy is another host here.
    words = process.command.split() + (["--host", "0.0.0.0"] if is_web else [])  # noqa: S104
    command = ", ".join(f'"{word}"' for word in words)
    return f"""\
  {process.name}:
    <<: *site
    environment:
      <<: *urls
      SECTORS_PROCESS: {process.name}
    command: [{command}]
{HEALTHCHECK if is_web else ""}"""


if __name__ == "__main__":
    main()
