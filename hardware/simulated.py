"""Smart dice without dice: a simulated receiver that speaks real bytes over a pseudo-terminal.

The simulated clock drives it: there is no thread and no wall-clock time in here. `tick` writes what
is due and never blocks; who drives it lets the reader work that off (`deliver`), then time goes on.
"""

import errno
import os
import random
import select
import shutil
import tempfile
import tty
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from hardware.dice_messages import WiredDie
from hardware.serial_port import SerialPort
from hardware.simulated_receiver import SimulatedReceiver

_BEGINS = (b"HELLO host 0000:1 ",)  # a host counts from 1 each time that it opens the port


class SimulatedDice:
    """A receiver and its dice on a pseudo-terminal.

    dice     id on the wire -> the die of the game, with its faces, as the link gets them.
    seed     chance of how long each die tumbles, and of nothing else.
    noise    what arrives of each line, such as a `LineNoise`; may change at any time.
    start_s  second of the game at which it is plugged in.
    tells_status  say now and then how battery and signal of each die are.
    """

    def __init__(
        self,
        dice: Mapping[str, WiredDie],
        *,
        seed: int = 0,
        noise: Callable[[bytes], bytes] | None = None,
        start_s: float = 0.0,
        tells_status: bool = False,
    ) -> None:
        self.noise = noise
        self._folder = Path(tempfile.mkdtemp(prefix="companion-dice-"))
        self._ends: tuple[int, int] | None = None
        self._now_s = start_s
        self.receiver = SimulatedReceiver(
            dice, random.Random(seed), start_s=start_s, tells_status=tells_status
        )
        self._open_terminal()

    @property
    def port(self) -> str:
        """Path for a SerialPort; the same after it was unplugged and plugged in again."""
        return str(self._folder / "receiver")

    # Hands at the table

    def throw(
        self, faces: Mapping[str, str], at_s: float, *, crooked: Collection[str] = ()
    ) -> float:
        """Throw dice; see `SimulatedReceiver.throw`."""
        return self.receiver.throw(faces, at_s, crooked=crooked)

    def pick_up(self, name: str, at_s: float) -> None:
        """Take a die into the hand."""
        self.receiver.pick_up(name, at_s)

    def put_back(self, name: str, at_s: float, face: str | None = None) -> None:
        """Put a die down unrolled, as it lay or with this face up."""
        self.receiver.put_back(name, at_s, face)

    def unplug(self) -> None:
        """Pull the cable: the receiver loses its power, the port its other end."""
        self.receiver.power_off()
        if self._ends is not None:
            os.unlink(self.port)
            for end in self._ends:
                os.close(end)
            self._ends = None

    def plug_in(self, at_s: float) -> None:
        """Put the cable in: the receiver starts, and waits for a greeting."""
        if self._ends is None:
            self._open_terminal()
            self.receiver.power_on(at_s)

    def _open_terminal(self) -> None:
        master, slave = os.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        os.symlink(os.ttyname(slave), self.port)
        self._ends = (master, slave)
        self.bytes_sent = self.bytes_heard = 0
        self._heard, self._out = bytearray(), bytearray()

    def close(self) -> None:
        """Unplug it and leave nothing behind."""
        self.unplug()
        shutil.rmtree(self._folder, ignore_errors=True)

    # The receiver

    def tick(self, now_s: float) -> None:
        """Write everything that is due up to now, and at most one heartbeat; never blocks."""
        self._now_s = max(self._now_s, now_s)
        self.receiver.time_is(self._now_s)
        self._listen()
        self.receiver.pass_time(self._now_s)
        self._flush()

    def next_due_s(self) -> float | None:
        """When it has something to write next, heartbeats aside; None if there is nothing."""
        self._listen()
        return self._now_s if self._out else self.receiver.next_due_s()

    def introduce(self, port: SerialPort, now_s: float, limit_s: float = 5.0) -> bool:
        """Tick until the port's link knows receiver and clock; False after real `limit_s`.

        On a bad line, try again a second of the game later: until then nothing is asked twice.
        """
        for _ in range(int(limit_s / 0.01)):
            self.tick(now_s)
            if port.wait_until(lambda port: port.link.is_synchronised, 0.01):
                return self.deliver(port)
        return False

    def deliver(self, port: SerialPort, limit_s: float = 2.0) -> bool:
        """Wait until the port has worked off all bytes, and what it answered has come in.

        False if it is not there, or needs longer than `limit_s` real seconds. What the answers ask
        for is written by the next tick.
        """
        while port.state == "connected" and self._ends is not None:
            if not port.wait_until(self._has_worked_off, limit_s):
                return False
            if not self._out:
                port.pass_time()  # a fast game does not wait until the port looks at its clock
                return self._has_heard(port.bytes_sent, limit_s)
            self._flush()
        return False

    def _has_heard(self, bytes_sent: int, limit_s: float) -> bool:
        # A pseudo-terminal passes bytes on in its own time, however short.
        while self._ends is not None:
            self._listen()
            if self.bytes_heard >= bytes_sent:
                return True
            if not select.select([self._ends[0]], [], [], limit_s)[0]:
                break
        return False

    def _has_worked_off(self, port: SerialPort) -> bool:
        return port.bytes_received >= self.bytes_sent

    # Bytes

    def _listen(self) -> None:
        if self._ends is None:
            return
        try:
            while data := os.read(self._ends[0], 4096):
                self._heard += data
        except BlockingIOError:
            pass
        *lines, self._heard = self._heard.split(b"\n")
        for line in lines:
            self.bytes_heard += len(line) + 1
            if line.startswith(_BEGINS):
                self._begin_talk(len(line) + 1)
            self.receiver.hear(bytes(line))
            self._take_lines()

    def _begin_talk(self, bytes_heard: int) -> None:
        # The other end counts from where it opened the port.
        self.bytes_sent, self.bytes_heard = 0, bytes_heard
        self._out.clear()

    def _take_lines(self) -> None:
        for line in self.receiver.lines_to_send():
            self._out += line if self.noise is None else self.noise(line)

    def _flush(self) -> None:
        if self._ends is None:
            return
        self._take_lines()
        try:
            while self._out:
                count = os.write(self._ends[0], self._out)
                self.bytes_sent += count
                del self._out[:count]
        except BlockingIOError:
            return
        except OSError as error:
            if error.errno != errno.EIO:
                raise
