"""Games, people, rules and the past as structs of facts and codes, for programs."""
