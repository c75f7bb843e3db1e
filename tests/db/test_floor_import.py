"""Floor files: problems with line and field, all at once; everything or nothing; a second import changes what changed."""

from datetime import UTC, datetime
from io import StringIO

import pytest
from django.contrib.auth.hashers import make_password
from django.core.management import CommandError, call_command

from pit.floor import door
from pit.floor.articles import registered
from pit.floor.imports import import_floor
from pit.floor.models import Article, Pit, Property
from pit.floor.source import FloorFile, Free, locate
from pit.people.models import Duty, Staff
from pit.record.models import Event

NOW = datetime(2026, 3, 4, 18, tzinfo=UTC)
HASH = make_password("2580")

FILE = f"""\
[property]
key = "river"
name = "River House"
jurisdiction = "ny"
zone = "America/New_York"

[readings]
"A-04" = "far_right"

[house]
idle_reminder_minutes = 10

[[pit]]
number = 1

[[pit]]
number = 2
name = "High limit"

[[staff]]
badge = "214"
name = "Ada Long"
role = "floorperson"
username = "ada"
password_hash = "{HASH}"
pin_hash = "{HASH}"
pits = [1]

[[staff]]
badge = "881"
name = "Ben Short"
role = "dealer"
pin_hash = "{HASH}"
"""

pytestmark = pytest.mark.django_db


def run(text=FILE, **options):
    return import_floor(text, now=NOW, **options)


def problems(text, **options):
    return [(one.line, one.field) for one in run(text, **options).problems]


def told(text, **options):
    return " | ".join(map(str, run(text, **options).problems))


def signs(result):
    return [change.sign for change in result.changes]


def line_of(part, text=FILE):
    return next(number for number, line in enumerate(text.splitlines(), start=1) if part in line)


def test_a_file_becomes_a_house():
    assert not run().problems
    place = Property.objects.get(key="river")
    assert (place.jurisdiction, place.house, place.readings) == (
        "ny",
        {"idle_reminder_minutes": 10},
        {"A-04": "far_right"},
    )
    assert [pit.name for pit in place.pits.all()] == ["Pit 1", "High limit"]
    ada = Staff.objects.get(username="ada")
    assert ada.check_password("2580")
    assert ada.may_sign_in
    assert ada.duties.get().pit.number == 1
    assert Staff.objects.get(badge="881").username is None


def test_the_house_stands_in_the_record_too():
    run()
    state = door.state(Property.objects.get())
    assert (state.name, state.house) == ("River House", {"idle_reminder_minutes": 10})


def test_a_second_import_changes_nothing():
    run()
    entries = Event.objects.count()
    again = run()
    assert set(signs(again)) == {"="}
    assert Event.objects.count() == entries


def test_a_second_import_changes_only_what_changed():
    run()
    ben = Staff.objects.get(badge="881")
    text = (
        FILE.replace("High limit", "High roller").replace("= 10", "= 12").replace("Ben Short", "Ben Shorter")
    )
    result = run(text)
    assert [str(change) for change in result.changes if change.sign != "="] == [
        "~ house setting idle_reminder_minutes  (10 → 12)",
        "~ pit 2  (name High limit → High roller)",
        "~ dealer Ben Shorter, badge 881  (name Ben Short → Ben Shorter)",
    ]
    ben.refresh_from_db()
    assert ben.name == "Ben Shorter"
    assert ben.check_pin("2580")


def test_check_shows_the_plan_and_does_nothing():
    result = run(check=True)
    assert set(signs(result)) == {"+"}
    assert not Property.objects.exists()
    assert not Staff.objects.exists()
    assert not Event.objects.exists()


def test_one_problem_and_nothing_is_imported():
    assert problems(FILE.replace('"dealer"', '"dealr"'))
    assert not Property.objects.exists()
    assert not Pit.objects.exists()
    assert not Event.objects.exists()


