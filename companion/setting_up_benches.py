"""What the set-up page works with in a running service: games, dice, cameras, learnt faces."""

from typing import TYPE_CHECKING, Any

from companion.house_desk import HouseDesk
from companion.setting_up import SetUp, wanted_by
from companion.setting_up_dice import DiceBench
from companion.setting_up_faces import FaceBench
from companion.setting_up_zones import ZoneBench
from companion.table_eyes import TableEyes
from companion.wiring import wired_dice
from web.setup_benches import Benches

if TYPE_CHECKING:
    from companion.service import Setting

LAY_OUT_S = 5.0  # a room with cameras and learnt dice takes two


def benches_for(desk: HouseDesk, setting: "Setting") -> Benches:
    """All parts of the set-up page for this table."""
    desk.check = lambda wanted: check_devices(setting, wanted)
    eyes = TableEyes(desk, setting.camera, setting.square, setting.simulated)
    return Benches(
        SetUp(
            desk,
            setting.rules,
            lambda plan: desk.check({**desk.devices, **wanted_by(plan)}),
            LAY_OUT_S,
        ),
        DiceBench(desk, setting.dice, setting.home, simulated=setting.simulated),
        ZoneBench(eyes, setting.home),
        FaceBench(eyes),
    )


def check_devices(setting: "Setting", wanted: dict[str, Any]) -> None:
    """Raise ConfigError for a game that the smart dice of a real table do not fit.

    Cameras that do not fit end no game: the room plays without, and says so.
    wanted  what changes in the setting; what is not in it stays as it is.
    """
    if setting.simulated:
        return
    game, settings = wanted["game"], wanted.get("dice", setting.dice)
    if settings.are_wanted and settings.names:
        dice = game.table(wanted["players"], wanted["options"]).dice
        wired_dice(game, dice, settings)
