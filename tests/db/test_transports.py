"""What goes outside, against real servers: an SMTP server and an HTTP receiver that do whatever receivers do."""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
from datetime import time, timedelta

import pytest

from pit.outbox import escalate, fallback, send
from pit.outbox.bundles import MANY
from pit.outbox.deliver import deliver_all
from pit.outbox.models import Attempt, Channel, ClassSetting, Delivery, Message, Route, Status
from pit.record.contract import Message as Told
from tests.people import make_property, make_staff
from tests.receivers import http_receiver, smtp_server

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "a secret that both know"


@pytest.fixture
def place(db, clock):
    return make_property()


@pytest.fixture
def box(settings):
    with smtp_server() as box:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_IS_SET_UP, settings.EMAIL_HOST, settings.EMAIL_PORT = True, "127.0.0.1", box.port
        settings.EMAIL_TIMEOUT = 1
        yield box


@pytest.fixture
def hook(settings, monkeypatch):
    monkeypatch.setenv("HOOK_SECRET", SECRET)
    settings.WEBHOOK_HOSTS, settings.WEBHOOK_TIMEOUT = ["127.0.0.1"], 1
    with http_receiver() as hook:
        yield hook


def route(place, channel, address, **more):
    given = {"group": "commission_staff", "name": "Office", "channel": channel, "address": address}
    return Route.objects.create(property=place, **given | more)


def by_mail(place, address="office@example.test", **more):
    return route(place, Channel.EMAIL, address, **more)


def by_hook(place, hook, **more):
    return route(place, Channel.WEBHOOK, hook.url, **{"secret_env": "HOOK_SECRET"} | more)


def post(place, now, notification="unsuitable_card", to=("commission_staff",), subject="Card unsuitable"):
    told = Told(
        notification=notification, to=to, subject=subject, body="Table BJ-01.\nA card is bent.", clause="NY-f"
    )
    (pk,) = Message.objects.post([told], stream="table:1", seq=7, property_id=place.pk, now=now)
    deliver_all(now)
    return Message.objects.get(pk=pk)


def outside(message=None):
    rows = Delivery.objects.exclude(route=None)
    return (rows.filter(message=message) if message else rows).get()


def outcomes(delivery):
    return list(
        Attempt.objects.filter(delivery=delivery).order_by("number").values_list("outcome", flat=True)
    )


