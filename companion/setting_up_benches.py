"""What the set-up page works with in a running service: games, dice, cameras, learnt faces."""

from typing import TYPE_CHECKING

from companion.house_desk import HouseDesk
from companion.real_trays import zones_and_looks
from companion.setting_up import Plan, SetUp
from companion.setting_up_dice import DiceBench
from companion.wiring import wired_dice
from web.setup_benches import Benches

if TYPE_CHECKING:
    from companion.service import Setting


def benches_for(desk: HouseDesk, setting: "Setting") -> Benches:
    """All parts of the set-up page for this table."""
    return Benches(
        SetUp(desk, setting.rules, lambda plan: check_devices(plan, setting)),
        DiceBench(desk, setting.dice, setting.home, simulated=setting.simulated),
    )


def check_devices(plan: Plan, setting: "Setting") -> None:
    """Raise ConfigError for a game that the devices of a real table do not fit."""
    if setting.simulated:
        return
    dice = plan.game.table(plan.players, plan.options).dice
    wired = wired_dice(plan.game, dice, setting.dice) if setting.dice.are_wanted else {}
    if setting.camera.device and dice.dice:
        zones_and_looks(setting.camera, dice, [die.name for die in wired.values()])
