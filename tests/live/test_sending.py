"""One socket's sends and the hub's batches, without a network: steps, backlog, newest version, order."""

import asyncio
import random

import msgspec
import pytest

from pit.live import socket as sending
from pit.live import wire
from pit.live.hub import BATCH, Hub
from pit.live.socket import Socket
from pit.live.together import Together


class Wire:
    """What an ASGI server does: takes messages, and lets the sender wait while it is full."""

    def __init__(self) -> None:
        self.sent: list[dict[str, object]] = []
        self.free = asyncio.Event()
        self.free.set()

    async def send(self, message: dict[str, object]) -> None:
        await self.free.wait()
        self.sent.append(message)

    def texts(self) -> list[object]:
        return [message.get("text") for message in self.sent]


class Ended:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


def text(word: str) -> dict[str, object]:
    return {"type": "websocket.send", "text": word}


def socket_of(there: Wire, topic: str = "pit:1") -> tuple[Socket, Ended]:
    ended = Ended()
    return Socket(there.send, topic=topic, ended=ended), ended


def change(stream: str, seq: int, *, topic: str = "pit:1", size: int = 0) -> bytes:
    return wire.publication(topic, 1, wire.Tile(stream, seq, "x" * size))


def versions(frame: object) -> list[tuple[str, int]]:
    return [(tile["stream"], tile["seq"]) for tile in msgspec.json.decode(str(frame))["tiles"]]


async def test_a_send_that_can_finish_is_done_at_once_and_without_a_task():
    there = Wire()
    socket, _ = socket_of(there)
    before = len(asyncio.all_tasks())
    socket.text(text("a"))
    assert there.texts() == ["a"]
    assert len(asyncio.all_tasks()) == before


async def test_a_socket_that_blocks_gets_its_messages_later_and_in_order():
    there = Wire()
    there.free.clear()
    socket, ended = socket_of(there)
    for word in "abc":
        socket.text(text(word))
    assert there.sent == []
    there.free.set()
    await asyncio.sleep(0.01)
    socket.text(text("d"))
    assert there.texts() == ["a", "b", "c", "d"]
    assert ended.times == 0


async def test_one_stalled_socket_among_many_delays_nobody():
    stalled, others = Wire(), [Wire() for _ in range(200)]
    stalled.free.clear()
    hub = Hub()
    for there in [*others[:100], stalled, *others[100:]]:
        hub.join(socket_of(there)[0])
    for number in range(10):
        hub.tell("pit:1", str(number))
    assert all(there.texts() == [str(number) for number in range(10)] for there in others)


async def test_a_backlog_that_is_full_drops_the_socket_once():
    there = Wire()
    there.free.clear()
    socket, ended = socket_of(there)
    for _ in range(sending.BACKLOG + 5):
        socket.text(text("x"))
    await asyncio.sleep(0)
    assert ended.times == 1
    there.free.set()
    await asyncio.sleep(0.01)
    assert there.sent == []


