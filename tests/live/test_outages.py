"""The site in its own process with a real Valkey that stalls, forgets, goes and comes back."""

import asyncio
import signal
import time

import pytest
import redis
from asgiref.sync import sync_to_async
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.live.house import cookie_of
from tests.live.servers import hear, hear_version, running_site

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("tidy")]
in_thread = sync_to_async


@pytest.fixture
def site(house):
    with running_site() as found:
        yield found


@pytest.fixture
def path(house):
    return f"/ws/pits/{house.pits[0].pk}/"


@pytest.fixture
def cookie(floorperson):
    return cookie_of(floorperson)


async def heard_by_redis(valkey) -> None:
    """Waits until the site's subscription stands."""
    client = redis.asyncio.Redis.from_url(valkey.url)
    async with asyncio.timeout(10), client:
        while not dict(await client.pubsub_numsub("pitstand:live")).get(b"pitstand:live"):
            await asyncio.sleep(0.05)


async def test_a_change_made_in_another_process_is_heard_at_once(house, site, path, cookie, valkey):
    stream = await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as there:
        assert (await hear(there, "beat"))["heads"] == {stream: 1}
        await heard_by_redis(valkey)
        seq = await in_thread(house.press)(stream, watts=60)
        assert await hear_version(there, stream, seq, patience=2) == "tiles"


async def test_a_lost_message_is_healed_by_the_next_beat(house, site, path, cookie, valkey, settings):
    stream = await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await heard_by_redis(valkey)
        settings.REDIS_URL = "unix:///nowhere/valkey.sock"  # this process's publications are lost
        seq = await in_thread(house.press)(stream, watts=60)
        settings.REDIS_URL = valkey.url
        assert await hear_version(there, stream, seq, patience=14) == "beat"


async def test_a_subscription_that_redis_dropped_comes_back_with_a_beat_at_once(
    house, site, path, cookie, valkey
):
    stream = await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await heard_by_redis(valkey)
        async with redis.asyncio.Redis.from_url(valkey.url) as client:
            await client.flushall()
            await client.execute_command("CLIENT", "KILL", "TYPE", "PUBSUB")
        assert (await hear(there, "beat", patience=5))["heads"] == {stream: 1}
        await heard_by_redis(valkey)
        seq = await in_thread(house.press)(stream, watts=60)
        assert await hear_version(there, stream, seq, patience=5) == "tiles"


async def test_redis_away_the_beats_say_so_and_carry_the_changes_and_back_they_are_live(
    house, site, path, cookie, valkey, monkeypatch
):
    monkeypatch.setattr("pit.live.store.REST", (0.0, 0.0))
    stream = await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await heard_by_redis(valkey)
        await in_thread(valkey.stop)()
        while (await hear(there, "beat"))["health"]["redis"]:
            pass
        seq = await in_thread(house.press)(stream, watts=60)
        assert await hear_version(there, stream, seq, patience=6) == "beat"
        await in_thread(valkey.start)()
        while not (await hear(there, "beat"))["health"]["redis"]:
            pass
        seq = await in_thread(house.press)(stream)
        assert await hear_version(there, stream, seq, patience=5) == "tiles"


async def test_a_redis_that_hangs_is_found_out(house, site, path, cookie, valkey):
    await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await heard_by_redis(valkey)
        valkey.process.send_signal(signal.SIGSTOP)
        try:
            while (await hear(there, "beat", patience=25))["health"]["redis"]:
                pass
        finally:
            valkey.process.send_signal(signal.SIGCONT)
        while not (await hear(there, "beat"))["health"]["redis"]:
            pass


async def test_a_stalled_client_delays_nobody_and_is_dropped(house, site, path, cookie, valkey):
    stream = await in_thread(house.lamp)(1)
    async with site.listen(path, cookie) as good:
        await hear(good, "beat")
        await heard_by_redis(valkey)
        stalled = await stalled_client(site.port, path, cookie)
        longest = 0.0
        big = await in_thread(Flood)(house, stream, valkey)
        for _ in range(150):
            begin = time.monotonic()
            seq = await in_thread(big.send)()
            await hear_version(good, stream, seq, patience=5)
            longest = max(longest, time.monotonic() - begin)
        assert longest < 1
        assert await hung_up(stalled)


async def test_a_page_of_another_site_and_an_unknown_path_are_refused_without_a_traceback(
    house, site, cookie, path
):
    import websockets

    for address, origin in [(path, "http://evil.example"), ("/ws/nowhere/", f"http://127.0.0.1:{site.port}")]:
        with pytest.raises(InvalidStatus) as refused:
            await websockets.connect(
                f"ws://127.0.0.1:{site.port}{address}", origin=origin, additional_headers={"Cookie": cookie}
            )
        assert refused.value.response.status_code == 403


async def test_a_logout_reaches_a_real_browser_as_4401(house, site, path, cookie):
    from django.contrib.sessions.models import Session

    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await Session.objects.all().adelete()
        with pytest.raises(ConnectionClosed) as closed:
            await hear(there, "tiles", patience=14)
        assert closed.value.rcvd.code == 4401


async def test_a_server_that_stops_says_so_and_its_sockets_come_back(house, path, cookie):
    with running_site() as first:
        port = first.port
        there = await first.listen(path, cookie)
        await hear(there, "beat")
        await in_thread(stop)(first)
        with pytest.raises(ConnectionClosed) as closed:
            await hear(there, "tiles")
        assert closed.value.rcvd.code == 1012
    with running_site(port=port) as second:
        async with second.listen(path, cookie) as there:
            await hear(there, "beat")


async def test_too_long_a_message_closes_the_socket(house, site, path, cookie):
    async with site.listen(path, cookie) as there:
        await hear(there, "beat")
        await there.send("x" * 100)
        with pytest.raises(ConnectionClosed) as closed:
            await hear(there, "tiles")
        assert closed.value.rcvd.code == 1009


def stop(site) -> None:
    site.process.terminate()
    site.process.wait(timeout=15)


class Flood:
    """Large changes of one stream, sent as the door's hook sends them."""

    def __init__(self, house, stream, valkey) -> None:
        from pit.live import store, wire

        self.house, self.stream, self.wire, self.store = house, stream, wire, store.store()
        self.seq = 100

    def send(self) -> int:
        self.seq += 1
        tile = self.wire.Tile(self.stream, self.seq, "x" * 200_000)
        self.store.publish([("pitstand:flood", self.house.topic, self.house.place.pk, tile)])
        return self.seq


async def stalled_client(port: int, path: str, cookie: str) -> asyncio.StreamReader:
    """Shakes hands and then reads nothing."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nCookie: {cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
    )
    assert b"101" in await reader.readline()
    writer.transport.pause_reading()
    reader.writer = writer
    return reader


async def hung_up(reader: asyncio.StreamReader) -> bool:
    """Reads all that is left; True when the server has closed the connection."""
    reader.writer.transport.resume_reading()
    async with asyncio.timeout(20):
        while await reader.read(1 << 20):
            pass
    reader.writer.close()
    return True
