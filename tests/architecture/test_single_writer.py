"""Regulated state has one writer: pit/record for the Record, */project.py for what pages query."""

import ast
import functools
import re

from tests.architecture.tree import calls, dotted, files, imported, syntax, text

RECORD_MODELS = {"Stream", "Event", "Receipt"}
WRITES = {
    "create", "acreate", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "update", "aupdate",
    "delete", "adelete", "save", "asave",
}  # fmt: skip
RAW_WRITE = re.compile(
    r"\b(insert\s+into|update|delete\s+from|truncate|drop)\b[^;]*\brecord_\w+", re.IGNORECASE
)


@functools.cache
def names_from_the_record(path: str) -> set[str]:
    """Local names of the Record's models in a file."""
    names = set()
    for node in ast.walk(syntax(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "pit.record.models":
            names |= {alias.asname or alias.name for alias in node.names if alias.name in RECORD_MODELS}
    return names


def test_only_the_record_writes_its_rows():
    wrong = [
        f"{path}:{line} {name}"
        for path in files("pit", "tables", "devices")
        if not path.startswith("pit/record/")
        for line, name, _ in calls(path)
        if name.split(".")[0] in names_from_the_record(path) | {f"models.{one}" for one in RECORD_MODELS}
        and (name in names_from_the_record(path) or name.rsplit(".", 1)[-1] in WRITES)
    ]
    assert not wrong, "\n".join(wrong)


def test_nobody_else_writes_the_records_tables_in_sql():
    wrong = [
        path
        for path in files("pit", "tables")
        if not path.startswith("pit/record/") and RAW_WRITE.search(text(path))
    ]
    assert not wrong


def test_nobody_takes_the_records_models_by_name_at_run_time():
    wrong = [
        f"{path}:{line}"
        for path in files("pit", "tables")
        for line, name, call in calls(path)
        if name.endswith("get_model")
        and any("record" in str(one.value) for one in call.args if isinstance(one, ast.Constant))
    ]
    assert not wrong


def projection_columns() -> set[str]:
    """Columns that are not for editing: those which the door projects."""
    found = set()
    for node in ast.walk(syntax("tables/models.py")):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            options = {one.arg: one.value for one in node.value.keywords}
            editable = options.get("editable")
            if isinstance(editable, ast.Constant) and editable.value is False:
                found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


def test_only_project_writes_what_the_record_projects():
    columns = projection_columns()
    assert {"stage", "holds"} <= columns
    wrong = []
    for path in files("pit", "tables", "devices"):
        if path == "tables/project.py" or not any(
            name.startswith("tables.models") for _, name in imported(path)
        ):
            continue
        for node in ast.walk(syntax(path)):
            if isinstance(node, ast.Assign | ast.AugAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                wrong += [
                    f"{path}:{node.lineno} sets {dotted(one)}"
                    for one in targets
                    if isinstance(one, ast.Attribute) and one.attr in columns and dotted(one.value) == "table"
                ]
            if isinstance(node, ast.Call) and dotted(node.func).rsplit(".", 1)[-1] in WRITES:
                wrong += [
                    f"{path}:{node.lineno} writes {one.arg}"
                    for one in node.keywords
                    if one.arg in columns and dotted(node.func).startswith("Table.")
                ]
    assert not wrong, "\n".join(wrong)
