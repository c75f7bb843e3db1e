"""Ready tiles for pages: kept in Redis, always right, whatever becomes of Redis."""

import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest
import redis
from django.test import Client

from pit.live import fragments, heads, publish, registry, wire
from pit.live import store as storing
from pit.live.build import build_id
from pit.live.store import Breaker, store
from pit.record.models import Stream
from pit.record.registry import Change
from pit.web import clock
from tests.db.lamp import Lamp
from tests.live.house import cookie_of, draw
from tests.people import make_property, make_staff

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def client_of_redis(valkey):
    with redis.Redis.from_url(valkey.url) as client:
        yield client


@pytest.fixture
def drawn(monkeypatch):
    """Counts what is drawn."""
    counted = []

    def counting(stream, state, seq):
        counted.append((stream, seq))
        return draw(stream, state, seq)

    monkeypatch.setitem(registry._tiles, "lamp", counting)
    return counted


def found(client, house, stream):
    """The fragment that stands in Redis."""
    value = client.hget(key(house), stream)
    kept = wire.kept(stream, wire.version(value), value)
    return kept and kept.full


def key(house):
    return wire.tiles_key(house.place.pk, build_id())


def test_a_change_is_drawn_once_and_a_page_takes_it_ready(house, drawn, django_assert_num_queries):
    one, two = house.lamp(1), house.lamp(2)
    seq = house.press(one, watts=60)
    drawn.clear()
    with django_assert_num_queries(1):
        tiles = fragments.board(house.topic)
    assert [(tile.stream, tile.seq) for tile in tiles] == [(one, seq), (two, 1)]
    assert "lit, 60 W" in tiles[0].tile
    assert drawn == []


def test_a_page_gets_all_tiles_and_all_needs_as_safe_html_at_once(house, django_assert_num_queries):
    one, two = house.lamp(1), house.lamp(2)
    house.press(two, watts=60)
    with django_assert_num_queries(1):
        page = fragments.page(house.topic)
    tiles = fragments.board(house.topic)
    assert page.tiles == "".join(tile.tile for tile in tiles)
    assert page.needs == "".join(tile.needs for tile in tiles)
    assert page.tiles.__html__() == page.tiles
    assert page.tiles.index(one) < page.tiles.index(two)
    assert "Switch it off" in page.needs


def test_a_flushed_redis_is_filled_again_in_two_queries(
    house, drawn, client_of_redis, django_assert_num_queries
):
    stream = house.lamp(1)
    house.press(stream, watts=60)
    client_of_redis.flushall()
    with django_assert_num_queries(2):
        first = fragments.board(house.topic)
    assert client_of_redis.hlen(key(house)) == 1
    drawn.clear()
    assert [tile.full for tile in fragments.board(house.topic)] == [tile.full for tile in first]
    assert drawn == []


@pytest.mark.parametrize(
    "planted",
    [
        b"",
        b"nonsense",
        b"1 0000000000000003old",
        b"99 000000000000000ffrom the future",
        b"\xff\xfe",
        b"2 0000000000000009short",
        b"2 00000001zzzzzzzzab",
        b"2 -0000001000000030ab",
        b"2 ",
    ],
)
def test_whatever_stands_in_redis_the_page_is_right_and_heals_it(house, client_of_redis, planted):
    stream = house.lamp(1)
    seq = house.press(stream, watts=60)
    client_of_redis.hset(key(house), stream, planted)
    for _ in range(2):
        (tile,) = fragments.board(house.topic)
        assert (tile.seq, "lit, 60 W" in tile.tile) == (seq, True)
    assert found(client_of_redis, house, stream) == tile.full


def test_a_fragment_is_kept_to_the_letter():
    tile = wire.Tile("lamp:1", 41, "<article>–\0é</article>", "<li>ñ</li>")
    assert wire.kept("lamp:1", 41, wire.keep(tile)).full == tile
    assert wire.kept("lamp:1", 4, wire.keep(tile)) is None
    assert wire.version(wire.keep(tile)) == 41


def test_an_older_fragment_never_replaces_a_newer(house, client_of_redis):
    stream = house.lamp(1)
    store().write(key(house), [(wire.Tile(stream, 7, "new"), -1)])
    store().write(key(house), [(wire.Tile(stream, 6, "old"), -1)])
    assert found(client_of_redis, house, stream).tile == "new"


def test_an_older_change_is_not_sent_after_a_newer(house, client_of_redis):
    stream = house.lamp(1)
    with client_of_redis.pubsub(ignore_subscribe_messages=True) as listening:
        listening.subscribe(wire.CHANNEL)
        listening.get_message(timeout=5)
        for seq in (7, 6, 7, 8):
            store().publish([(key(house), house.topic, house.place.pk, wire.Tile(stream, seq, ""))])
        heard = []
        while message := listening.get_message(timeout=0.3):
            heard.append(msgspec.json.decode(bytes(wire.decode_publication(message["data"]).tile))["seq"])
    assert heard == [7, 7, 8]


