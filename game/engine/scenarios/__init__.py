"""Rules as data: scenarios of given, when and then that anybody can read, run and check, for every ruleset."""
