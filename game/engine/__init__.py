"""The kernel shared by all rulesets: pure functions over immutable positions, independent of Django, clocks and
databases."""
