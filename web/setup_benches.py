"""All parts of the set-up page, as far as a house has them."""

from dataclasses import dataclass

from flask import Flask

from web.access import Access
from web.setup import GameBench, show_setup


@dataclass
class Benches:
    """What the set-up page can do in this house."""

    games: GameBench


def show_benches(app: Flask, benches: Benches, access: Access) -> None:
    """Serve the set-up page with all its parts."""
    show_setup(app, benches.games, access)
