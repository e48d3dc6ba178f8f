"""A moment with what is wired to this machine: receivers, Bluetooth dice, the seats' buttons."""

from companion.config import Config, game_named
from companion.dice_station import known_dice
from companion.header_picture import table_wiring
from companion.wiring import dice_of
from hardware.buttons import stuck
from hardware.dice_findings import DiceFinding, receiver_findings
from hardware.pins import PinChoice

Heard = tuple[DiceFinding, ...]


def listen_to_dice(settings: Config) -> Heard:
    """Open the receiver and the radio that the settings name, and say how they and dice fare."""
    dice = settings.dice
    known = known_dice(dice, dice_of(game_named(settings.table.game)))
    return tuple(receiver_findings(dice.port, known, dice.bluetooth))


def stuck_buttons(settings: Config, choice: PinChoice) -> list[tuple[int, int]]:
    """Seat (from 1) and pin (BCM) of every button that is closed though nobody presses it."""
    pins = table_wiring(settings.pins).buttons
    closed = stuck(choice, pins)
    return [(seat, pin) for seat, pin in enumerate(pins, 1) if pin in closed]
