"""The house rules that a machine can check: floors, sizes, docstrings, and nothing of one machine or registry in the
files."""

import ast
import re
import subprocess
import sys
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from game.engine.actions import Refused
from tests.api.refusals import every_refusal
from tests.house import tree
from tests.servers import ROOT

PACKAGES = ("game", "accounts", "sectors_site")
TEXT = {".py", ".html", ".txt", ".md", ".toml", ".in", ".css", ".js", ".svg", ".json", ""}
GENERATED = {
    ".venv",
    ".local",
    ".git",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def sources() -> list[Path]:
    """Everything that is ours: the house without what is generated in it."""
    return sorted(
        path for path in ROOT.rglob("*") if path.is_file() and not GENERATED & set(path.relative_to(ROOT).parts)
    )


@cache
def modules() -> list[Path]:
    return [path for path in sources() if path.suffix == ".py" and "migrations" not in path.parts]


def product() -> list[Path]:
    return [path for path in modules() if path.relative_to(ROOT).parts[0] in PACKAGES]


def rules() -> list[Path]:
    return [path for path in product() if path.relative_to(ROOT).parts[1] in {"engine", "rulesets"}]


def functions() -> Iterator[tuple[Path, Function]]:
    for path in product():
        yield from ((path, node) for node in ast.walk(tree(path)) if isinstance(node, Function))


def length(node: Function) -> int:
    return (node.end_lineno or 0) - node.lineno + 1


def names(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_imports_only_go_down() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_package_folder_has_an_init() -> None:
    """Without it import-linter silently skips the folder."""
    folders = {path.parent for path in product()}
    assert not names([folder for folder in sorted(folders) if not (folder / "__init__.py").exists()])


def test_importing_the_rules_never_imports_django() -> None:
    code = (
        f"import sys, importlib\nfor name in {[name[:-3].replace('/', '.') for name in names(rules())]!r}: "
        "importlib.import_module(name)\n"
        "print([name for name in ('django', 'celery', 'channels') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
    assert not (ROOT / "game" / "__init__.py").read_text(encoding="utf-8").strip()


def test_every_module_says_what_it_is() -> None:
    silent = [path for path in modules() if tree(path).body and not ast.get_docstring(tree(path))]
    assert not names(silent)


def test_functions_are_small() -> None:
    sizes = {f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": length(node) for path, node in functions()}
    assert not {name: size for name, size in sizes.items() if size > 40}


def test_files_are_of_one_subject() -> None:
    assert not [path for path in names(modules()) if len((ROOT / path).read_text(encoding="utf-8").splitlines()) > 500]


def templates() -> list[str]:
    return names([path for path in sources() if path.suffix == ".html" and "templates" in path.parts])


def test_templates_are_short() -> None:
    assert not [path for path in templates() if len((ROOT / path).read_text(encoding="utf-8").splitlines()) > 80]


def test_code_templates_and_styles_are_narrow() -> None:
    """Lines that only a marker for ruff or mypy makes longer count too, which ruff lets pass."""
    written = (".py", ".html", ".txt", ".js", ".css")
    narrow = [path for path in names(sources()) if path.endswith(written) or path == "dev"]
    narrow = [path for path in narrow if "/migrations/" not in path and not path.startswith("requirements/")]
    lines = {path: (ROOT / path).read_text(encoding="utf-8").splitlines() for path in narrow}
    assert not [f"{path}:{at}" for path, text in lines.items() for at, line in enumerate(text, 1) if len(line) > 120]


def test_every_signature_is_typed() -> None:
    bare = []
    for path, node in functions():
        requests = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        missing = [
            argument.arg for argument in requests if argument.annotation is None and argument.arg not in {"self", "cls"}
        ]
        if missing or node.returns is None:
            bare.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert not bare


def test_rules_read_no_clock_and_no_loose_chance() -> None:
    """The linter sees imports of modules; this sees the names from which a hidden clock or chance would come."""
    loose = re.compile(
        r"\b(?:random\.(?:random|choice|shuffle|randint|sample)|time\.time|datetime\.now|os\.environ|urandom)\b"
    )
    assert not {
        name: found for name in names(rules()) if (found := loose.findall((ROOT / name).read_text(encoding="utf-8")))
    }


@pytest.mark.parametrize(
    ("what", "pattern"),
    [
        ("a registry's host", r"py[p]i\.org|python[h]osted\.org|registry\.[n]pmjs|deb\.[d]ebian\.org"),
        ("a path of one machine", r"(?<![\w.])/(?:[w]ork|[f]arm|[r]oot|[h]ome)/\w"),
        ("a secret", r"-----BEGIN [A-Z ]*PRIVATE KEY|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[baprs]-\w{10}"),
        ("an unfinished place", r"\b(?:[T]ODO|[F]IXME|[X]XX)\b|[N]otImplementedError"),
        ("a skipped test", r"pytest\.(?:mark\.)?(?:[s]kip|[x]fail)"),
    ],
)
def test_no_file_carries(what: str, pattern: str) -> None:
    ours = [path for path in sources() if path.suffix in TEXT]
    assert not [
        path for path in names(ours) if re.search(pattern, (ROOT / path).read_text(encoding="utf-8", errors="ignore"))
    ], what


def test_every_dependency_is_pinned_by_hash() -> None:
    for lock in (ROOT / "requirements").glob("*.txt"):
        entries = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"(?m)^ *#.*\n", "", lock.read_text(encoding="utf-8")).strip())
        assert entries
        assert not [entry.split()[0] for entry in entries if "==" not in entry or "--hash=sha256:" not in entry], (
            lock.name
        )


def test_pages_take_nothing_from_elsewhere() -> None:
    """No CDN: a page works offline and tells nobody who reads it."""
    outside = re.compile(r"""(?:src|href)=["'](?:https?:)?//""")
    pages = [path for path in sources() if path.suffix == ".html" and path.relative_to(ROOT).parts[0] == "templates"]
    assert not [name for name in names(pages) if outside.search((ROOT / name).read_text(encoding="utf-8"))]


def test_every_refusal_names_its_code() -> None:
    """Programs read it: `Refused("…", "S 1.5", code="not_enough_cash")`, one word for one meaning."""
    found = list(every_refusal())
    assert not [refusal.place for refusal in found if not re.fullmatch("[a-z][a-z_]{2,30}", refusal.code)]
    assert Refused.usual_code not in {refusal.code for refusal in found}
    assert len(found) > 200


ROOMS = ("votes", "moderation", "people", "seats", "clock", "play", "delivery")
DECIDES = {"check", "check_may", "lock_for_moderator", "lock_for_approval"}  # permissions are read under their lock
TIES = {
    "check_ties",
    "lock_for_moderator",
    "lock_for_approval",
}  # who is at home or plays with somebody does not decide
CONCERNS_NO_ONE_PLAYER = {"set_banner", "stop_resolving", "switch_features", "shift_deadlines"}
DECIDED_BEFORE = {
    # parts of such services
    "cases_for", "check_ties", "is_tied", "note_of", "record", "save_note", "seat_a_bot", "give_up_seat",
    "check_mailbox", "check_receiver", "check_are_two", "file_request", "settle",
    "require", "may", "may_change", "why_barred", "opened_for",
    "end", "is_connected", "has_mailbox", *DECIDES,
}  # fmt: skip


def test_every_act_of_staff_reads_its_powers_under_their_lock() -> None:
    """Each public function of a service that acts for staff asks `permissions`, itself or by a function beside it."""
    assert set(_acts_without(DECIDES)) == {"request_game_act"}, "it does it by a table of acts"


def test_every_act_of_staff_asks_what_ties_them_to_whom_it_concerns() -> None:
    """One function decides about ties; modules that ask elsewhere are listed here."""
    shown_to_nobody = {"read", "put_to_players"}  # of a request whose asker was asked for ties when it was confirmed
    powers = {"change_powers"}  # a small site's superuser plays with everybody
    others = {"request_game_act", *shown_to_nobody, *powers, *CONCERNS_NO_ONE_PLAYER}
    assert set(_acts_without(TIES)) == others


def _acts_without(needed: Collection[str]) -> Iterator[str]:
    for room in ROOMS:
        for path in sorted((ROOT / "game" / room).glob("*.py")):
            yield from _acts_of_staff(tree(path), needed)


def _acts_of_staff(module: ast.Module, needed: Collection[str]) -> Iterator[str]:
    functions = {node.name: node for node in module.body if isinstance(node, ast.FunctionDef)}

    def called(name: str, seen: frozenset[str] = frozenset()) -> set[str]:
        calls = [node.func for node in ast.walk(functions[name]) if isinstance(node, ast.Call)]
        names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
        beside = (names & functions.keys()) - seen - {name}
        return names.union(*(called(each, seen | {name}) for each in beside))

    for name, function in functions.items():
        arguments = {argument.arg for argument in [*function.args.args, *function.args.kwonlyargs]}
        is_act = "moderator" in arguments and not name.startswith("_") and name not in DECIDED_BEFORE
        if is_act and called(name).isdisjoint(needed):
            yield name


def test_no_caller_lists_the_columns_of_a_game_or_a_seat() -> None:
    """What differs is written: a list would forget a column or write one that another process has changed."""
    calls = [node for path in product() for node in ast.walk(tree(path)) if isinstance(node, ast.Call)]
    saves = [ast.unparse(call) for call in calls if ast.unparse(call.func) in {"game.save", "seat.save"}]
    assert [save for save in saves if "update_fields" in save] == []
