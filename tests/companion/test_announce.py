"""How others find the table: a name that the network is told, and a code for phones."""

import io
import threading

import cv2
import numpy as np
import pytest
from rich.console import Console

from companion.announce import USUAL, WHITE_ON_BLACK, announced, code_for, show_code

LIMIT_S = 10.0
LINK = "http://192.168.1.20:8000/join/Kf83-abc"
HALVES = {" ": (0, 0), "▀": (255, 0), "▄": (0, 255), "█": (255, 255)}


class Network:
    """Hears names, and forgets them when they are taken back."""

    def __init__(self, fails=None):
        self.names, self.heard, self.fails = {}, threading.Event(), fails

    def __call__(self, address):
        self.bound = address
        return self

    def tell(self, name, address, port):
        try:
            if self.fails is not None:
                raise self.fails
            self.names[name] = (address, port)
        finally:
            self.heard.set()

    def close(self):
        self.names.clear()


def test_name_is_told_while_the_table_is_open():
    network = Network()
    with announced("companion", "192.168.1.20", 8000, network):
        assert network.heard.wait(LIMIT_S)
        assert network.names == {"companion": ("192.168.1.20", 8000)}
        assert network.bound == "192.168.1.20"
    assert network.names == {}
    assert "announce" not in [thread.name for thread in threading.enumerate()]


def test_nothing_is_told_without_a_name():
    network = Network()
    with announced("", "192.168.1.20", 8000, network):
        pass
    assert not network.heard.is_set()


def test_network_that_refuses_ends_nothing(caplog):
    network = Network(OSError("no multicast here"))
    with announced("companion", "192.168.1.20", 8000, network):
        assert network.heard.wait(LIMIT_S)
    assert "companion.local cannot be told (no multicast here)" in caplog.text


def test_library_is_asked_for_the_name_as_browsers_look_for_it(mocker):
    library = mocker.patch.dict("sys.modules", {"zeroconf": mocker.Mock()})["zeroconf"]
    told = threading.Event()
    library.Zeroconf.return_value.register_service.side_effect = lambda *a, **k: told.set()
    with announced("companion", "192.168.1.20", 8000):
        assert told.wait(LIMIT_S)
    (kind, name), fields = library.ServiceInfo.call_args
    assert (kind, name) == ("_http._tcp.local.", "companion._http._tcp.local.")
    assert fields["server"] == "companion.local."
    assert fields["addresses"] == [bytes([192, 168, 1, 20])]
    assert fields["port"] == 8000
    library.Zeroconf.return_value.close.assert_called_once_with()


def test_real_library_takes_what_we_give_it():
    import socket

    import zeroconf

    info = zeroconf.ServiceInfo(
        "_http._tcp.local.",
        "companion._http._tcp.local.",
        addresses=[socket.inet_aton("192.168.1.20")],
        port=8000,
        server="companion.local.",
        properties={"path": "/"},
    )
    assert info.parsed_addresses() == ["192.168.1.20"]
    assert info.server == "companion.local."


def pixels_of(code):
    rows = []
    for line in code.splitlines():
        letters = line.removeprefix(WHITE_ON_BLACK).removesuffix(USUAL)
        rows += [[HALVES[letter][half] for letter in letters] for half in (0, 1)]
    return np.kron(np.array(rows, np.uint8), np.ones((8, 8), np.uint8))


def test_code_on_the_console_leads_to_the_table():
    text, corners, _ = cv2.QRCodeDetector().detectAndDecode(pixels_of(code_for(LINK)))
    assert text == LINK
    assert corners is not None


@pytest.mark.parametrize("is_terminal", [True, False])
def test_code_is_shown_to_people_and_kept_out_of_logs(is_terminal):
    out = io.StringIO()
    show_code(LINK, Console(file=out, force_terminal=is_terminal))
    assert out.getvalue() == (code_for(LINK) if is_terminal else "")
