"""What moderators do: interventions in a game, acts on its seats, reported chat, approvals, cases, sanctions, repair,
rewinds, and their record."""