def test_a_problem_in_a_second_import_leaves_the_first_as_it_was():
    run()
    text = FILE.replace("High limit", "High roller").replace('"dealer"', '"dealr"')
    assert problems(text)
    assert Pit.objects.get(number=2).name == "High limit"


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('key = "river"', 'key = "river"\ncolour = "red"', "property.colour"),
        ('key = "river"\n', "", "property.key"),
        ('zone = "America/New_York"', 'zone = "America/Newyork"', "property.zone"),
        ('jurisdiction = "ny"', 'jurisdiction = "xx"', "property.jurisdiction"),
        ('jurisdiction = "ny"', "jurisdiction = 7", "property.jurisdiction"),
        ('"A-04" = "far_right"', '"A-04" = "left"', "readings.A-04"),
        ('"A-04" = "far_right"', '"A-99" = "left"', "readings.A-99"),
        ("idle_reminder_minutes = 10", 'idle_reminder_minutes = "ten"', "house.idle_reminder_minutes"),
        ("idle_reminder_minutes = 10", "idle_reminder_minuts = 10", "house.idle_reminder_minuts"),
        ("number = 2", "number = 1", "pit.number"),
        ("number = 2", 'number = "2"', "pit.number"),
        ("number = 2", "number = 0", "pit.number"),
        ('role = "dealer"', 'role = "dealr"', "staff.role"),
        ('role = "dealer"', 'role = "dealer"\nusername = "ben"', "staff.username"),
        ('username = "ada"\n', "", "staff.username"),
        ('badge = "881"', 'badge = "214"', "staff.badge"),
        ('badge = "881"', 'badge = ""', "staff.badge"),
        ("pits = [1]", "pits = [9]", "staff.pits"),
        ("pits = [1]", "pits = 1", "staff.pits"),
        (f'pin_hash = "{HASH}"\npits', 'pin_hash = "2580"\npits', "staff.pin_hash"),
        (f'pin_hash = "{HASH}"\npits', 'pin = "2580"\npits', "staff.pin"),
        (f'pin_hash = "{HASH}"\npits', 'pin_env = "NO_SUCH"\npits', "staff.pin_env"),
        (f'password_hash = "{HASH}"', 'password = "a long plain password"', "staff.password"),
        (f'password_hash = "{HASH}"', f'password_hash = "{HASH}"\npassword_env = "X"', "staff.password"),
        ("[[pit]]\nnumber = 2", "[[pitt]]\nnumber = 2", "pitt"),
        ("[house]", "[[house]]", "house"),
    ],
)  # fmt: skip
def test_a_problem_names_its_line_and_field(old, new, field):
    text = FILE.replace(old, new, 1) if "dealer" not in old else FILE.replace(old, new)
    found = problems(text)
    assert field in [name for _, name in found]
    line = {name: line for line, name in found}[field]
    key = field.rpartition(".")[2]
    assert key in text.splitlines()[line - 1] or text.splitlines()[line - 1].startswith("[")


def test_all_problems_are_told_at_once_and_in_order():
    text = (
        FILE.replace('"dealer"', '"dealr"')
        .replace("= 10", '= "ten"')
        .replace("[[pit]]\nnumber = 2", "[[pit]]\nno = 2")
    )
    assert problems(text) == [
        (line_of("idle_reminder", text), "house.idle_reminder_minutes"),
        (line_of("no = 2", text) - 1, "pit.number"),
        (line_of("no = 2", text), "pit.no"),
        (line_of("dealr", text), "staff.role"),
    ]


def test_what_is_no_toml_is_told_with_its_line():
    assert problems(FILE.replace('role = "dealer"', "role = dealer")) == [(line_of('"dealer"'), "(TOML)")]


def test_a_file_without_property_is_nobodys_floor():
    assert problems("[[pit]]\nnumber = 1\n") == [(1, "property")]


def test_plain_secrets_are_for_the_demo_alone():
    text = FILE.replace(f'pin_hash = "{HASH}"', 'pin = "2580"')
    assert "stands here in plain" in told(text)
    assert not run(text, demo=True).problems
    assert Staff.objects.get(badge="881").demo


def test_secrets_come_from_the_environment(monkeypatch):
    text = FILE.replace(f'password_hash = "{HASH}"', 'password_env = "ADA_PASSWORD"')
    monkeypatch.setenv("ADA_PASSWORD", "short")
    assert "too short" in told(text)
    monkeypatch.setenv("ADA_PASSWORD", "a long enough secret")
    assert not run(text).problems
    assert Staff.objects.get(username="ada").check_password("a long enough secret")
    assert set(signs(run(text))) == {"="}
    monkeypatch.setenv("ADA_PASSWORD", "another long secret")
    assert [change.detail for change in run(text).changes if change.sign == "~"] == ["new password"]
    assert Staff.objects.get(username="ada").check_password("another long secret")


def test_no_problem_repeats_a_secret():
    text = FILE.replace(f'password_hash = "{HASH}"', 'password = "top secret words"')
    assert "top secret" not in told(text)


def test_the_standing_duty_follows_the_file():
    run()
    run(FILE.replace("pits = [1]", "pits = [2]"))
    assert [duty.pit.number for duty in Duty.objects.all()] == [2]


def test_a_property_keeps_its_jurisdiction():
    run()
    assert "JURISDICTION_FIXED" in told(FILE.replace('jurisdiction = "ny"', 'jurisdiction = "pa"'))


def test_a_user_name_belongs_to_one_person_in_all_properties():
    run()
    other = FILE.replace('"river"', '"lake"')
    assert "somebody else has this user name" in told(other)


ARTICLES = """
[[card_set]]
number = "CS-1"
decks = 12
backs = ["red", "blue"]

[[dice]]
number = "DL-1"
dice = 3

[[shaker]]
number = "SK-1"
bears_name = true
opaque = true
"""


