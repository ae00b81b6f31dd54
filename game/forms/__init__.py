"""From a form's strings to typed requests for the rules, and back again."""

from game.forms.fields import BadField, Filled
from game.forms.fillers import fill
from game.forms.names import check_names
from game.forms.readers import read

__all__ = ["BadField", "Filled", "check_names", "fill", "read"]
