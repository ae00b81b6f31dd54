"""`./dev` sets itself up without a word on stdout, so that what a command prints can be piped into a file."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT

PYTHON = '#!/bin/sh\n[ "$1 $2" = "-m pip" ] && exit 0\nexec "{python}" "$@"\n'


def script(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def test_set_up_messages_go_to_stderr(tmp_path: Path) -> None:
    """The first run installs; the registry's clients are stand-ins that succeed."""
    shutil.copy(ROOT / "dev", tmp_path / "dev")
    script(tmp_path / "requirements" / "base.txt", "")
    script(tmp_path / "manage.py", "print('what the command prints')")
    script(tmp_path / ".venv" / "bin" / "python", PYTHON.format(python=sys.executable))
    for name in ("pip", "uv"):
        script(tmp_path / ".venv" / "bin" / name, "#!/bin/sh\nexit 0\n")
    home = {**os.environ, "SECTORS_HOME": str(tmp_path / "home")}
    done = subprocess.run([tmp_path / "dev", "manage"], capture_output=True, text=True, check=True, env=home)
    assert done.stdout == "what the command prints\n"
    assert "Installing packages from requirements/base.txt" in done.stderr