def test_a_mail_is_plain_and_html_and_names_its_entry(place, clock, box):
    by_mail(place)
    post(place, clock.now())
    assert send.send_all(clock.now()) == 1
    (mail,) = box.mails
    found = outside()
    assert (found.status, found.sent_at, found.delivered_at) == (Status.SENT, clock.now(), None)
    assert (mail["Subject"], mail["To"], mail["Message-ID"]) == (
        "Card unsuitable", "office@example.test", f"<{found.message_id_header}>",
    )  # fmt: skip
    assert mail["X-Pitstand-Entry"] == "table:1 7"
    plain, html = mail.get_payload()
    assert (plain.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert "A card is bent." in plain.get_payload(decode=True).decode()
    assert "<p>Table BJ-01.<br>A card is bent.</p>" in html.get_payload(decode=True).decode()
    assert send.send_all(clock.now()) == 0


def test_many_mails_go_over_one_connection(place, clock, box):
    by_mail(place)
    for _ in range(5):
        post(place, clock.now())
    assert send.send_all(clock.now()) == 5
    assert (len(box.mails), box.sessions) == (5, 1)


def test_a_server_that_is_away_is_asked_again_later_and_later(place, clock, settings):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.EMAIL_IS_SET_UP, settings.EMAIL_HOST, settings.EMAIL_PORT = (
            True,
            "127.0.0.1",
            closed.getsockname()[1],
        )
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        by_mail(place)
        post(place, clock.now())
        waits = []
        for _ in range(4):
            send.send_all(clock.now())
            found = outside()
            assert (found.status, "Refused" in found.error) == (Status.PENDING, True)
            waits.append(found.next_try_at - clock.now())
            clock.to(found.next_try_at)
    assert waits == sorted(waits)
    assert timedelta(seconds=10) < waits[0] < waits[-1] < timedelta(minutes=4)
    assert outcomes(found) == ["temporary"] * 4


def test_a_server_that_comes_back_gets_it_under_the_same_id(place, clock, box):
    by_mail(place)
    post(place, clock.now())
    box.refuse_data = "451 later"
    send.send_all(clock.now())
    box.refuse_data = ""
    clock.forward(minutes=5)
    send.send_all(clock.now())
    (mail,) = box.mails
    assert (mail["Message-ID"], mail["X-Pitstand-Attempt"]) == (f"<{outside().message_id_header}>", "2")
    assert outcomes(outside()) == ["temporary", "sent"]


def test_a_server_that_hangs_is_left_at_the_time_out_and_asked_again(place, clock, box):
    by_mail(place)
    post(place, clock.now())
    box.hang = 3
    send.send_all(clock.now())
    assert (outside().status, outcomes(outside())) == (Status.PENDING, ["temporary"])


def test_an_address_that_does_not_exist_fails_for_good_and_the_others_go(place, clock, box):
    admin = make_staff(place, "administrator")
    by_mail(place, "nobody@example.test")
    by_mail(place, name="Second")
    box.answer = lambda address: "550 no such user" if address.startswith("nobody") else None
    post(place, clock.now())
    send.send_all(clock.now())
    assert box.recipients == ["office@example.test"]
    failed = Delivery.objects.get(address="nobody@example.test")
    assert (failed.status, failed.sent_at) == (Status.FAILED, None)
    assert "550" in failed.error
    assert {one.message.notification for one in admin.deliveries.all()} == {"not_sent"}


def test_a_full_mailbox_is_only_for_now(place, clock, box):
    by_mail(place)
    box.answer = lambda address: "452 mailbox full"
    post(place, clock.now())
    send.send_all(clock.now())
    assert (outside().status, outcomes(outside())) == (Status.PENDING, ["temporary"])


def test_accepted_and_then_bounced_is_not_delivered_and_goes_by_the_fallback(place, clock, box):
    by_mail(place)
    by_mail(place, "second@example.test", fallback=True)
    post(place, clock.now())
    send.send_all(clock.now())
    header = box.mails[0]["Message-ID"]
    assert fallback.bounced(header, why="mailbox unavailable", now=clock.now())
    assert fallback.bounced(header, why="again", now=clock.now()) is None
    assert fallback.bounced("<strange@example.test>", why="", now=clock.now()) is None
    first = Delivery.objects.get(address="office@example.test")
    assert (first.status, first.sent_at, first.error) == (
        Status.FAILED,
        clock.now(),
        "Came back: mailbox unavailable",
    )
    send.send_all(clock.now())
    assert box.recipients == ["office@example.test", "second@example.test"]


def test_without_a_mail_server_it_fails_and_says_what_is_missing(place, clock):
    by_mail(place)
    post(place, clock.now())
    send.send_all(clock.now())
    assert "PITSTAND_EMAIL_URL" in outside().error


def test_a_route_without_an_address_is_an_alarm(place, clock):
    by_mail(place, "")
    message = post(place, clock.now())
    assert outside(message).error == "Office has no address."
    assert Message.objects.filter(notification="nobody_to_tell").exists()


def test_a_webhook_is_signed_over_id_time_and_body(place, clock, hook):
    by_hook(place, hook)
    post(place, clock.now())
    send.send_all(clock.now())
    ((headers, body),) = hook.got
    found = outside()
    assert (found.status, found.delivered_at) == (Status.DELIVERED, clock.now())
    told = json.loads(body)
    assert (told["id"], told["notification"], told["stream"], told["seq"]) == (
        found.message_id_header, "unsuitable_card", "table:1", 7,
    )  # fmt: skip
    assert headers["Pitstand-Timestamp"] == str(int(clock.now().timestamp()))
    signed = f"{headers['Pitstand-Id']}.{headers['Pitstand-Timestamp']}.".encode() + body
    expected = hmac.new(SECRET.encode(), signed, hashlib.sha256).hexdigest()
    assert headers["Pitstand-Signature"] == f"v1={expected}"


def test_another_attempt_bears_a_new_time_and_the_same_id(place, clock, hook):
    by_hook(place, hook)
    post(place, clock.now())
    hook.status = 500
    send.send_all(clock.now())
    clock.forward(minutes=2)
    hook.status = 204
    send.send_all(clock.now())
    (first, _), (second, _) = hook.got
    assert first["Pitstand-Id"] == second["Pitstand-Id"]
    assert int(second["Pitstand-Timestamp"]) - int(first["Pitstand-Timestamp"]) == 120
    assert outcomes(outside()) == ["temporary", "delivered"]


@pytest.mark.parametrize("status", [302, 400, 404, 410])
def test_a_webhook_that_will_never_take_it_fails_for_good(place, clock, hook, status):
    hook.status, hook.headers = status, {"Location": f"{hook.url}/other"}
    by_hook(place, hook)
    post(place, clock.now())
    send.send_all(clock.now())
    assert (len(hook.got), outside().status) == (1, Status.FAILED)
    assert Route.objects.get().active == (status != 410)


def test_a_slow_webhook_is_left_at_the_time_out(place, clock, hook):
    hook.slow = 1.5
    by_hook(place, hook)
    post(place, clock.now())
    send.send_all(clock.now())
    assert (outside().status, "within 1 s" in outside().error) == (Status.PENDING, True)


def test_retry_after_is_obeyed(place, clock, hook):
    hook.status, hook.headers = 429, {"Retry-After": "1800"}
    by_hook(place, hook)
    post(place, clock.now())
    send.send_all(clock.now())
    assert outside().next_try_at >= clock.now() + timedelta(minutes=30)


def test_only_configured_hosts_are_asked_and_never_unsigned(place, clock, hook, settings):
    by_hook(place, hook, secret_env="NOT_THERE")
    post(place, clock.now())
    send.send_all(clock.now())
    assert "no secret" in outside().error
    settings.WEBHOOK_HOSTS = []
    post(place, clock.now())
    send.send_all(clock.now())
    assert "PITSTAND_WEBHOOK_HOSTS" in Delivery.objects.exclude(route=None).latest("pk").error
    assert hook.got == []


def test_a_worker_that_dies_leaves_it_uncertain_and_it_goes_again_with_the_same_id(place, clock, box):
    by_mail(place)
    post(place, clock.now())
    (lost,) = send.claim(clock.now())  # and the worker is gone, before or after it sent
    assert outside().status == Status.SENDING
    assert send.send_all(clock.forward(seconds=60)) == 0
    clock.forward(seconds=61)
    assert send.lapse(clock.now()) == 1
    assert outside().status == Status.UNCERTAIN
    assert send.send_all(clock.now()) == 1
    assert (outside().status, outcomes(outside())) == (Status.SENT, ["uncertain", "sent"])
    assert box.mails[0]["Message-ID"] == f"<{lost.message_id_header}>"


def test_a_worker_that_comes_back_from_the_dead_writes_nothing_over_another_s_work(place, clock, box):
    by_mail(place)
    post(place, clock.now())
    late = send.claim(clock.now())
    clock.forward(minutes=3)
    send.send_all(clock.now())
    send.send(late, now=clock.now())
    assert outcomes(outside()) == ["uncertain", "sent"]


def test_a_message_that_nobody_takes_is_given_up_after_its_attempts(place, clock, hook):
    hook.status = 503
    by_hook(place, hook)
    post(place, clock.now())
    for _ in range(send.MOST_ATTEMPTS):
        clock.to(outside().next_try_at)
        send.send_all(clock.now())
    assert (outside().status, outside().next_try_at) == (Status.FAILED, None)


def test_after_an_outage_old_messages_go_as_one_and_notices_as_themselves(place, clock, box):
    by_mail(place)
    for number in range(MANY + 1):
        post(place, clock.now(), notification="idle_reminder", subject=f"Table {number}")
    post(place, clock.now(), notification="change_notice", subject="Notice N-0001")
    clock.forward(minutes=30)
    assert send.send_all(clock.now()) == MANY + 2
    assert sorted(mail["Subject"] for mail in box.mails) == ["6 messages that were held up", "Notice N-0001"]
    assert set(Delivery.objects.exclude(route=None).values_list("status", flat=True)) == {Status.SENT}


def test_a_few_old_messages_go_each_as_itself(place, clock, box):
    by_mail(place)
    for _ in range(MANY):
        post(place, clock.now(), notification="idle_reminder")
    clock.forward(minutes=30)
    send.send_all(clock.now())
    assert len(box.mails) == MANY


def test_a_route_is_used_in_its_shift_also_over_midnight(place, clock, box):
    by_mail(place, "night@example.test", from_time=time(22), until_time=time(6))
    by_mail(place, "day@example.test", from_time=time(6), until_time=time(22), name="Day")
    post(place, clock.now())  # 13:00 in New York
    clock.forward(hours=10)
    post(place, clock.now())
    send.send_all(clock.now())
    assert box.recipients == ["day@example.test", "night@example.test"]


def test_nobody_takes_note_and_the_next_in_line_hears_of_it_once(place, clock, box):
    make_staff(place, "commission_staff")
    shift = make_staff(place, "table_games_shift_manager")
    by_mail(place, fallback=True)
    message = post(place, clock.now())
    assert not Delivery.objects.filter(channel="email").exists()
    assert escalate.escalate_all(clock.forward(minutes=9)) == 0
    assert escalate.escalate_all(clock.forward(minutes=1)) == 1
    assert escalate.escalate_all(clock.forward(minutes=1)) == 0
    assert [one.message.notification for one in shift.deliveries.all()] == ["not_acknowledged"]
    assert outside(message).channel == Channel.EMAIL


def test_taken_note_of_in_time_nobody_else_hears_of_it(place, clock):
    from pit.outbox import selectors

    staff = make_staff(place, "commission_staff")
    shift = make_staff(place, "table_games_shift_manager")
    post(place, clock.now())
    selectors.acknowledge(staff, selectors.inbox(staff).get().pk, now=clock.now())
    assert escalate.escalate_all(clock.forward(hours=1)) == 0
    assert not shift.deliveries.exists()


def test_a_house_sets_its_own_clock_and_further_recipients(place, clock):
    ClassSetting.objects.create(
        property=place,
        notification="unsuitable_card",
        acknowledge_minutes=3,
        also_to=["security"],
        escalate_to=["surveillance"],
    )
    make_staff(place, "commission_staff")
    eyes = make_staff(place, "surveillance")
    message = post(place, clock.now())
    assert message.deliveries.filter(group="security", status=Status.FAILED).exists()
    assert escalate.escalate_all(clock.forward(minutes=3)) == 1
    assert eyes.deliveries.get().message.notification == "not_acknowledged"


def test_what_was_not_sent_in_time_is_an_alarm(place, clock, hook):
    hook.status = 500
    by_hook(place, hook)
    admin = make_staff(place, "administrator")
    post(place, clock.now())
    send.send_all(clock.now())
    assert escalate.escalate_all(clock.forward(minutes=1)) == 1
    assert admin.deliveries.get().message.subject == "Not sent in time: Card unsuitable"


def test_a_subject_may_have_any_letters_and_no_line_of_its_own(place, clock, box):
    from email.header import decode_header, make_header

    by_mail(place)
    subject = "Notice N-0001: Auszahlung für Blackjack 3:2 → 6:5\r\nBcc: all@example.test " + "x" * 60
    post(place, clock.now(), subject=subject)
    send.send_all(clock.now())
    (mail,) = box.mails
    assert mail["Bcc"] is None
    assert str(make_header(decode_header(mail["Subject"]))) == " ".join(subject.split())


@pytest.mark.parametrize("address", ["no address", "a@b\r\nBcc: all@example.test", "ä@example.test"])
def test_an_address_that_no_mail_can_have_fails_for_good(place, clock, box, address):
    by_mail(place, address)
    post(place, clock.now())
    send.send_all(clock.now())
    assert (outside().status, box.mails) == (Status.FAILED, [])
