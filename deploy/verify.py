"""Checks an export of Pitstand's Record: python verify.py export.json (or .csv, or the lines of export_record).

Needs Python 3.8 and nothing else, none of Pitstand's own code. It says what holds and exits 0, or what does not and
exits 1. What it proves: the file is the one that was taken (its digest); each entry is as it was written (its hash); no
entry is missing or added between the first and the last of a stream (the chain). Compare the printed heads and the
digest with those that were noted elsewhere, on paper or in the Record's own entry of this export: who rewrites a whole
database cannot rewrite those.
"""

import csv
import hashlib
import io
import json
import re
import sys

# fmt: off
COLUMNS = [
    "stream", "seq", "kind", "v", "data", "at", "recorded_at", "late", "actor_kind", "actor_id",
    "actor_name", "actor_badge", "role", "signed", "second_id", "second_name", "second_badge",
    "second_role", "second_signed", "pack", "clause", "round", "key", "prev_hash",
]
# fmt: on
TAIL = re.compile(rb',"digest":"([0-9a-f]{64})"}\n\Z')
CSV_TAIL = re.compile(rb"#digest,([0-9a-f]{64})\n\Z")


class Wrong(Exception):
    """Something does not hold."""


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    with open(arguments[0], "rb") as file:  # noqa: PTH123 - stands alone
        raw = file.read()
    try:
        for line in verify(raw):
            print(line)
    except (Wrong, ValueError, KeyError, TypeError) as wrong:
        print(f"DOES NOT HOLD: {wrong}")
        return 1
    print("HOLDS")
    return 0


def verify(raw):
    """What holds, in lines; Wrong at the first that does not."""
    entries, heads, digest = read(raw)
    if digest:
        yield f"digest {digest}"
    ends = chain(entries)
    for stream, (first, last, found) in sorted(ends.items()):
        yield f"{stream}: entries {first} to {last}, last hash {found}"
        if stream in heads:
            check_head(stream, last, found, heads[stream])
    yield f"{len(entries)} entries in {len(ends)} streams"


def read(raw):
    """(entries, heads, digest) of any of the three forms."""
    if raw.startswith(b'{"format":'):
        tail = sealed(raw, TAIL)
        told = json.loads(raw[: tail.start()] + b"}")
        if told["format"] != "pitstand-export-1":
            raise Wrong("not a format that this verifier knows")
        return told["entries"], told["heads"], tail[1].decode()
    if raw.startswith(b"stream,seq,"):
        tail = sealed(raw, CSV_TAIL)
        rows = csv.DictReader(io.StringIO(raw[: tail.start()].decode(), newline=""))
        return list(rows), {}, tail[1].decode()
    return [json.loads(line) for line in raw.decode().splitlines() if line], {}, ""


def sealed(raw, tail):
    """The end of the file, whose digest is that of every byte before it."""
    found = tail.search(raw)
    if not found:
        raise Wrong("the file does not end with its digest")
    if hashlib.sha256(raw[: found.start()]).hexdigest() != found[1].decode():
        raise Wrong("the file is not the one that was taken: its digest is another")
    return found


def chain(entries):
    """{stream: (first seq, last seq, last hash)}; every entry follows the one before it."""
    if not entries:
        raise Wrong("there are no entries")
    ends = {}
    for entry in entries:
        stream, seq, found = entry["stream"], int(entry["seq"]), digest_of(entry)
        if entry["hash"] != found:
            raise Wrong(f"{stream} entry {seq} was changed")
        first, last, before = ends.get(stream, (seq, seq - 1, entry["prev_hash"]))
        if seq != last + 1 or entry["prev_hash"] != before:
            raise Wrong(f"{stream} entry {seq} does not follow the one before it")
        if seq == 1 and entry["prev_hash"] != "0" * 64:
            raise Wrong(f"{stream} does not begin at its beginning")
        ends[stream] = first, seq, found
    return ends


def check_head(stream, last, found, head):
    """The file's own head: the last entry cannot stand after it, and is it when they have one number."""
    if last > head["seq"] or (last == head["seq"] and found != head["hash"]):
        raise Wrong(f"{stream} ends otherwise than its head says")


def digest_of(entry):
    """SHA-256 over the netstrings of the version and every column (docs/record.md)."""
    parts = [text.encode() for text in ["pitstand-entry-1", *(column(entry[name]) for name in COLUMNS)]]
    return hashlib.sha256(b"".join(b"%d:%b," % (len(part), part) for part in parts)).hexdigest()


def column(value):
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
