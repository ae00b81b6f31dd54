"""The report on locked packages reads what pip-audit says, and no key is in the repository."""

import re
import socket
import ssl
import subprocess
import sys
from pathlib import Path

from tests.architecture.test_house_rules import sources
from tests.audit import code_of, environment, report, vulnerable
from tests.servers import ROOT

KEYS = {
    "a private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}",
    "a key of a cloud": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}\b",
    "a token of a forge": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22,}|glpat-[\w-]{20})",
    "a key of a service": r"\b(?:sk|rk)_live_[A-Za-z0-9]{16,}|\bxox[abpr]-[\w-]{20,}|\bSG\.[\w-]{20,}\.[\w-]{20,}",
    "a signed token": r"\beyJ[\w-]{20,}\.eyJ[\w-]{20,}\.[\w-]{20,}",
    "a token of ours": r"\bsat_(?!a{20})[A-Za-z0-9]{40,}",
    "a secret that is set": r"(?im)^(?:export )?(?:SECRET_KEY|METRICS_TOKEN|AWS_SECRET\w*)=['\"]?[\w+/!@#$%^&*-]{32,}",
    "an address with a password": r"\b(?:postgres(?:ql)?|rediss?|smtp\S*)://[^:@/\s]+:(?!pass|p@|pssst|secret|\$|<|\{)"
    r"[^@/\s'\"]{8,}@",
}


def test_a33_no_key_is_in_the_repository() -> None:
    found = []
    for path in sources():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a font
        found += [f"{path.relative_to(ROOT)}: {what}" for what, form in KEYS.items() if re.search(form, text)]
    assert found == []


def test_the_forms_find_keys() -> None:
    """Put together here, so that none stands in this file."""
    keys = {
        "a private key": "-----BEGIN PRIVATE" + " KEY-----\n" + "Ab1+" * 12,
        "a key of a cloud": "AKIA" + "Q7" * 8,
        "a token of a forge": "ghp_" + "a1B2" * 9,
        "a key of a service": "sk_live_" + "a1B2" * 6,
        "a signed token": "eyJ" + "hb" * 12 + ".eyJ" + "hb" * 12 + "." + "hb" * 12,
        "a token of ours": "sat_" + "Zx9" * 17,
        "a secret that is set": "SECRET_KEY=" + "k9-" * 15,
        "an address with a password": "postgres://sectors:" + "Tr0ub4dor" + "@db/sectors",
    }
    assert [what for what, form in KEYS.items() if not re.search(form, keys[what])] == []


def test_the_report_tells_holes_and_what_could_not_be_learnt() -> None:
    hole = {"id": "PYSEC-2026-1", "fix_versions": ["6.0.1", "5.2.9"], "aliases": [], "description": ""}
    packages = [
        {"name": "django", "version": "6.0", "vulns": [hole, hole | {"fix_versions": []}]},
        {"name": "celery", "version": "5.6", "vulns": []},
    ]
    assert report("base", packages) == [
        "django 6.0: PYSEC-2026-1, fixed in 6.0.1, 5.2.9.",
        "django 6.0: PYSEC-2026-1, not fixed yet.",
    ]
    assert report("base", packages[1:]) == ["The 1 packages in requirements/base.txt have no known vulnerability."]
    skipped = {"name": "attrs", "skip_reason": "Dependency not found on PyPI"}
    assert report("dev", [*packages[1:], skipped]) == [
        "Nothing is known about 1 of the 2 packages in requirements/dev.txt."
    ]
    assert len(vulnerable(packages)) == 2
    assert [code_of(found) for found in (None, [*packages, skipped], [*packages[1:], skipped], packages[1:])] == [
        2,
        1,
        2,
        0,
    ]


def test_the_report_asks_with_the_authorities_of_this_machine_unless_told_otherwise() -> None:
    """In a build's bare environment nothing names them."""
    trusted = environment({}).get("REQUESTS_CA_BUNDLE")
    assert trusted is None or Path(trusted).exists()
    known = ssl.get_default_verify_paths()
    assert trusted == (known.cafile or known.capath)
    assert environment({"REQUESTS_CA_BUNDLE": "/own.pem", "HOME": "/h"}) == {
        "REQUESTS_CA_BUNDLE": "/own.pem",
        "HOME": "/h",
    }


def test_off_line_the_report_says_so_and_is_no_pass(tmp_path: Path) -> None:
    """Nothing listens where it asks: in a bare environment, with a home of nobody."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        dead = f"http://127.0.0.1:{closed.getsockname()[1]}"
        bare = {"HOME": str(tmp_path / "nobody"), "PATH": "/usr/bin:/bin", "HTTPS_PROXY": dead, "HTTP_PROXY": dead}
        done = subprocess.run(
            [sys.executable, "-m", "tests.audit"], cwd=ROOT, env=bare, capture_output=True, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "")
    assert done.stdout.splitlines() == [
        f"The advisories about requirements/{lock}.txt could not be fetched." for lock in ("base", "dev")
    ]
