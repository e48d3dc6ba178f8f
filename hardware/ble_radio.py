"""The Bluetooth radio of this machine, as far as dice need it: bleak, or a simulated one."""

from collections.abc import Callable
from typing import Any, Protocol

from companion.errors import ConfigError, DeviceError
from companion.field_words import reason
from companion.words import say

FIND_S = 10.0
NOT_INSTALLED = (
    "Bluetooth dice need the library bleak, which is not installed; "
    "write: pip install 'table-companion[ble]'"
)


class Peer(Protocol):
    """One connected die: what of bleak's client is used here."""

    async def connect(self) -> None:
        """Connect, or raise."""
        ...

    async def disconnect(self) -> None:
        """Let the die go."""
        ...

    def has(self, characteristic: str) -> bool:
        """True if the die has this characteristic."""
        ...

    async def listen(self, characteristic: str, heard: Callable[[bytes], None]) -> None:
        """Be notified."""
        ...

    async def write(self, characteristic: str, data: bytes) -> None:
        """Write."""
        ...


class Radio(Protocol):
    """The Bluetooth of this machine; `faults` is what it raises when something is out of reach."""

    faults: tuple[type[Exception], ...]

    async def find(self, address: str, gone: Callable[[], None]) -> tuple[Peer, int | None] | None:
        """Look for a die by address or advertised name: the die and its signal in dBm, or None."""
        ...


def bleak_radio() -> Radio:
    """This machine's Bluetooth through bleak; ConfigError if that is not installed."""
    try:
        import bleak
        from bleak.exc import BleakError
    except ImportError as error:
        raise ConfigError(NOT_INSTALLED) from error

    class BleakPeer:
        def __init__(self, device: Any, gone: Callable[[], None]) -> None:
            self._client = bleak.BleakClient(device, disconnected_callback=lambda _: gone())

        async def connect(self) -> None:
            await self._client.connect()

        async def disconnect(self) -> None:
            await self._client.disconnect()

        def has(self, characteristic: str) -> bool:
            return self._client.services.get_characteristic(characteristic) is not None

        async def listen(self, characteristic: str, heard: Callable[[bytes], None]) -> None:
            await self._client.start_notify(characteristic, lambda _, data: heard(bytes(data)))

        async def write(self, characteristic: str, data: bytes) -> None:
            await self._client.write_gatt_char(characteristic, data)

    class BleakRadio:
        faults: tuple[type[Exception], ...] = (BleakError, EOFError)

        async def find(
            self, address: str, gone: Callable[[], None]
        ) -> tuple[Peer, int | None] | None:
            signal: list[int] = []

            def fits(device: Any, told: Any) -> bool:
                is_it = address.lower() in (device.address.lower(), (told.local_name or "").lower())
                signal.extend([told.rssi] if is_it else [])
                return is_it

            device = await bleak.BleakScanner.find_device_by_filter(fits, timeout=FIND_S)
            return None if device is None else (BleakPeer(device, gone), signal[-1])

    return BleakRadio()


async def nearby(limit_s: float = 5.0) -> list[tuple[str, str, int]]:
    """What is in reach, through bleak: advertised name, address, and signal in dBm.

    Raises DeviceError where Bluetooth cannot be used, ConfigError where bleak is not installed.
    """
    faults: tuple[type[Exception], ...] = (*bleak_radio().faults, OSError)
    import bleak

    try:
        found = await bleak.BleakScanner.discover(timeout=limit_s, return_adv=True)
    except faults as error:
        raise DeviceError(
            say(
                "Bluetooth cannot be used ({why}); is it switched on? Try: sudo systemctl start "
                "bluetooth; bluetoothctl power on",
                why=reason(error),
            )
        ) from error
    return [(told.local_name or "", device.address, told.rssi) for device, told in found.values()]
