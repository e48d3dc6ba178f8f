"""The main program of the receiver: USB and radio. What it decides stands in `firmware.receiver`.

On the board, `main.py` says `from firmware.receiver_main import run` and `run()`. It prints nothing
but lines of `firmware.wire`.
"""

import os
import select
import sys
import time

import espnow
import machine
import micropython
import network

from firmware.board_clock import BoardClock
from firmware.receiver import Receiver

CHANNEL = 1
PACKETS_BYTES = 4096  # kept by the radio while we write


class Board:
    """The board of a receiver."""

    def __init__(self):
        micropython.kbd_intr(-1)  # a damaged line must not stop the program
        self.clock = BoardClock()
        self.wlan = network.WLAN(network.WLAN.IF_STA)
        self.wlan.active(True)
        self.wlan.config(channel=CHANNEL, pm=network.WLAN.PM_NONE)
        self.radio = espnow.ESPNow()
        self.radio.config(rxbuf=PACKETS_BYTES)
        self.radio.active(True)
        self.known = set()
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)
        who = "rx-" + self.wlan.config("mac").hex()[6:]
        self.receiver = Receiver(who, os.urandom(2).hex())

    def step(self):
        """Pass on what has come, from both sides."""
        mac, packet = self.radio.recv(0)
        while mac is not None and packet is not None:
            weaker = -self.radio.peers_table[mac][0]  # type: ignore[attr-defined]
            name, now_ms = bytes(mac).hex(), self.clock.now_ms()
            self.receiver.radio(name, bytes(packet), max(0, weaker), now_ms)
            mac, packet = self.radio.recv(0)
        while self.poll.poll(0):
            self.receiver.usb(sys.stdin.buffer.read(1))
        self.receiver.tick(self.clock.now_ms())
        for name, said in self.receiver.radio_out():
            self.send(bytes.fromhex(name), said)
        said = self.receiver.usb_out()
        if said:
            sys.stdout.buffer.write(said)

    def send(self, mac, said):
        """Send a packet; what does not arrive is asked for again by whoever misses it."""
        try:
            if mac not in self.known:
                self.radio.add_peer(mac)
                self.known.add(mac)
            self.radio.send(mac, said, False)
        except OSError:
            pass


def run():
    """Be a receiver for ever; start again after whatever nobody has thought of."""
    try:
        board = Board()
        while True:
            board.step()
            time.sleep_ms(1)
    except Exception:
        machine.reset()  # a new run; the companion notices and asks everybody anew
