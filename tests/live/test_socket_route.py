"""Who may open a socket, and what becomes of the others."""

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session

from pit.live import access, origin
from pit.people.models import Staff, Token
from pit.web import clock
from tests.live.house import Listener, cookie_of, headers
from tests.people import make_property, make_staff

pytestmark = pytest.mark.django_db(transaction=True)
in_thread = sync_to_async


@pytest.fixture
def path(house):
    return f"/ws/pits/{house.pits[0].pk}/"


async def test_a_floorperson_hears_a_change_of_the_pit(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    stream = await in_thread(house.lamp)(1)
    beat = await listener.joined()
    assert beat["heads"] == {stream: 1}
    seq = await in_thread(house.press)(stream, watts=60)
    tile = await listener.tile(stream, seq)
    assert "lit, 60 W" in tile["tile"]
    assert "Switch it off" in tile["needs"]
    await listener.leave()


async def test_a_beat_tells_heads_time_build_and_health(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    beat = await listener.joined()
    assert set(beat) == {"type", "heads", "now", "build", "health"}
    assert beat["now"].endswith("Z")
    assert beat["build"]
    assert beat["health"]["redis"] is True
    assert beat["health"]["sweep"] == {"at": None, "ok": False}
    await listener.leave()


async def test_a_pit_does_not_hear_another_pit_but_the_property_hears_both(house, live, floorperson, path):
    cookie = await in_thread(cookie_of)(floorperson)
    mine = Listener(path, headers(cookie))
    desk = Listener(f"/ws/properties/{house.place.pk}/", headers(cookie))
    there = await in_thread(house.lamp)(2, pit=1)
    await mine.joined()
    assert (await desk.joined())["heads"] == {there: 1}
    seq = await in_thread(house.press)(there, watts=10)
    await desk.tile(there, seq)
    assert await mine.quiet()
    await mine.leave()
    await desk.leave()


@pytest.mark.parametrize(
    "role", ["commission_staff", "surveillance", "compliance", "table_games_shift_manager"]
)
async def test_whoever_reads_the_property_may_listen(house, live, path, role):
    staff = await in_thread(make_staff)(house.place, role)
    listener = Listener(path, headers(await in_thread(cookie_of)(staff)))
    await listener.joined()
    await listener.leave()


async def test_nobody_signed_in_is_closed_with_4401(house, live, path):
    listener = Listener(path, headers("sessionid=unknown"))
    assert (await listener.open())[0]
    assert await listener.code() == 4401


async def test_a_session_without_cookie_is_closed_with_4401(house, live, path):
    listener = Listener(path, headers())
    assert (await listener.open())[0]
    assert await listener.code() == 4401


@pytest.mark.parametrize("kind", ["pits", "properties"])
async def test_a_person_of_another_property_is_closed_with_4403(house, live, kind):
    other = await in_thread(make_property)("pa", "pa")
    staff = await in_thread(make_staff)(other, "table_games_shift_manager")
    pk = house.pits[0].pk if kind == "pits" else house.place.pk
    listener = Listener(f"/ws/{kind}/{pk}/", headers(await in_thread(cookie_of)(staff)))
    assert (await listener.open())[0]
    assert await listener.code() == 4403


async def test_a_pit_that_is_not_there_is_closed_with_4403(house, live, floorperson):
    listener = Listener("/ws/pits/999999/", headers(await in_thread(cookie_of)(floorperson)))
    assert (await listener.open())[0]
    assert await listener.code() == 4403


async def test_a_page_of_another_site_is_refused_before_the_handshake(house, live, floorperson, path):
    sent = headers(await in_thread(cookie_of)(floorperson), origin=b"http://evil.example")
    assert await Listener(path, sent).open() == (False, 4403)


async def test_a_cookie_without_origin_is_refused(house, live, floorperson, path):
    sent = headers(await in_thread(cookie_of)(floorperson), origin=None)
    assert (await Listener(path, sent).open())[0] is False


async def test_a_program_listens_by_token(house, live, floorperson, path):
    _, text = await in_thread(Token.issue)(floorperson, label="wall", now=clock.now())
    listener = Listener(path, headers(origin=None, token=f"Bearer {text}"))
    await listener.joined()
    await listener.leave()


async def test_an_unknown_token_is_closed_with_4401(house, live, path):
    listener = Listener(path, headers(origin=None, token="Bearer pit_unknown"))
    assert (await listener.open())[0]
    assert await listener.code() == 4401


@pytest.mark.parametrize("unknown", ["/ws/", "/", "/ws/pits/x/", "/ws/pits/1", "/ws/tables/1/"])
async def test_an_unknown_path_closes_cleanly(house, live, unknown):
    assert await Listener(unknown, headers()).open() == (False, 4404)


async def test_a_logout_closes_the_socket_with_4401_at_the_next_beat(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    await Session.objects.all().adelete()
    await live.beats.round()
    assert await listener.code() == 4401
    assert live.hub.sockets() == []


async def test_a_new_password_closes_the_socket_with_4401(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    await Staff.objects.filter(pk=floorperson.pk).aupdate(password="another")
    await live.beats.round()
    assert await listener.code() == 4401


async def test_lost_rights_close_the_socket_with_4403_at_the_next_beat(house, live, floorperson, path):
    elsewhere = await in_thread(make_property)("nj", "nj")
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    await Staff.objects.filter(pk=floorperson.pk).aupdate(property=elsewhere)
    await live.beats.round()
    assert await listener.code() == 4403


async def test_a_ping_is_answered_with_a_beat(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    await listener.socket.send_to('{"type":"ping"}')
    await listener.next("beat")
    await listener.leave()


@pytest.mark.parametrize(
    ("text", "times", "code"), [("x" * 65, 1, 1009), ('{"type":"ping"}', 11, 1008), ("?", 11, 1008)]
)
async def test_what_a_browser_may_send_is_bounded(house, live, floorperson, path, text, times, code):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    for _ in range(times):
        await listener.socket.send_to(text)
    assert await listener.code() == code


async def test_a_command_over_the_socket_is_passed_over(house, live, floorperson, path):
    listener = Listener(path, headers(await in_thread(cookie_of)(floorperson)))
    await listener.joined()
    await listener.socket.send_to('{"type":"RecordSpread"}')
    assert await listener.quiet()
    await listener.leave()


def test_the_checks_of_many_sockets_take_three_queries(house, django_assert_max_num_queries):
    people = [make_staff(house.place, "floorperson", badge=f"{number}") for number in range(900, 920)]
    cookies = [cookie_of(one).partition("=")[2] for one in people]
    asks = [access.Ask(cookie, "", pit.topic) for cookie in cookies for pit in house.pits]
    with django_assert_max_num_queries(3):
        verdicts = access.verdicts(asks, now=clock.now())
    assert set(verdicts.values()) == {access.Verdict.MAY}
    assert len(verdicts) == 40


@pytest.mark.parametrize(
    ("host", "from_page", "allowed"),
    [
        (b"localhost:8000", b"http://localhost:8000", True),
        (b"localhost:8000", b"http://localhost:8001", False),
        (b"localhost:8000", b"https://localhost:8000", True),
        (b"localhost", b"null", False),
        (b"evil.example", b"http://evil.example", False),
        (b"localhost", b"https://desk.example", True),
        (b"", b"http://localhost", False),
    ],
)
def test_only_pages_of_this_site_may_open_a_socket(settings, host, from_page, allowed):
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://desk.example"]
    assert origin.allowed([(b"host", host), (b"origin", from_page)]) is allowed


@pytest.mark.parametrize("topic", [f"pit:{10**30}", f"property:{10**30}", f"pit:{2**63}"])
def test_a_number_that_no_row_can_have_is_nobodys_and_fails_nobody_else(topic):
    place = make_property()
    everywhere = make_staff(None, "administrator")
    cookie = cookie_of(everywhere)
    asks = access.ask_of({"headers": headers(cookie)}, topic)
    other = access.ask_of({"headers": headers(cookie)}, f"property:{place.pk}")
    found = access.verdicts([asks, other], now=clock.now())
    assert found == {asks: access.Verdict.NO_RIGHT, other: access.Verdict.MAY}


def test_an_origin_that_is_none_is_not_ours():
    assert not origin.allowed([(b"host", b"localhost"), (b"origin", b"http://[evil")])
