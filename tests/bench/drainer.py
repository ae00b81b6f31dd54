"""One process of the drain: `python -m tests.bench.drainer bare|sweep` says that it is ready, waits for a word, and
drains."""

import sys

import django

if __name__ == "__main__":
    django.setup()
    from tests.bench.drain import main

    main(sys.argv[1])
