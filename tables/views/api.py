"""The description of the JSON addresses as OpenAPI 3.1, made from the structs of the commands themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tables import answers
from tables.domain.commands import COMMANDS

PRESS: dict[str, Any] = {
    "key": {
        "type": "string",
        "maxLength": 64,
        "description": "Idempotency key, needed: here or as the header Idempotency-Key. Begins with a letter or digit.",
    },
    "seen": {
        "type": "integer",
        "description": "The seq that was looked at; another one now is refused (STALE_VIEW).",
    },
    "at": {
        "type": "string",
        "description": "Late entry: local time of the property, or an instant with an offset.",
    },
    "fold": {
        "type": "integer",
        "enum": [0, 1],
        "description": "First or second pass of a local time that came twice.",
    },
    "pin": {"type": "string", "description": "The signature, where the command asks for one."},
    "second_badge": {"type": "string", "description": "The second person where two sign."},
    "second_pin": {"type": "string"},
}


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> HttpResponse:
    """`/api/openapi.json`."""
    return answers.json(document())


@cache
def document() -> dict[str, Any]:
    """The whole description; the same for every request."""
    schemas, components = msgspec.json.schema_components(
        tuple(COMMANDS.values()), ref_template="#/components/schemas/{name}"
    )
    commands = {
        name: _command(name, components, schema) for (name, schema) in zip(COMMANDS, schemas, strict=True)
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Pitstand",
            "version": "1",
            "description": "Read and record the tables of a pit. docs/json.md has examples.",
        },
        "paths": {**READS, **{f"/tables/{{id}}/{name}": {"post": post} for name, post in commands.items()}},
        "components": {"schemas": {**components, **SHAPES}, "securitySchemes": SECURITY},
        "security": [{"token": []}, {"session": []}],
    }


def _command(name: str, components: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    body = dict(components[schema["$ref"].rpartition("/")[2]])
    properties = {key: value for key, value in body.get("properties", {}).items() if key != "type"}
    required = [key for key in body.get("required", ()) if key != "type"]
    content = {"type": "object", "properties": {**properties, **PRESS}, "required": required}
    return {
        "summary": body.get("description", name).splitlines()[0],
        "operationId": name,
        "parameters": [TABLE],
        "requestBody": {"content": {"application/json": {"schema": content}}},
        "responses": {
            "200": _said("Recorded, or recorded before under this key.", "Recorded"),
            "403": _said("Refused: rank, signature or place.", "Refusal"),
            "404": _said("There is no such table.", "Refusal"),
            "409": _said("Refused by a rule, or the view was stale.", "Refusal"),
            "422": _said("Malformed; `errors` names the fields.", "Refusal"),
            "503": {
                "description": "The database is away: send the same press again after Retry-After seconds."
            },
        },
    }


def _said(description: str, schema: str) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    return {"description": description, "content": content}


TABLE = {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
READS = {
    "/tables/{id}.json": {
        "get": {
            "summary": "A table: state, deadlines, holds, offers.",
            "operationId": "table",
            "parameters": [TABLE],
            "responses": {
                "200": {"description": "The table."},
                "404": {"description": "There is no such table."},
            },
        }
    },
    "/pits/{id}.json": {
        "get": {
            "summary": "The tables of a pit in short.",
            "operationId": "pit",
            "parameters": [TABLE],
            "responses": {
                "200": {"description": "The pit."},
                "404": {"description": "There is no such pit."},
            },
        }
    },
}
SHAPES: dict[str, Any] = {
    "Recorded": {
        "type": "object",
        "required": ["seq", "stage", "holds"],
        "properties": {
            "seq": {"type": "integer"},
            "stage": {"type": "string"},
            "holds": {"type": "array", "items": {"$ref": "#/components/schemas/TableHold"}},
        },
    },
    "TableHold": {
        "type": "object",
        "properties": {name: {"type": "string"} for name in ("kind", "since", "blocks", "clause", "detail")},
    },
    "Reason": {
        "type": "object",
        "required": ["code", "clause", "message", "next_step"],
        "properties": {
            **{name: {"type": "string"} for name in ("code", "clause", "cite", "message", "next_step")},
            "also": {"type": "array", "items": {"$ref": "#/components/schemas/Reason"}},
        },
    },
    "Refusal": {
        "type": "object",
        "required": ["refused"],
        "properties": {
            "refused": {"$ref": "#/components/schemas/Reason"},
            "errors": {"type": "object", "additionalProperties": {"type": "string"}},
        },
    },
}
SECURITY = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
}
