"""A real table behind the dashboard: real rules, journal and deciding thread; nobody plays."""

import threading
from functools import cached_property
from pathlib import Path
from typing import Any

from camera.simulated import SimulatedTray
from companion.app import Companion
from companion.clock import SimulatedClock
from companion.config import CameraSettings, DiceSettings, SquareSettings
from companion.games import GAMES
from companion.house_desk import HouseDesk
from companion.inbox import Inbox
from companion.journal import Journal
from companion.players import some_players
from companion.referee import Referee
from companion.setting_up import SetUp
from companion.setting_up_dice import DiceBench
from companion.setting_up_faces import FaceBench
from companion.setting_up_zones import ZoneBench
from companion.simulated_tray import ZONES
from companion.table import Player
from companion.table_eyes import TableEyes
from web.feed import Feed
from web.metrics import Figures
from web.setup_benches import Benches

FOUR = ("white-1", "white-2", "white-3", "white-4")


class QuietRoom:
    """A room in which nothing happens by itself."""

    def __init__(self, inbox: Inbox) -> None:
        self.people = {"ann", "bo"}
        self._inbox = inbox

    def set_apart(self, is_apart: bool) -> None:
        pass

    def expect(self, offers: list[Any]) -> None:
        pass

    def decided(self, referee: Any, report: Any) -> None:
        pass

    def advance(self, due_s: float | None) -> None:
        self._inbox.wait(0.05)

    def sources(self) -> list[dict[str, Any]]:
        return []

    def throw(self, player: str, dice: list[str]) -> None:
        pass

    def turn_up(self, player: str, square: str) -> None:
        pass

    def now_s(self) -> float:
        return 0.0

    def close(self) -> None:
        pass

    @cached_property
    def tray(self) -> SimulatedTray:
        """Trays for whoever looks at them; made then."""
        dice = GAMES["troll_and_dragon"].table(tuple(some_players(2))).dice
        return SimulatedTray(dice, ZONES["troll_and_dragon"], seed=1)


class QuietHouse:
    """One game with Ann and Bo, decided in a thread of its own."""

    def __init__(self, folder: Path, game: str = "troll_and_dragon") -> None:
        self.folder = folder
        self._dice: DiceBench | None = None
        self._faces: FaceBench | None = None
        self._zones: ZoneBench | None = None
        self.journal = Journal(folder / "journal.sqlite")
        self.desk = HouseDesk(Feed(boot="house"), Figures())
        self.desk.journal = self.journal
        players = (Player("ann", "Ann"), Player("bo", "=2+3"))
        referee, clock = Referee(GAMES[game], players), SimulatedClock()
        inbox = Inbox(clock)
        number = self.journal.begin(referee)
        self.companion = Companion(
            referee, inbox, clock, journal=self.journal, number=number, news=self.desk.feed
        )
        room: Any = QuietRoom(inbox)
        self.companion.begin(room)
        self.desk.serve(self.companion)
        self._thread = threading.Thread(target=self.companion.run, daemon=True)
        self._thread.start()

    def benches(self, camera: CameraSettings | None = None) -> Benches:
        """The set-up page of this house, with simulated devices, or with this camera over trays."""
        self._dice = DiceBench(self.desk, DiceSettings(), self.folder, simulated=True)
        eyes = TableEyes(self.desk, CameraSettings(), SquareSettings(), simulated=True)
        self._faces = FaceBench(eyes)
        looks = TableEyes(self.desk, camera, SquareSettings(), simulated=False) if camera else eyes
        self._zones = ZoneBench(looks, self.folder)
        return Benches(SetUp(self.desk), self._dice, self._zones, self._faces)

    def close(self) -> None:
        if self._dice is not None:
            self._dice.close()
        if self._faces is not None:
            self._faces.close()
        if self._zones is not None:
            self._zones.close()
        self.companion.stop()
        self._thread.join(10.0)
        self.journal.close()
        self.desk.feed.close()


def faces(face: str, dice: tuple[str, ...] = FOUR) -> dict[str, str]:
    return dict.fromkeys(dice, face)
