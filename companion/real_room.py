"""The real room: people at a table, their dice behind a receiver, and taps for everything else."""

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import Any

from companion.actions import Report, Rolled
from companion.clock import Clock
from companion.config import DiceSettings
from companion.errors import ConfigError, PictureError
from companion.inbox import Inbox
from companion.offers import Offer
from companion.pressing import ButtonSensor
from companion.real_square import RealSquare
from companion.real_trays import RealTrays
from companion.referee import Referee
from companion.sensing import DiceSensor
from companion.sensor_rows import receiver_row, source_of, source_row
from companion.stand_ins import StandIns
from companion.wiring import wired_dice
from companion.words import say
from hardware.ble_dice import BleDice
from hardware.ble_radio import Radio
from hardware.buttons import Buttons
from hardware.dice_health import Health
from hardware.dice_link import DiceLink
from hardware.dice_messages import WiredDie
from hardware.rolls import RollCollector
from hardware.serial_port import SerialPort

LOG = logging.getLogger(__name__)
CABLE = "serial:dice"
LOOK_S = 0.25  # real time after which the loop looks around even if nothing stirred


class RealRoom:
    """Where real people play; dice that no receiver reports are entered by tapping their faces."""

    def __init__(
        self,
        referee: Referee,
        inbox: Inbox,
        clock: Clock,
        dice: DiceSettings,
        radio: Radio | None = None,
    ) -> None:
        self.people = set(referee.table.seats)
        self.inbox = self._inbox = inbox
        self.buttons: Buttons | None = None
        self.presses: ButtonSensor | None = None
        self.others: Callable[[], list[dict[str, Any]]] = list  # rows of lamps and voice
        self.square: RealSquare | None = None
        self.trays: RealTrays | None = None
        self._is_apart = False
        self.stand_ins = StandIns(referee, inbox, clock, self.people)
        self._not_set_up: list[dict[str, Any]] = []  # devices, as screens show them
        self._clock = clock
        self._game_dice, self._seats = referee.table.dice, referee.table.seats
        self.receivers: list[DiceSensor] = []
        wired = wired_dice(referee.game, referee.table.dice, dice) if dice.are_wanted else {}
        cabled = {die: one for die, one in wired.items() if die not in dice.bluetooth}
        if cabled and dice.port:
            self._listen(dice.port, cabled)
        peers = {die: dice.bluetooth[die] for die in wired if die in dice.bluetooth}
        if peers:
            self._tune_in(peers, {die: wired[die] for die in peers}, radio)

    def _sensor(self, dice: dict[str, WiredDie], source: str) -> DiceSensor:
        names = [die.name for die in dice.values()]
        game_dice = [self._game_dice[name] for name in names]
        collector = RollCollector(game_dice, source, knows_hands=source == CABLE)
        self.receivers.append(DiceSensor(collector, names, self._inbox))
        return self.receivers[-1]

    def _listen(self, port: str, dice: dict[str, WiredDie]) -> None:
        sensor = self._sensor(dice, CABLE)
        link = DiceLink(dice, teaches=True)
        sensor.port = SerialPort(port, link, sensor.take, self._clock).start()

    def _tune_in(
        self, peers: dict[str, str], dice: dict[str, WiredDie], radio: Radio | None
    ) -> None:
        sensor = self._sensor(dice, "ble:dice")
        sensor.radio = BleDice(peers, dice, sensor.take, self._clock, radio=radio).start()

    @contextlib.contextmanager
    def without(self, camera: str, *, shown: bool) -> Iterator[None]:
        """Play without a camera that is not set up yet; the screens say what it lacks.

        shown  there is a screen, on which it can be set up; without one, ConfigError is raised.
        """
        try:
            yield
        except (ConfigError, PictureError) as error:
            if not shown:
                raise
            LOG.warning("playing without the camera over the %s: %s", camera, error)
            self.lacks(source_of(camera), say("Camera, {zone}", zone=camera), str(error))

    def lacks(self, source: str, label: str, why: str) -> None:
        """Show that something is not set up yet, and what to do."""
        row = source_row(source, label, "lost", why)
        self._not_set_up.append(row | {"moving": False, "dice": []})

    def set_apart(self, is_apart: bool) -> None:
        """Await nothing while dice are shown for something else; then take all as it lies there."""
        self._is_apart = is_apart
        if is_apart:
            return
        for camera in (self.square, self.trays):
            if camera is not None and camera.sensor is not None:
                camera.sensor.start_anew()
        for receiver in self.receivers:
            receiver.collector.forget()

    def expect(self, offers: list[Offer]) -> None:
        """Tell receivers and camera what is awaited."""
        offers = [] if self._is_apart else offers
        if self.square is not None:
            self.square.sensor.expect(offers)
        if self.trays is not None:
            self.trays.expect(offers)
        for receiver in self.receivers:
            receiver.expect(offers)

    def decided(self, referee: Referee, report: Report | None) -> None:
        """People see it for themselves; a roll that was tapped is not reported once more."""
        self.stand_ins.look(referee)
        if self.presses is not None:
            self.presses.look(referee, self._clock.now_s())
        if self.square is not None:
            self.square.decided(report)
        if report is None or not isinstance(report.action, Rolled):
            return
        if self.trays is not None:
            self.trays.answered(report.source, report.action.faces)
        for receiver in self.receivers:
            if report.source != receiver.collector.source:
                receiver.answered(report.action.faces)

    def advance(self, due_s: float | None) -> None:
        """Sleep until something stirs, or until the table has something to decide."""
        dues = [due for due in (due_s, self.stand_ins.next_due_s()) if due is not None]
        left_s = max(0.0, min(dues, default=LOOK_S + self._clock.now_s()) - self._clock.now_s())
        self._inbox.wait(min(left_s, LOOK_S))
        self.stand_ins.tick()

    def asks(self) -> list[dict[str, Any]]:
        """What simulated players ask the people at the table to do for them."""
        return self.stand_ins.asks()

    def sources(self) -> list[dict[str, Any]]:
        """How the receivers fare, with their dice and what troubles them."""
        silent = self._inbox.silent()
        rows = zip(self.receivers, self.dice_health(), strict=True)
        found = [receiver_row(o.carrier, o.collector, health, silent) for o, health in rows]
        buttons = [self.presses.row(silent, self._of_buttons())] if self.presses else []
        square = [self.square.row(silent)] if self.square is not None else []
        trays = self.trays.rows(silent) if self.trays is not None else []
        return [*found, *square, *trays, *self._not_set_up, *buttons, *self.others()]

    def _of_buttons(self) -> list[str]:
        if self.buttons is None:
            return []
        return self.buttons.panel.troubles(self._clock.now_s(), list(self._seats))

    @property
    def wired(self) -> frozenset[str]:
        """The dice that receivers report."""
        return frozenset(die for receiver in self.receivers for die in receiver.dice)

    def dice_health(self) -> list[Health]:
        """How each receiver and its dice fare, in full."""
        carriers = [receiver.carrier for receiver in self.receivers]
        return [carrier.health() for carrier in carriers if carrier is not None]

    def throw(self, player: str, dice: list[str]) -> None:
        """Real dice are thrown by hand; the desk refuses this before it gets here."""

    def turn_up(self, player: str, square: str) -> None:
        """Real tiles are turned up by hand; the desk refuses this before it gets here."""

    def now_s(self) -> float:
        """The moment of the game."""
        return self._clock.now_s()

    def close(self) -> None:
        """Close camera, buttons, ports and radio."""
        if self.square is not None:
            self.square.close()
        if self.trays is not None:
            self.trays.close()
        if self.buttons is not None:
            self.buttons.close()
        for receiver in self.receivers:
            if receiver.carrier is not None:
                receiver.carrier.close()
