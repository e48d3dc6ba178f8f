"""Many viewers of one dashboard, in a process of their own: `python -m ... ADDRESS`.

The messages that they follow carry in what they tell when they were published, on the monotonic
clock that all processes of a machine share. One viewer falls asleep and has to catch up.
"""

import asyncio
import contextlib
import re
import socket
import sys
import time
import zlib
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import msgspec

from web.native import GZIP_HEAD

STAMP = re.compile(rb'"text":"stamp (\d+) ([\d.]+)"')
ID = re.compile(rb"^id: (\S+)$", re.M)
PLAIN = (b"id:", b"event:", b"retry:", b":")  # how pieces begin that are not compressed
SLOW_BYTES = 8 * 1024  # what the system takes in for a viewer that is asleep


class Order(msgspec.Struct, frozen=True):
    """What the viewers are to do.

    viewers   how many follow; one more falls asleep and catches up.
    last      number of the last message.
    sleep_s   how long the slow one sleeps after its first message.
    """

    url: str
    path: str
    viewers: int
    last: int
    sleep_s: float


@lru_cache(maxsize=512)
def read(piece: bytes) -> tuple[tuple[tuple[int, float], ...], str]:
    """Stamps and last id of one piece of a stream; all viewers get the very same pieces."""
    text = piece if piece.startswith(PLAIN) else unzipped(piece)
    ids = ID.findall(text)
    stamps = tuple((int(number), float(at_s)) for number, at_s in STAMP.findall(text))
    return stamps, ids[-1].decode() if ids else ""


def unzipped(piece: bytes) -> bytes:
    """The text of a compressed piece."""
    start = len(GZIP_HEAD) if piece.startswith(GZIP_HEAD) else 0
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(piece[start:])


class Heard:
    """What one viewer heard: numbers in order, and how old each message was on arrival."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.ages_s: list[float] = []
        self.bytes = 0
        self.connections = 0
        self.last_id = ""

    def take(self, piece: bytes) -> None:
        """Note one piece of the stream."""
        now_s = time.monotonic()
        stamps, last_id = read(piece)
        self.numbers += [number for number, _ in stamps]
        self.ages_s += [now_s - at_s for _, at_s in stamps]
        self.bytes += len(piece)
        self.last_id = last_id or self.last_id


async def follow(order: Order, heard: Heard, sleep_s: float = 0.0) -> None:
    """Follow until the last message, connecting again whenever the stream ends."""
    while not heard.numbers or heard.numbers[-1] < order.last:
        heard.connections += 1
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await one_connection(order, heard, sleep_s if heard.connections == 1 else 0.0)
        await asyncio.sleep(0.05)


async def one_connection(order: Order, heard: Heard, sleep_s: float) -> None:
    """Read one stream to its end, piece by piece as the server sent it (RFC 9112, 7.1)."""
    address = urlsplit(order.url)
    reader, writer = await asyncio.open_connection(sock=await dialled(order.url, sleep_s > 0))
    resume = f"Last-Event-ID: {heard.last_id}\r\n" if heard.last_id else ""
    request = f"GET {order.path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
    if not sleep_s:  # who sleeps takes long messages, to be behind soon
        request += "Accept-Encoding: gzip\r\n"
    writer.write(f"{request}{resume}\r\n".encode())
    try:
        await reader.readuntil(b"\r\n\r\n")
        while not heard.numbers or heard.numbers[-1] < order.last:
            size = int(await reader.readuntil(b"\r\n"), 16)
            if size == 0:
                return
            heard.take((await reader.readexactly(size + 2))[:-2])
            if sleep_s and heard.numbers:
                await asyncio.sleep(sleep_s)
                sleep_s = 0.0
    finally:
        writer.close()


async def dialled(url: str, is_slow: bool) -> socket.socket:
    """A connection to the dashboard; a slow viewer's system takes in little for it."""
    address = urlsplit(url)
    line = socket.socket()
    line.setblocking(False)
    if is_slow:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SLOW_BYTES)
    await asyncio.get_running_loop().sock_connect(line, (address.hostname, address.port))
    return line


async def watch(order: Order) -> dict[str, Any]:
    """Let everybody follow, and gather what they heard."""
    everybody = [Heard() for _ in range(order.viewers)]
    slow = Heard()
    async with asyncio.TaskGroup() as group:
        for heard in everybody:
            group.create_task(follow(order, heard))
        if order.sleep_s:
            group.create_task(follow(order, slow, order.sleep_s))
    return {
        "ages_s": [age for heard in everybody for age in heard.ages_s],
        "gaps": sum(gaps_in(heard.numbers) for heard in everybody),
        "connections": sum(heard.connections for heard in everybody),
        "bytes": sum(heard.bytes for heard in everybody),
        "slow_gaps": gaps_in(slow.numbers),
        "slow_connections": slow.connections,
        "slow_heard": len(slow.numbers),
    }


def gaps_in(numbers: list[int]) -> int:
    """How many messages were missed or repeated."""
    return sum(b != a + 1 for a, b in zip(numbers, numbers[1:], strict=False))


def main() -> None:
    """Read an order from standard input, follow, and print what was heard."""
    order = msgspec.json.decode(sys.stdin.buffer.readline(), type=Order)
    heard = asyncio.run(watch(order))
    sys.stdout.buffer.write(msgspec.json.encode(heard))


if __name__ == "__main__":
    main()
