"""What pages of any game print, in both template languages: marks, drawn charts, links and times."""
