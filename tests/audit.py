"""Which locked packages have known holes: `./dev audit`. A report: it never fails, and says so where the advisories
cannot be fetched."""

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
    asked = ["-r", f"requirements/{lock}.txt", "--disable-pip", "--no-deps", "--format", "json", "--timeout", "10"]
    return [sys.executable, "-m", "pip_audit", *asked, "--progress-spinner", "off"]


def environment(now: Mapping[str, str]) -> dict[str, str]:
    """With the authorities that this machine trusts: pip and uv ask them, and pip-audit would ask its own list alone,
    which knows none of a network's."""
    known = ssl.get_default_verify_paths()
    trusted = known.cafile or known.capath
    usual = {"REQUESTS_CA_BUNDLE": trusted} if trusted else {}
    return {**usual, **now}


def told(lock: str, packages: list[dict[str, Any]]) -> list[str]:
    """The report of one lock, a sentence a line."""
    asked = [each for each in packages if "skip_reason" not in each]
    lines = [
        f"{each['name']} {each['version']}: {hole['id']}, {fixed_by(hole)}." for each in asked for hole in each["vulns"]
    ]
    if skipped := len(packages) - len(asked):
        lines.append(
            f"Of {skipped} of the {len(packages)} packages in requirements/{lock}.txt nothing could be learnt."
        )
    return lines or [f"The {len(packages)} packages in requirements/{lock}.txt have no known hole."]


def fixed_by(hole: dict[str, Any]) -> str:
    versions = ", ".join(hole["fix_versions"])
    return f"fixed in {versions}" if versions else "not fixed yet"


def look_up(lock: str) -> list[str]:
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
        return told(lock, json.loads(done.stdout)["dependencies"])
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError):
        return [f"The advisories about requirements/{lock}.txt could not be fetched."]


if __name__ == "__main__":
    for each in LOCKS:
        sys.stdout.write("\n".join(look_up(each)) + "\n")
