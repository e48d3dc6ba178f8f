"""The main program of a die: pins, radio and sleep. What it decides stands in `firmware.die`.

On the board, `main.py` says `from firmware.die_main import run` and `run()`. The pins below are
those of an ESP32-C3 SuperMini; the wiring stands in the README, "Build a smart die".
"""

import json
import os
import time

import esp32
import espnow
import machine
import network

from firmware.board_clock import BoardClock
from firmware.die import Die, blank_memory
from firmware.lis3dh import LIS3DH
from firmware.lsm6ds3 import LSM6DS3
from firmware.motion import SAMPLE_MS

SDA, SCL, MOVED, LAMP, BATTERY = 6, 7, 4, 10, 3
CHANNEL = 1
MEMORY = "die.json"
EVERYBODY = b"\xff\xff\xff\xff\xff\xff"
GREET_MS = 500  # between two greetings of a die that looks for a receiver
FAREWELLS = 3
AGAIN_MS = 2000
WAKES_MG = 125


def find_sensor(i2c):
    """The accelerometer that answers; OSError that says what is wrong if none does."""
    problems = []
    for kind in (LIS3DH, LSM6DS3):
        try:
            return kind(i2c)
        except OSError as problem:
            problems.append("%s: %s" % (kind.__name__, problem))
    raise OSError("no accelerometer on SDA %d, SCL %d (%s)" % (SDA, SCL, "; ".join(problems)))


def read_memory(name):
    """What the die kept; blank if there is nothing, or it is broken."""
    memory = blank_memory(name)
    try:
        with open(MEMORY) as kept:
            memory.update(json.load(kept))
    except (OSError, ValueError):
        pass
    return memory


def keep_memory(memory):
    """Keep it so that a battery that comes loose meanwhile costs nothing: OSError if it cannot."""
    with open(MEMORY + ".new", "w") as kept:
        json.dump(memory, kept)
    os.rename(MEMORY + ".new", MEMORY)


class Board:
    """The board of a die."""

    def __init__(self):
        self.clock = BoardClock()
        self.sensor = find_sensor(machine.I2C(0, sda=machine.Pin(SDA), scl=machine.Pin(SCL)))
        self.lamp = machine.Pin(LAMP, machine.Pin.OUT, value=0)
        self.moved = machine.Pin(MOVED, machine.Pin.IN)
        self.cell = machine.ADC(machine.Pin(BATTERY), atten=machine.ADC.ATTN_11DB)
        self.wlan = network.WLAN(network.WLAN.IF_STA)
        self.radio = espnow.ESPNow()
        self.receiver = b""
        self.greeted_ms = -GREET_MS
        self.start_radio()
        name = "die-" + self.wlan.config("mac").hex()[6:]
        self.die = Die(read_memory(name), keep_memory, os.urandom(2).hex())

    def start_radio(self):
        """Switch the radio on."""
        self.wlan.active(True)
        self.wlan.config(channel=CHANNEL)
        self.radio.active(True)
        self.meet(EVERYBODY)
        if self.receiver:
            self.meet(self.receiver)

    def meet(self, mac):
        """Make a receiver known to the radio."""
        try:
            self.radio.add_peer(mac)
        except OSError:
            return  # it is known already

    def step(self):
        """Take a sample, say what is to be said, hear what is to be heard."""
        now_ms, die = self.clock.now_ms(), self.die
        die.sample(now_ms, *self.sensor.read())
        die.millivolts = self.cell.read_uv() // 500  # two equal resistors halve it
        self.hear(now_ms)
        if die.is_lost() and now_ms >= self.greeted_ms + GREET_MS:
            self.greeted_ms = now_ms
            self.send(EVERYBODY, die.greeting(now_ms))
        packet = die.packet(now_ms) if die.memory["receiver"] else None
        if packet is not None and self.send(self.find_receiver(), packet):
            die.arrived()
        self.lamp.value(die.is_lit())

    def find_receiver(self):
        """The MAC of the receiver, made known to the radio."""
        receiver = bytes.fromhex(self.die.memory["receiver"])
        if receiver != self.receiver:
            self.receiver = receiver
            self.meet(receiver)
        return receiver

    def hear(self, now_ms):
        """Take in every packet that has come."""
        mac, packet = self.radio.recv(0)
        while mac is not None and packet is not None:
            self.die.hear(bytes(packet), bytes(mac).hex(), now_ms)
            mac, packet = self.radio.recv(0)

    def send(self, mac, packet):
        """True if the other radio took it."""
        try:
            return bool(self.radio.send(mac, packet, True))
        except OSError:
            return False

    def fall_asleep(self):
        """Say so, switch the radio off, and let the accelerometer watch."""
        for _ in range(FAREWELLS):
            if self.send(self.find_receiver(), self.die.farewell(self.clock.now_ms())):
                break
        self.lamp.value(0)
        self.radio.active(False)
        self.wlan.active(False)
        self.sensor.doze(WAKES_MG)

    def wake_up(self):
        """Measure and talk again; it was moved."""
        moved_ms = self.clock.now_ms()
        self.sensor.wake()
        self.start_radio()
        self.die.woken(moved_ms)


def run():
    """Be a die for ever; start again after whatever nobody has thought of."""
    try:
        board = Board()
        esp32.wake_on_gpio((board.moved,), esp32.WAKEUP_ANY_HIGH)
        live(board)
    except Exception as error:
        print(error)  # for who has it on a cable: a sensor that does not answer, most likely
        time.sleep_ms(AGAIN_MS)
        machine.reset()


def live(board):
    """Sample and talk; sleep when there is nothing to do."""
    while True:
        begun = time.ticks_ms()
        board.step()
        if board.die.may_sleep():
            board.fall_asleep()
            machine.lightsleep()
            board.wake_up()
        time.sleep_ms(max(0, SAMPLE_MS - time.ticks_diff(time.ticks_ms(), begun)))
