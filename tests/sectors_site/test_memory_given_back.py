"""What a process gave up goes back to the machine, and garbage is not looked for where there is next to none: seen from
outside, in a process of its own."""

import os
import subprocess
import sys

from tests.servers import ROOT

# A large page teaches glibc to keep the next ones in its heap, where one small thing above them holds them all.
LARGE_PAGES = """
from sectors_site.processes import return_freed_memory
from tests.bench.processes import resident_megabytes
done = return_freed_memory()
large = bytearray(b"x" * 1_000_000)
del large
began = resident_megabytes()
held = [(bytearray(b"x" * 200_000), bytearray(b"x" * 5_000)) for _ in range(200)]
held = [small for page, small in held]
print(done, round(resident_megabytes() - began))
"""

# What is registered first is done last: it sees what a search at the end would still go through.
START = """
import atexit, gc, django
atexit.register(lambda: print(len(gc.get_objects())))
before = gc.get_threshold()[0]
django.setup()
print(gc.get_threshold()[0] / before, len(gc.get_objects()))
"""


def kept_after_large_pages(**environment: str) -> tuple[str, int]:
    """Whether glibc was asked, and the megabytes of forty that stay."""
    given = {name: word for name, word in os.environ.items() if not name.startswith("MALLOC_")} | environment
    done = subprocess.run(
        [sys.executable, "-c", LARGE_PAGES], cwd=ROOT, env=given, capture_output=True, text=True, check=True
    )
    asked, kept = done.stdout.split()
    return asked, int(kept)


def test_the_memory_of_large_pages_is_given_back() -> None:
    asked, kept = kept_after_large_pages()
    assert asked == "True"
    assert kept <= 5


def test_what_the_operator_says_of_it_stands() -> None:
    asked, kept = kept_after_large_pages(MALLOC_ARENA_MAX="8")
    assert asked == "False"
    assert kept >= 20, "left alone, glibc keeps it: the other test can fail"


def test_no_time_is_spent_on_garbage_among_what_is_imported() -> None:
    command = [sys.executable, "-c", START]
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "sectors_site.settings"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    less_often, loaded, left = map(float, done.stdout.split())
    assert less_often > 10
    assert left < loaded / 10
