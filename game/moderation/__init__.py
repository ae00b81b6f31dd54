"""What moderators do: interventions, approvals, cases, sanctions, repair, rewinds, and their record."""
