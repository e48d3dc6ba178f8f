"""What the set-up page works with in a running service: games, dice, cameras, learnt faces."""

from typing import TYPE_CHECKING, Any

from camera.watch import Question
from companion.clock import RealClock
from companion.house_desk import HouseDesk
from companion.inbox import Inbox
from companion.learning import Learner
from companion.real_square import RealSquare
from companion.real_trays import RealTrays
from companion.setting_up import SetUp, wanted_by
from companion.setting_up_dice import DiceBench
from companion.setting_up_faces import FaceBench
from companion.setting_up_zones import ZoneBench
from companion.simulated_square import has_square
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
    """Raise ConfigError for a game that the devices of a real table do not fit.

    wanted  what changes in the setting; what is not in it stays as it is.
    """
    if setting.simulated:
        return
    game, camera = wanted["game"], wanted.get("camera", setting.camera)
    settings, clock = wanted.get("dice", setting.dice), RealClock()
    table = game.table(wanted["players"], wanted["options"])
    wired = wired_dice(game, table.dice, settings) if settings.are_wanted else {}
    if camera.device and table.dice.dice:
        names = [die.name for die in wired.values()]
        RealTrays(table.dice, camera, Inbox(clock), clock, Unasked(), wired=names)
    if setting.square.camera and has_square(table):
        RealSquare(table, setting.square, Inbox(clock), clock, Unasked())


class Unasked:
    """A table that is asked nothing: devices are put together for it, but never started."""

    def __init__(self) -> None:
        self.learners: dict[str, Learner] = {}

    def __call__(self, source: str, question: Question | None) -> None:
        """Nobody hears it."""

    def witness(self, *what: Any) -> Any:
        """Nothing was seen."""

    def open_ones(self) -> tuple[()]:
        """No questions."""
        return ()

    def answer(self, question: str, face: str) -> None:
        """Nobody has asked."""