def test_many_changes_of_one_commit_go_in_one_trip(house, client_of_redis):
    changes = [
        Change(
            stream=f"lamp:{number}",
            property_id=house.place.pk,
            topic=house.topic,
            changed_seq=2,
            state=Lamp(),
            entries=({},),
        )
        for number in range(50)
    ]
    client_of_redis.config_resetstat()
    publish.publish(changes)
    assert client_of_redis.hlen(key(house)) == 50


def test_a_round_that_was_only_counted_moves_no_tile(house, client_of_redis):
    change = Change(
        stream="lamp:1", property_id=house.place.pk, topic=house.topic, changed_seq=2, state=Lamp(round=9)
    )
    publish.publish([change])
    assert client_of_redis.hlen(key(house)) == 0


def test_a_tile_that_cannot_be_drawn_is_shown_as_such_and_the_others_stand(house, monkeypatch):
    one, two = house.lamp(1), house.lamp(2)
    store()._client.flushall()

    def broken(stream, state, seq):
        if stream == one:
            raise ZeroDivisionError
        return draw(stream, state, seq)

    monkeypatch.setitem(registry._tiles, "lamp", broken)
    first, second = fragments.board(house.topic)
    assert "cannot be drawn" in first.tile
    assert f'data-stream="{one}"' in first.tile
    assert "dark" in second.tile
    assert house.press(two, watts=5)


def test_another_build_draws_its_own_tiles(house, drawn, monkeypatch):
    stream = house.lamp(1)
    drawn.clear()
    monkeypatch.setattr("pit.live.fragments.build_id", lambda: "next")
    fragments.board(house.topic)
    assert drawn == [(stream, 1)]


def test_redis_away_a_page_is_drawn_from_the_database(house, valkey):
    stream = house.lamp(1)
    seq = house.press(stream, watts=60)
    valkey.stop()
    (tile,) = fragments.board(house.topic)
    assert (tile.stream, tile.seq) == (stream, seq)


def test_redis_away_a_command_is_kept_and_told_once_in_the_log(house, valkey, caplog):
    stream = house.lamp(1)
    valkey.stop()
    with caplog.at_level("WARNING"):
        for _ in range(4):
            house.flip(stream)
    assert Stream.objects.get(pk=stream).changed_seq == 9
    assert sum("live_store_away" in record.getMessage() for record in caplog.records) <= 1


def test_redis_back_the_next_change_is_sent_again(house, valkey, client_of_redis, monkeypatch):
    monkeypatch.setattr(storing, "REST", (0.0, 0.0))
    stream = house.lamp(1)
    valkey.stop()
    house.flip(stream)
    assert not store().breaker.closed or store().breaker._until
    valkey.start()
    seq = house.press(stream, watts=60)
    assert found(client_of_redis, house, stream).seq == seq


def test_a_redis_that_hangs_holds_a_tap_up_for_a_moment_only(house, valkey):
    stream = house.lamp(1)
    house.flip(stream)
    os.kill(valkey.process.pid, 19)
    try:
        begin = time.monotonic()
        for _ in range(5):
            house.flip(stream)
        assert time.monotonic() - begin < 3 * storing.TIMEOUT + 1
    finally:
        os.kill(valkey.process.pid, 18)


def test_many_threads_share_a_bounded_number_of_connections(house, client_of_redis, monkeypatch):
    monkeypatch.setattr(storing, "TIMEOUT", 20)  # a busy machine must not open the breaker
    storing._store.cache_clear()
    tiles = [wire.Tile(f"lamp:{number}", 1, "x" * 1500) for number in range(1000)]
    store().close()
    threads = threading.active_count()
    with ThreadPoolExecutor(40) as pool:
        list(pool.map(lambda tile: store().publish([(key(house), house.topic, 1, tile)]), tiles))
    assert client_of_redis.hlen(key(house)) == 1000
    assert client_of_redis.info("clients")["connected_clients"] <= storing.CONNECTIONS + 2
    assert threading.active_count() == threads


def test_a_child_process_makes_connections_of_its_own(house, client_of_redis):
    store().publish([(key(house), house.topic, 1, wire.Tile("lamp:1", 1, ""))])
    child = os.fork()
    if child == 0:
        for seq in range(2, 50):
            store().publish([(key(house), house.topic, 1, wire.Tile("lamp:1", seq, "child"))])
        os._exit(0)
    for seq in range(2, 50):
        store().publish([(key(house), house.topic, 1, wire.Tile("lamp:2", seq, "parent"))])
    assert os.waitpid(child, 0)[1] == 0
    assert found(client_of_redis, house, "lamp:1").seq == 49
    assert found(client_of_redis, house, "lamp:2").seq == 49


