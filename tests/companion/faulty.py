"""Evenings with one fault each, and all that screens are told meanwhile."""

import math

from pseudo import bare

from companion.bench.faults import evening
from companion.faults import Fault, kinds

SEED = 6  # dice are thrown at 1, 4 and 5 s, smart ones from 6 s on, and people choose in between
SOON_S = (1.5, 4.2, 4.5)  # begins, ends, and when all is looked at
LONGER_S = {
    "camera": (1.5, 5.0, 5.5),  # two throws and what people read aloud
    "serial": (1.5, 8.0, 8.5),  # three throws of smart dice
    "disk": (1.5, 8.0, 8.5),
}


def goes_on_rightly(name, told):
    """Play with a fault of this kind; what it says reached the screens, in every language."""
    kind = kinds()[name]
    begin_s, end_s, until_s = LONGER_S.get(kind.subject, SOON_S)
    for_s = (math.inf if kind.subject == "strip" else end_s - begin_s) if kind.lasts else 0.0
    planned = [Fault(name, begin_s, kind.amount or 0.0, for_s)]
    outcome = evening(planned, seed=SEED, until_s=until_s)
    assert outcome.is_fine, outcome
    assert kind.told in outcome.told
    assert any(kind.told in text for text in told)
    assert {text: bare(text, made) for text, made in told.items() if bare(text, made)} == {}
    assert outcome.steps > 0
