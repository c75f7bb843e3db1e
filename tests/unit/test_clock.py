from datetime import UTC, datetime, timedelta

from pit.web import clock as site_clock


def test_the_sites_clock_gives_utc_and_moves_only_when_moved(clock):
    assert site_clock.now() == datetime(2026, 3, 4, 18, tzinfo=UTC)
    assert site_clock.now().utcoffset() == timedelta(0)
    clock.forward(hours=24)
    assert site_clock.now() == datetime(2026, 3, 5, 18, tzinfo=UTC)
