"""Rules as data: scenarios with given, when and then, which anybody can read, run and check, for every ruleset."""
