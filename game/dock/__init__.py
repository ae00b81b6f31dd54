"""The decision dock as plain values: what is asked of a viewer, the form as it stands, and what would follow from it."""

from game.dock.ballots import ballots_of
from game.dock.building import Material, dock_of
from game.dock.shapes import Received

__all__ = ["Material", "Received", "ballots_of", "dock_of"]
