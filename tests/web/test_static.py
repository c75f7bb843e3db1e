"""Static files as the site serves them. HEAD and a range are answered, what is unchanged is not sent again."""

import warnings

from django.contrib.staticfiles.storage import HashedFilesMixin
from django.test import AsyncClient, Client

from pit.web.static import HashedFiles

CSS = "/static/css/base.css"


def test_a_file_comes_whole_with_its_type():
    answer = Client().get(CSS)
    assert answer.status_code == 200
    assert answer["content-type"].startswith("text/css")
    assert int(answer["content-length"]) == len(answer.content) > 100


async def test_an_asynchronous_server_sends_it_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = await AsyncClient().get(CSS)
    assert answer.status_code == 200
    assert not answer.streaming


def test_a_file_that_the_browser_has_is_not_sent_again():
    first = Client().get(CSS)
    again = Client().get(CSS, headers={"if-none-match": first["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_head_request_gets_no_body():
    answer = Client().head(CSS)
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_modules_imports_follow_the_digest_and_those_of_packages_are_left_alone():
    kept = [pattern for pattern, _ in HashedFiles.patterns]
    assert "js/*.js" in kept
    assert len(kept) == len(HashedFilesMixin.patterns) + 1
