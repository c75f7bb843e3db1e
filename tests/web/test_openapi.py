"""The description of the JSON addresses follows the commands."""

from tables.domain.commands import COMMANDS


def test_every_command_is_described_with_its_fields(client):
    told = client.get("/api/openapi.json").json()
    assert told["openapi"].startswith("3.1")
    for name in COMMANDS:
        assert f"/tables/{{id}}/{name}" in told["paths"]
    post = told["paths"]["/tables/{id}/RecordCut"]["post"]
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    assert {"seat", "depth", "key", "seen", "at", "pin"} <= set(schema["properties"])
    assert {"200", "403", "404", "409", "422", "503"} == set(post["responses"])


def test_every_reference_is_there(client):
    told = client.get("/api/openapi.json").json()
    names = set(told["components"]["schemas"])

    def references(part):
        if isinstance(part, dict):
            if "$ref" in part:
                yield part["$ref"].rpartition("/")[2]
            for value in part.values():
                yield from references(value)
        elif isinstance(part, list):
            for value in part:
                yield from references(value)

    assert set(references(told)) <= names
