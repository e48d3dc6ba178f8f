"""The pure parts of the firmware by themselves, so that two Pythons can be compared.

{"do": "motion", "shape": "d6", "felt": [...], "samples": [[at_ms, x, y, z], ...]}
    -> [[kind, at_ms, side, upto_ms], ...]
{"do": "lines", "lines": [text, ...]} -> [[kind, die, run, number, at_ms, words] or "", ...]
{"do": "line", "parts": [...]} -> text
"""

import json

from firmware import wire
from firmware.motion import Motion
from firmware.sides import Sides


def motion(asked):
    moving, told = Motion(Sides(asked["shape"], asked["felt"])), []
    for sample in asked["samples"]:
        report = moving.sample(*sample)
        if report is not None:
            told.append(list(report) + [moving.upto_ms()])
    return told


def lines(asked):
    return [read(line) for line in asked["lines"]]


def read(line):
    try:
        message = wire.decode(line.encode())
    except wire.WireError:
        return ""
    return list(message)[:5] + [list(message.words)]


def line(asked):
    return wire.encode(*asked["parts"]).decode()


def answer(text):
    asked = json.loads(text)
    return json.dumps({"motion": motion, "lines": lines, "line": line}[asked["do"]](asked))
