"""The kernel shared by all rulesets: pure functions over immutable positions, knowing nothing of Django, clocks or
databases."""
