"""The chat of a game, its mutes and reports, and private notes. Moderators act on reports in `game.moderation`."""