def test_the_breaker_lets_one_try_after_a_rest_that_grows_to_its_bound():
    breaker = Breaker()
    assert breaker.lets(0.0)
    assert breaker.failed(0.0)
    assert not breaker.lets(0.9)
    assert breaker.lets(1.0)
    assert not breaker.lets(1.0)
    assert not breaker.failed(1.1)
    assert not breaker.lets(3.0)
    for _ in range(9):
        breaker.failed(10.0)
    assert breaker.lets(15.0)
    assert breaker.succeeded()
    assert not breaker.succeeded()
    assert breaker.lets(15.0)


def test_heads_of_many_topics_take_one_query(house, django_assert_num_queries):
    one, two = house.lamp(1), house.lamp(2, pit=1)
    topics = [*(pit.topic for pit in house.pits), f"property:{house.place.pk}", "pit:0"]
    with django_assert_num_queries(1):
        found = heads.read(topics)
    assert found == {topics[0]: {one: 1}, topics[1]: {two: 1}, topics[2]: {one: 1, two: 1}, "pit:0": {}}


def test_a_part_that_cannot_tell_its_health_stops_no_beat(house):
    def broken(now):
        raise ZeroDivisionError

    registry.register_health("broken", broken)
    registry.register_health("gateways", lambda now: [{"name": "G1", "ok": True}])
    try:
        beat = heads.beats([house.topic], now=clock.now(), redis=True)[house.topic]
    finally:
        registry.forget_health("broken")
        registry.forget_health("gateways")
    assert beat.health["broken"] is None
    assert beat.health["gateways"] == [{"name": "G1", "ok": True}]


@pytest.fixture
def signed_in(house):
    def of(staff):
        return Client(headers={"cookie": cookie_of(staff), "accept": "application/json"})

    return of


def test_the_heads_over_http_are_a_beat(house, signed_in, floorperson):
    stream = house.lamp(1)
    for address in (f"/live/pits/{house.pits[0].pk}/heads", f"/live/properties/{house.place.pk}/heads"):
        answer = signed_in(floorperson).get(address)
        assert answer.status_code == 200
        assert answer.json()["heads"] == {stream: 1}
        assert answer["Cache-Control"].startswith("max-age=0")


def test_missed_tiles_come_over_http_as_the_socket_would_bring_them(house, signed_in, floorperson):
    one, two = house.lamp(1), house.lamp(2)
    answer = signed_in(floorperson).get("/live/fragments", {"stream": [one, two, "lamp:0", "property:1"]})
    assert answer.json()["type"] == "tiles"
    assert {tile["stream"]: tile["seq"] for tile in answer.json()["tiles"]} == {one: 1, two: 1}


def test_tiles_of_another_property_are_left_out_and_its_heads_refused(house, signed_in):
    stream = house.lamp(1)
    other = make_staff(make_property("pa", "pa"), "table_games_shift_manager")
    assert signed_in(other).get("/live/fragments", {"stream": stream}).json()["tiles"] == []
    answer = signed_in(other).get(f"/live/pits/{house.pits[0].pk}/heads")
    assert answer.status_code == 403
    assert answer.json()["refused"]["code"] == "NO_RIGHT_HERE"


def test_an_installation_wide_administrator_reads_tiles_of_any_property(house, signed_in):
    stream = house.lamp(1)
    admin = make_staff(None, "administrator")
    assert len(signed_in(admin).get("/live/fragments", {"stream": stream}).json()["tiles"]) == 1


@pytest.mark.parametrize("streams", [[], ["lamp:1"] * (fragments.AT_ONCE + 1)])
def test_too_few_and_too_many_streams_are_refused(house, signed_in, floorperson, streams):
    answer = signed_in(floorperson).get("/live/fragments", {"stream": streams})
    assert answer.status_code == 422
    assert answer.json()["refused"]["code"] == "STREAMS_MISSING"


def test_nobody_signed_in_gets_401_and_no_page_to_swap_in(house, client):
    for address in (f"/live/pits/{house.pits[0].pk}/heads", "/live/fragments?stream=lamp:1"):
        assert client.get(address, headers={"accept": "application/json"}).status_code == 401


def test_only_reading_is_allowed(house, signed_in, floorperson):
    assert signed_in(floorperson).post("/live/fragments").status_code in (403, 405)


def test_no_such_pit_is_404(house, signed_in, floorperson):
    assert signed_in(floorperson).get("/live/pits/999999/heads").status_code == 404
