"""Looking at processes from outside, by /proc."""

from pathlib import Path


def holding(folder: Path) -> list[str]:
    """Command lines of the processes that work in a folder or name it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            inside = (process / "cwd").resolve().is_relative_to(folder)
        except OSError:
            continue  # it ended while we looked
        if line and (inside or str(folder) in line):
            found.append(f"{process.name} {line}")
    return found


def children(pid: int) -> dict[int, str]:
    """Process ids of the direct children with their command lines."""
    found = {}
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, thread.read_text().split()):
            found[child] = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return found
