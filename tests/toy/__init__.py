"""The toy ruleset: the smallest game that uses everything the kernel offers. `docs/adding_a_game.md` explains it file
by file."""