def test_card_sets_dice_and_shakers_are_registered():
    run(FILE + ARTICLES)
    place = Property.objects.get()
    assert Article.objects.count() == 3
    assert registered(place, "card_set")[0].details == {"decks": 12, "backs": ["red", "blue"], "seal": ""}
    assert [one.number for one in registered(place, "dice") + registered(place, "shaker")] == ["DL-1", "SK-1"]
    assert set(signs(run(FILE + ARTICLES))) == {"="}
    again = run((FILE + ARTICLES).replace("decks = 12", "decks = 16"))
    assert [str(change) for change in again.changes if change.sign != "="] == ["~ card set CS-1"]


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ("dice = 3", 'dice = "3"', "dice.dice"),
        ("bears_name = true\n", "", "shaker.bears_name"),
        ('number = "DL-1"', 'number = ""', "dice.number"),
        ("[[dice]]", '[[dice]]\nnumber = "DL-1"\ndice = 5\n[[dice]]', "dice.number"),
    ],
)
def test_a_wrong_article_names_its_field(old, new, field):
    assert field in [name for _, name in problems(FILE + ARTICLES.replace(old, new))]


def test_lines_are_found_past_comments_arrays_and_brackets_in_text():
    text = '[a]\n# x = 1\nlist = [\n  "[b]",  # ]\n  "x = 1",\n]\n"quoted key" = "[["\n\n[[b]]\nx = 1\n[[b]]\nx = 2\n'
    found = locate(text)
    assert found["a", 0] == {"": 1, "list": 3, "quoted key": 7}
    assert (found["b", 0]["x"], found["b", 1]["x"]) == (10, 12)


def test_a_free_section_takes_any_key():
    file = FloorFile("[house]\nanything = 1\n")
    assert file.rows("house", Free, many=False)[0].data.values == {"anything": 1}


def test_the_command_prints_the_plan(tmp_path):
    path = tmp_path / "floor.toml"
    path.write_text(FILE)
    out = StringIO()
    call_command("import_floor", path, "--check", stdout=out)
    assert "+ pit 2" in out.getvalue()
    assert "7 would be new" in out.getvalue()
    assert not Property.objects.exists()


def test_the_command_names_file_and_line_and_leaves_with_an_error(tmp_path):
    path = tmp_path / "floor.toml"
    path.write_text(FILE.replace('"dealer"', '"dealr"'))
    err = StringIO()
    with pytest.raises(CommandError, match="nothing was imported"):
        call_command("import_floor", path, stderr=err)
    assert f"{path}: line {line_of('dealer')}: staff.role" in err.getvalue()


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(CommandError, match=r"nothing\.toml"):
        call_command("import_floor", tmp_path / "nothing.toml")


BAD = {
    "a huge number": (("number = 1\n", f"number = {10**30}\n"), "pit.number"),
    "a number beyond every pit": (("number = 1\n", "number = 70000\n"), "pit.number"),
    "a NUL": (('"River House"', '"a\\u0000"'), "property.name"),
    "a name too long": (('"Ada Long"', f'"{"A" * 121}"'), "staff.name"),
    "a user name too long": (('"ada"', f'"{"a" * 61}"'), "staff.username"),
    "a pit's name too long": (('"High limit"', f'"{"H" * 61}"'), "pit.name"),
    "no key": (('"river"', '""'), "property.key"),
    "a key of blanks": (('"river"', '"a b"'), "property.key"),
    "no such zone": (('"America/New_York"', '"../../etc/passwd"'), "property.zone"),
    "no such jurisdiction": (('"ny"', '"../ny"'), "property.jurisdiction"),
    "a setting of no size": (
        ("= 10\n", "= 10\ndice_warning_minutes = [999999999999]\n"),
        "house.dice_warning_minutes",
    ),
    "a setting beyond the clock": (
        ("= 10\n", "= 10\ndice_warning_minutes = [9999999]\n"),
        "house.dice_warning_minutes",
    ),
    "a list without end": (("[readings]", "x = " + "[" * 5000 + "]" * 5000 + "\n[readings]"), "(TOML)"),
    "a number of 5000 digits": (("number = 1\n", f"number = {'9' * 5000}\n"), "(TOML)"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_kept_is_told_with_its_field_and_nothing_is_imported(what):
    (was, now), field = BAD[what]
    assert was in FILE
    result = import_floor(FILE.replace(was, now, 1), now=NOW)
    assert field in {problem.field for problem in result.problems}
    assert not Property.objects.exists()


def test_a_bad_zone_is_the_only_problem_of_a_floor_with_tables():
    table = '[[table]]\npit = 1\nnumber = "BJ-01"\ngame = "blackjack"\nseats = 7\ndecks = 6\n'
    result = import_floor(FILE.replace("America/New_York", "Moon/Base") + table, now=NOW)
    assert [problem.field for problem in result.problems] == ["property.zone"]


def test_a_mark_that_an_editor_put_first_is_passed_over():
    assert not import_floor("\ufeff" + FILE, now=NOW).problems
