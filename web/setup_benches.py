"""All parts of the set-up page, as far as a house has them."""

from dataclasses import dataclass

from flask import Flask

from web.access import Access
from web.setup import GameBench, show_setup
from web.setup_camera import ZoneBench, show_camera
from web.setup_dice import DiceBench, show_dice
from web.setup_faces import FaceBench, show_faces


@dataclass
class Benches:
    """What the set-up page can do in this house."""

    games: GameBench
    dice: DiceBench | None = None
    zones: ZoneBench | None = None
    faces: FaceBench | None = None


def show_benches(app: Flask, benches: Benches, access: Access) -> None:
    """Serve the set-up page with all its parts."""
    show_setup(app, benches.games, access)
    if benches.dice is not None:
        show_dice(app, benches.dice)
    if benches.zones is not None:
        show_camera(app, benches.zones)
    if benches.faces is not None:
        show_faces(app, benches.faces)
