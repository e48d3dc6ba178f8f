"""Both sides of all four territories."""

from companion.games.roll_for_adventure import desert, forest, fortress, ice
from companion.games.roll_for_adventure.sides import Side

SIDES: dict[tuple[str, str], Side] = {
    ("desert", "a"): desert.A,
    ("desert", "b"): desert.B,
    ("fortress", "a"): fortress.A,
    ("fortress", "b"): fortress.B,
    ("forest", "a"): forest.A,
    ("forest", "b"): forest.B,
    ("ice", "a"): ice.A,
    ("ice", "b"): ice.B,
}
