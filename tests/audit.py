"""Lists the locked packages with known vulnerabilities: `./dev audit`. It exits with 1 where one has, and with 2 where
nothing could be learnt about one of them."""

from __future__ import annotations

import json
import os
import ssl
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from tests.servers import ROOT

LOCKS = ("base", "dev")
SECONDS = 60  # for all of it: a build waits no longer for a report


def command(lock: str) -> list[str]:
    """The lock is read as it is: nothing is installed or resolved for it."""
    requests = ["-r", f"requirements/{lock}.txt", "--disable-pip", "--no-deps", "--format", "json", "--timeout", "10"]
    return [sys.executable, "-m", "pip_audit", *requests, "--progress-spinner", "off"]


def environment(now: Mapping[str, str]) -> dict[str, str]:
    """With the authorities that this machine trusts: pip and uv ask them, and pip-audit would ask its own list alone,
    which knows none of a network's."""
    known = ssl.get_default_verify_paths()
    trusted = known.cafile or known.capath
    usual = {"REQUESTS_CA_BUNDLE": trusted} if trusted else {}
    return {**usual, **now}


def vulnerable(packages: list[dict[str, Any]]) -> list[str]:
    """The known vulnerabilities, a sentence each."""
    return [
        f"{each['name']} {each['version']}: {hole['id']}, {fixed_by(hole)}."
        for each in packages
        for hole in each.get("vulns", ())
    ]


def report(lock: str, packages: list[dict[str, Any]]) -> list[str]:
    """What became known of one lock, a sentence a line."""
    lines = vulnerable(packages)
    if skipped := sum("skip_reason" in each for each in packages):
        lines.append(f"Nothing is known about {skipped} of the {len(packages)} packages in requirements/{lock}.txt.")
    return lines or [f"The {len(packages)} packages in requirements/{lock}.txt have no known vulnerability."]


def fixed_by(hole: dict[str, Any]) -> str:
    versions = ", ".join(hole["fix_versions"])
    return f"fixed in {versions}" if versions else "not fixed yet"


def look_up(lock: str) -> list[dict[str, Any]] | None:
    """What is known about the packages of one lock; None where the advisories could not be fetched."""
    try:
        done = subprocess.run(
            command(lock),
            cwd=ROOT,
            env=environment(os.environ),
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS / len(LOCKS),
        )
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        return None
    return packages


def code_of(packages: list[dict[str, Any]] | None) -> int:
    """1 if a package has a known vulnerability; 2 if nothing, or not everything, could be learnt."""
    if packages is None:
        return 2
    if vulnerable(packages):
        return 1
    return 2 if any("skip_reason" in each for each in packages) else 0


def main() -> int:
    """Print the report; the exit code."""
    codes = []
    for lock in LOCKS:
        packages = look_up(lock)
        if packages is None:
            lines = [f"The advisories about requirements/{lock}.txt could not be fetched."]
        else:
            lines = report(lock, packages)
        sys.stdout.write("\n".join(lines) + "\n")
        codes.append(code_of(packages))
    return 1 if 1 in codes else max(codes)


if __name__ == "__main__":
    sys.exit(main())
