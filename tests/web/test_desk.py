"""The desks: inbox, the past minute of a table, remarks, and exports that verify on a machine without this software."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from pit.notices.models import Numbered
from pit.record.models import Event
from tables import moment
from tables.domain import commands as ask
from tests.notice import make_house
from tests.people import make_staff
from tests.pit import DEALER, does, opened

pytestmark = pytest.mark.django_db(transaction=True)
VERIFY = Path(__file__).parents[2] / "deploy" / "verify.py"


@pytest.fixture
def house(db, clock):
    return make_house()


def signed_in(staff):
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def commission(house):
    return signed_in(house.commission)


@pytest.fixture
def eyes(house):
    return signed_in(house.surveillance)


def verified(folder, content, name="export.json"):
    """As somebody does it elsewhere: an isolated Python, an empty folder, the one file beside it."""
    (folder / name).write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(VERIFY), name],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("role", ["commission", "surveillance"])
def test_the_desk_is_where_they_begin_and_shows_what_is_to_be_acknowledged(house, role):
    house.issued()
    client = signed_in(getattr(house, role))
    assert client.get("/").url == "/desk/"
    page = client.get("/desk/").content.decode()
    assert "Notice N-0001: Pay table, blackjack pays: 3:2 → 6:5" in page
    assert "both notified" in page
    waiting = getattr(house, role).deliveries.get()
    assert client.post(f"/inbox/{waiting.pk}/acknowledge", {"back": "/desk/"}).url == "/desk/"
    assert "Everything is acknowledged" in client.get("/desk/").content.decode()


def test_a_table_at_a_past_minute_shows_state_terms_and_people(house, commission, clock):
    make_staff(house.place, "floorperson", pits=(1,))
    opened(house.table)
    house.issued()
    clock.forward(hours=2)
    house.switch()
    page = commission.get("/desk/moment/", {"table": "bj-01", "at": "2026-03-04T13:30"}).content.decode()
    assert "3:2" in page
    assert "floorperson" in page
    assert "on duty in the pit" in page
    later = commission.get("/desk/moment/", {"table": "BJ-01", "at": "2026-03-04T15:00:00"}).content.decode()
    assert "notice N-0001" in later
    assert moment.at(house.table, clock.now()).terms[-1] == ("procedure", "deal_mode", "shoe")


def test_the_past_minute_is_what_was_known_then_and_later_entries_stand_apart(house, clock):
    opened(house.table)
    half = clock.now() + timedelta(minutes=10)
    clock.forward(minutes=20)
    from pit.record import door
    from tests.pit import FLOOR

    answer = door.submit(
        ask.PlayerArrives(seat=4), stream=house.table.stream, by=FLOOR, key="late", now=clock.now(), at=half
    )
    assert answer.refused is None
    then = moment.at(house.table, half)
    assert (len(then.state.players), len(then.later)) == (0, 1)
    assert then.later[0].words == "Player sat down at seat 4"
    assert len(moment.at(house.table, clock.now()).state.players) == 1
    assert moment.at(house.table, clock.now() - timedelta(days=9)).seq == 0


@pytest.mark.parametrize("at", ["", "nonsense", "2026-03-08T02:30", "2030-01-01T00:00"])
def test_a_minute_that_cannot_be_shown_says_why(commission, at):
    page = commission.get("/desk/moment/", {"table": "BJ-01", "at": at})
    assert page.status_code in (200, 422)
    assert "In force then" not in page.content.decode()


def test_surveillance_remarks_on_an_entry_which_stays_as_it_is(house, eyes, commission):
    entry = Event.objects.get(stream=house.table.stream, seq=2)
    told = {
        "key": "r1",
        "stream": house.table.stream,
        "seq": "2",
        "text": "Dealer paused here.",
        "back": "/desk/",
    }
    assert eyes.post("/desk/remarks", told).status_code == 302
    assert eyes.post("/desk/remarks", told).status_code == 302
    assert Event.objects.filter(kind="Remarked").count() == 1
    assert Event.objects.get(stream=house.table.stream, seq=2).hash == entry.hash
    assert "Dealer paused here." in commission.get("/desk/").content.decode()
    assert commission.post("/desk/remarks", told | {"key": "r2"}).status_code == 403
    assert eyes.post("/desk/remarks", told | {"key": "r3", "text": " "}).status_code == 422
    assert eyes.post("/desk/remarks", told | {"key": "r4", "seq": "999"}).status_code == 404
    assert eyes.post("/desk/remarks", told | {"key": "r5", "back": "//evil"}).url == "/desk/"


def test_nothing_at_a_desk_alters_a_table(house, commission, eyes):
    for client in (commission, eyes):
        page = client.post(f"/tables/{house.table.pk}/ReceiveCards", {"set_id": "X", "key": str(id(client))})
        assert page.status_code == 403


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_an_export_verifies_elsewhere_and_with_one_byte_changed_does_not(house, commission, tmp_path, kind):
    opened(house.table)
    page = commission.post(f"/record/export.{kind}", {"table": "BJ-01"})
    assert page["Content-Disposition"] == f'attachment; filename="E-0001.{kind}"'
    code, said = verified(tmp_path, page.content, f"export.{kind}")
    assert (code, "HOLDS" in said) == (0, True), said
    dice = random.Random(5)
    for _ in range(25):
        at = dice.randrange(len(page.content))
        changed = bytearray(page.content)
        changed[at] ^= 1
        code, said = verified(tmp_path, bytes(changed), f"export.{kind}")
        assert (code, "DOES NOT HOLD" in said) == (1, True), (at, said)


def test_who_makes_the_digest_anew_still_breaks_the_chain(house, commission, tmp_path):
    import hashlib

    opened(house.table)
    content = commission.post("/record/export.json", {"table": "BJ-01"}).content
    body = content.rpartition(b',"digest":"')[0]
    for changed in (body.replace(b"CS-1", b"CS-2"), body.replace(b'"late":false', b'"late":true', 1)):
        forged = changed + b',"digest":"' + hashlib.sha256(changed).hexdigest().encode() + b'"}\n'
        code, said = verified(tmp_path, forged)
        assert (code, "was changed" in said) == (1, True)
    lines = body.split(b"\n")
    without = b"\n".join([*lines[:3], *lines[4:]])
    forged = without + b',"digest":"' + hashlib.sha256(without).hexdigest().encode() + b'"}\n'
    assert "does not follow" in verified(tmp_path, forged)[1]


def test_an_export_is_numbered_and_an_entry_with_its_digest(house, commission):
    content = commission.post("/record/export.json", {"table": "BJ-01", "since": "2026-03-03T00:00"}).content
    told = json.loads(content)
    entry = json.loads(Event.objects.get(kind="Exported").data)
    assert (entry["number"], entry["digest"]) == ("E-0001", told["digest"])
    assert told["selection"] == {"table": "BJ-01", "since": "2026-03-03T00:00"}
    assert Numbered.objects.get(kind="export").number == "E-0001"
    assert told["heads"][house.table.stream]["seq"] == Event.objects.filter(stream=house.table.stream).count()


def test_what_lies_between_comes_along_and_is_marked(house, commission):
    opened(house.table)
    told = json.loads(commission.post("/record/export.json", {"table": "BJ-01", "who": "Dealer"}).content)
    assert {one["selected"] for one in told["entries"]} == {True, False} or all(
        one["selected"] for one in told["entries"]
    )
    seqs = [one["seq"] for one in told["entries"]]
    assert seqs == list(range(seqs[0], seqs[-1] + 1))


def test_a_pdf_export_names_the_digest_of_the_same_selection(house, commission):
    page = commission.post("/record/export.pdf", {"table": "BJ-01"})
    assert (page["Content-Type"], page.content[:5]) == ("application/pdf", b"%PDF-")


def test_too_much_or_nothing_is_no_export(house, commission, monkeypatch):
    from tables import exports

    assert commission.post("/record/export.json", {"table": "NOPE"}).status_code == 422
    monkeypatch.setattr(exports, "MOST", 1)
    assert commission.post("/record/export.json", {"table": "BJ-01"}).status_code == 422
    assert not Numbered.objects.filter(kind="export").exists()
    assert commission.post("/record/export.exe", {"table": "BJ-01"}).status_code == 403


def test_who_acts_on_tables_alone_takes_nothing_along(house):
    client = signed_in(make_staff(house.place, "floorperson", pits=(1,)))
    assert client.post("/record/export.json", {"table": "BJ-01"}).status_code == 403


def test_the_verifier_can_be_taken_along(commission):
    page = commission.get("/record/verify.py")
    assert page.content == VERIFY.read_bytes()


def test_the_lines_of_export_record_verify_too(house, tmp_path, capsys):
    from django.core.management import call_command

    call_command("export_record", house.table.stream)
    code, said = verified(tmp_path, capsys.readouterr().out.encode(), "lines.jsonl")
    assert (code, "HOLDS" in said) == (0, True)


def test_the_record_is_found_by_kind_and_by_the_stream_of_a_change(house, commission):
    change = house.issued()
    page = commission.get("/record/", {"stream": change.stream}).content.decode()
    assert "Notice N-0001 issued" in page
    assert "Commission staff notified" in page
    does(house.table, ask.ReceiveCards(set_id="CS-9"), by=DEALER)
    assert "Card set CS-9 received" in commission.get("/record/", {"kind": "CardsReceived"}).content.decode()
