"""Which smart die is which die of a game: from settings to what a receiver's link needs."""

from collections.abc import Iterable, Mapping

from companion.config import DiceSettings
from companion.dice import DiceSet, Die
from companion.errors import ConfigError
from companion.games import GAMES
from companion.players import some_players
from companion.scripts import Game
from companion.words import say, word
from hardware.dice_messages import WiredDie


def wired_dice(game: Game, dice: DiceSet, settings: DiceSettings) -> dict[str, WiredDie]:
    """The smart dice of this game, by their own ids; dice of other games are passed over.

    Raises ConfigError for dice that no game has, for two dice with one name, for faces that the die
    has not, and for a kind that is heard in two ways.
    """
    if not dice.dice:
        return {}
    if not settings.names:
        raise ConfigError(
            say(
                "companion.toml [dice.names]: expected which smart die is which die of the game "
                "({known}), got none; `companion dice` shows the dice that are heard, and "
                '`companion dice map d1 red-1` names them, or write for example d1 = "red-1"',
                known=_listed(dice),
            )
        )
    _check_known(game, dice, settings)
    _check_once(settings)
    mine = {own: dice[name] for own, name in settings.names.items() if name in dice}
    _check_ways(mine, settings)
    return {own: wired_die(die, _sides(own, die, settings)) for own, die in mine.items()}


def wired_die(die: Die, sides: Mapping[str, str] | None = None) -> WiredDie:
    """A smart die that calls its sides 1, 2, 3 ..., in the order in which the game lists them.

    sides  side -> face, where it was calibrated and has them in another order.
    """
    listed = {str(side): face for side, face in enumerate(die.faces, 1)}
    return WiredDie(die.name, dict(sides) if sides else listed)


def dice_of(game: Game) -> DiceSet:
    """The dice of a game that is played by its usual rules."""
    return game.table(tuple(some_players(game.seats.start))).dice


def _check_known(game: Game, dice: DiceSet, settings: DiceSettings) -> None:
    known = {die.name for other in GAMES.values() for die in dice_of(other)}
    strange = [name for name in settings.names.values() if name not in dice and name not in known]
    if strange:
        raise ConfigError(
            say(
                "companion.toml [dice.names]: expected dice of {game} ({known}), got {got}; "
                'write for example d1 = "red-1"',
                game=word(game.title),
                known=_listed(dice),
                got=", ".join(strange),
            )
        )


def _check_once(settings: DiceSettings) -> None:
    owners: dict[str, str] = {}
    for own, name in settings.names.items():
        if name in owners:
            raise ConfigError(
                say(
                    "companion.toml [dice.names]: expected one smart die for {name}, got {first} "
                    "and {own}; map one of them to another die",
                    name=name,
                    first=owners[name],
                    own=own,
                )
            )
        owners[name] = own


def _check_ways(mine: dict[str, Die], settings: DiceSettings) -> None:
    ways: dict[str, bool] = {}
    for own, die in mine.items():
        is_radio = own in settings.bluetooth
        if ways.setdefault(die.kind, is_radio) != is_radio:
            raise ConfigError(
                say(
                    "companion.toml [dice]: expected all {kind} dice either behind the receiver "
                    "or by Bluetooth, got both; one roll is told by one of them",
                    kind=die.kind,
                )
            )


def _sides(own: str, die: Die, settings: DiceSettings) -> dict[str, str]:
    sides = settings.faces.get(own, {})
    for side, face in sides.items():
        if face not in die.faces:
            raise ConfigError(
                say(
                    "companion.toml [dice.faces.{own}] {side}: expected a face of {name} "
                    "({known}), got {face!r}; calibrate it anew with `companion dice calibrate "
                    "{own}`",
                    own=own,
                    side=side,
                    name=die.name,
                    known=", ".join(dict.fromkeys(die.faces)),
                    face=face,
                )
            )
    return sides


def _listed(dice: Iterable[Die]) -> str:
    return ", ".join(die.name for die in dice) or "none"