async def test_a_backlog_of_large_frames_is_bounded_by_its_size():
    there = Wire()
    there.free.clear()
    socket, ended = socket_of(there)
    for _ in range(4):
        socket.text(text("x" * (sending.BACKLOG_CHARACTERS // 2)))
    assert ended.times == 1


async def test_a_socket_that_blocks_for_too_long_is_dropped():
    there = Wire()
    there.free.clear()
    socket, ended = socket_of(there)
    socket.text(text("a"))
    now = asyncio.get_running_loop().time()
    socket.drop_if_stuck(now + sending.STUCK - 1)
    assert ended.times == 0
    socket.drop_if_stuck(now + sending.STUCK + 1)
    assert ended.times == 1


async def test_a_send_that_fails_ends_the_socket():
    async def broken(message: dict[str, object]) -> None:
        raise OSError("gone")

    ended = Ended()
    Socket(broken, topic="pit:1", ended=ended).text(text("a"))
    assert ended.times == 1


async def test_a_send_that_fails_after_waiting_ends_the_socket():
    async def broken(message: dict[str, object]) -> None:
        await asyncio.sleep(0)
        raise OSError("gone")

    ended = Ended()
    Socket(broken, topic="pit:1", ended=ended).text(text("a"))
    await asyncio.sleep(0.01)
    assert ended.times == 1


async def test_a_close_is_said_at_once_or_the_socket_is_dropped():
    there, stuck = Wire(), Wire()
    stuck.free.clear()
    good, _ = socket_of(there)
    bad, ended = socket_of(stuck)
    bad.text(text("a"))
    good.close(4401)
    bad.close(4401)
    assert there.sent == [{"type": "websocket.close", "code": 4401}]
    assert ended.times == 1
    good.text(text("after"))
    assert len(there.sent) == 1


async def test_a_change_after_a_quiet_moment_goes_at_once():
    there, hub = Wire(), Hub()
    hub.join(socket_of(there)[0])
    hub.heard(change("table:1", 5))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert versions(there.texts()[0]) == [("table:1", 5)]


async def test_changes_under_load_go_together_and_the_newest_version_wins():
    there, hub = Wire(), Hub()
    hub.join(socket_of(there)[0])
    hub.heard(change("table:9", 1))
    await asyncio.sleep(0.001)
    for stream, seq in [("table:1", 5), ("table:2", 7), ("table:1", 6)]:
        hub.heard(change(stream, seq))
    assert len(there.sent) == 1
    await asyncio.sleep(BATCH * 2)
    assert [versions(frame) for frame in there.texts()] == [
        [("table:9", 1)],
        [("table:2", 7), ("table:1", 6)],
    ]


async def test_no_change_waits_longer_than_the_batch():
    there, hub = Wire(), Hub()
    hub.join(socket_of(there)[0])
    loop = asyncio.get_running_loop()
    begin = loop.time()
    for seq in range(1, 40):
        hub.heard(change(f"table:{seq % 3}", seq))
        await asyncio.sleep(0.004)
    await asyncio.sleep(BATCH * 2)
    assert len(there.sent) >= (loop.time() - begin - 3 * BATCH) / (BATCH + 0.02)


async def test_one_frame_is_made_for_all_sockets_of_a_topic():
    wires, hub = [Wire() for _ in range(5)], Hub()
    for there in wires:
        hub.join(socket_of(there)[0])
    hub.heard(change("table:1", 5, size=1500))
    await asyncio.sleep(0.01)
    assert len({id(there.sent[0]) for there in wires}) == 1


async def test_a_topic_hears_its_own_changes_and_a_property_all_of_them():
    mine, desk, other, hub = Wire(), Wire(), Wire(), Hub()
    hub.join(socket_of(mine, "pit:1")[0])
    hub.join(socket_of(desk, "property:1")[0])
    hub.join(socket_of(other, "property:2")[0])
    hub.heard(change("table:1", 5, topic="pit:1"))
    hub.heard(change("table:2", 6, topic="pit:2"))
    await asyncio.sleep(0.01)
    assert versions(mine.texts()[0]) == [("table:1", 5)]
    assert versions(desk.texts()[0]) == [("table:1", 5), ("table:2", 6)]
    assert other.sent == []


async def test_a_message_that_is_no_change_is_passed_over():
    there, hub = Wire(), Hub()
    hub.join(socket_of(there)[0])
    hub.heard(b"not json")
    hub.heard(b'{"topic": 3}')
    hub.heard(change("table:1", 5))
    await asyncio.sleep(0.01)
    assert len(there.sent) == 1


async def test_who_leaves_hears_nothing_more():
    there, hub = Wire(), Hub()
    socket, _ = socket_of(there)
    hub.join(socket)
    hub.leave(socket)
    hub.leave(socket)
    assert hub.topics() == set()
    hub.heard(change("table:1", 5))
    await asyncio.sleep(0.01)
    assert there.sent == []


@pytest.mark.parametrize("seed", range(5))
async def test_whatever_blocks_when_each_socket_hears_everything_in_order_or_is_dropped(seed):
    chance = random.Random(seed)
    hub, wires = Hub(), [Wire() for _ in range(10)]
    ends = []
    for there in wires:
        socket, ended = socket_of(there)
        ends.append(ended)
        hub.join(socket)
    told = []
    for number in range(150):
        for there in wires:
            there.free.set() if chance.random() < 0.5 else there.free.clear()
        told.append(str(number))
        hub.tell("pit:1", told[-1])
        if chance.random() < 0.3:
            await asyncio.sleep(0)
    for there in wires:
        there.free.set()
    await asyncio.sleep(0.05)
    for there, ended in zip(wires, ends, strict=True):
        assert there.texts() == told[: len(there.sent)]
        assert ended.times == 1 or len(there.sent) == len(told)


async def test_questions_at_the_same_time_share_one_run_and_each_gets_an_answer_begun_after_it():
    runs = []
    gate = asyncio.Event()

    async def answer(asks: frozenset[str]) -> dict[str, int]:
        number = len(runs) + 1
        runs.append(asks)
        await gate.wait()
        return dict.fromkeys(asks, number)

    together = Together[str, int](answer)
    first = asyncio.ensure_future(together.ask("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    later = [asyncio.ensure_future(together.ask(one)) for one in ("a", "a", "b")]
    await asyncio.sleep(0)
    gate.set()
    assert await first == 1
    assert await asyncio.gather(*later) == [2, 2, 2]
    assert runs == [frozenset("a"), frozenset("ab")]


async def test_an_error_of_the_run_reaches_all_who_asked_and_the_next_run_is_new():
    fail = [True]

    async def answer(asks: frozenset[str]) -> dict[str, int]:
        if fail.pop():
            raise ValueError("away")
        return dict.fromkeys(asks, 1)

    fail.insert(0, False)
    together = Together[str, int](answer)
    results = await asyncio.gather(together.ask("a"), together.ask("b"), return_exceptions=True)
    assert all(isinstance(one, ValueError) for one in results)
    assert await together.ask("a") == 1
