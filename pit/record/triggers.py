"""The database's own guard: entries are only added, a stream only goes forward, a receipt is only forgotten when old.

`verify_record` looks for these triggers too: who drops them leaves that trace, and the hash chain stays.
"""

import re
from typing import Any

RECEIPT_DAYS = 30
"""A receipt younger than this is not deleted; `manage.py forget_receipts` takes the older ones."""

NAMES = (
    "record_event_no_update",
    "record_event_no_delete",
    "record_stream_forward",
    "record_stream_no_delete",
    "record_receipt_no_update",
    "record_receipt_kept",
)

_BACKWARDS = """NEW.name <> OLD.name OR NEW.seq < OLD.seq OR NEW.changed_seq < OLD.changed_seq
    OR NEW.changed_seq > NEW.seq OR (NEW.hash <> OLD.hash) <> (NEW.seq > OLD.seq)"""

_POSTGRES = f"""
CREATE FUNCTION record_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the Record is append-only: % on % refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER record_event_no_update BEFORE UPDATE ON record_event
    FOR EACH ROW EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_event_no_delete BEFORE DELETE ON record_event
    FOR EACH ROW EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_event_no_truncate BEFORE TRUNCATE ON record_event
    FOR EACH STATEMENT EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_stream_forward BEFORE UPDATE ON record_stream
    FOR EACH ROW WHEN ({_BACKWARDS}) EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_stream_no_delete BEFORE DELETE ON record_stream
    FOR EACH ROW EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_stream_no_truncate BEFORE TRUNCATE ON record_stream
    FOR EACH STATEMENT EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_receipt_no_update BEFORE UPDATE ON record_receipt
    FOR EACH ROW EXECUTE FUNCTION record_refuse();
CREATE TRIGGER record_receipt_kept BEFORE DELETE ON record_receipt
    FOR EACH ROW WHEN (OLD.created_at > CURRENT_TIMESTAMP - INTERVAL '{RECEIPT_DAYS} days')
    EXECUTE FUNCTION record_refuse();
"""

_POSTGRES_REMOVE = """
DROP TRIGGER IF EXISTS record_event_no_truncate ON record_event;
DROP TRIGGER IF EXISTS record_stream_no_truncate ON record_stream;
DROP FUNCTION IF EXISTS record_refuse() CASCADE;
"""


def _sqlite(name: str, moment: str, table: str, when: str = "") -> str:
    condition = f"WHEN {when}" if when else ""
    return f"""CREATE TRIGGER {name} BEFORE {moment} ON {table} {condition}
        BEGIN SELECT RAISE(ABORT, 'the Record is append-only: {moment} on {table} refused'); END"""


_SQLITE = (
    _sqlite("record_event_no_update", "UPDATE", "record_event"),
    _sqlite("record_event_no_delete", "DELETE", "record_event"),
    # INSERT OR REPLACE would take the old row away without firing a DELETE trigger.
    _sqlite(
        "record_event_no_replace",
        "INSERT",
        "record_event",
        "EXISTS (SELECT 1 FROM record_event WHERE id = NEW.id OR (stream = NEW.stream AND seq = NEW.seq))",
    ),
    _sqlite("record_stream_forward", "UPDATE", "record_stream", _BACKWARDS),
    _sqlite("record_stream_no_delete", "DELETE", "record_stream"),
    _sqlite("record_receipt_no_update", "UPDATE", "record_receipt"),
    _sqlite(
        "record_receipt_kept",
        "DELETE",
        "record_receipt",
        f"OLD.created_at > strftime('%Y-%m-%d %H:%M:%S', 'now', '-{RECEIPT_DAYS} days')",
    ),
)


def install(connection: Any) -> None:
    """Creates the triggers; for migrations, also after one that remakes a table on SQLite."""
    statements = _SQLITE if connection.vendor == "sqlite" else (_POSTGRES,)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def remove(connection: Any) -> None:
    """Drops the triggers: for going back in migrations, and for tests that tamper or flush."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name in (*NAMES, "record_event_no_replace"):
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
        else:
            cursor.execute(_POSTGRES_REMOVE)


def faults(connection: Any) -> list[str]:
    """What is wrong with the triggers, in words: not there, switched off, or replaced by one that guards less."""
    wanted = _wanted_sqlite() if connection.vendor == "sqlite" else _wanted_postgres()
    there = _there_sqlite(connection) if connection.vendor == "sqlite" else _there_postgres(connection)
    absent = [f"the trigger {name} is missing or switched off" for name in wanted if name not in there]
    other = [name for name, text in wanted.items() if name in there and there[name] != text]
    return absent + [f"the trigger {name} is not the one that was installed" for name in other]


def _wanted_sqlite() -> dict[str, str]:
    return {text.split()[2]: _plain(text) for text in _SQLITE}


def _there_sqlite(connection: Any) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return {name: _plain(text) for name, text in cursor.fetchall()}


def _wanted_postgres() -> dict[str, str]:
    body, *triggers = _POSTGRES.split("CREATE TRIGGER ")
    function = {"record_refuse()": _plain(body.split("$$")[1])}
    return function | {text.split()[0]: _plain(f"CREATE TRIGGER {text}") for text in triggers}


def _there_postgres(connection: Any) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("""SELECT tgname, pg_get_triggerdef(oid, true) FROM pg_trigger
            WHERE tgenabled IN ('O', 'A') AND NOT tgisinternal""")
        found = dict(cursor.fetchall())
        cursor.execute("SELECT 'record_refuse()', prosrc FROM pg_proc WHERE proname = 'record_refuse'")
        return {name: _plain(text) for name, text in (*found.items(), *cursor.fetchall())}


def _plain(text: str) -> str:
    """A definition without what a server adds or leaves out when it tells one: case, blanks, brackets, casts, schema."""
    return re.sub(r"::\w+( with(out)? time zone)?|interval|public\.|[\s();]", "", text.lower())
