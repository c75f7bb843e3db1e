"""What must be done before the site starts, in one process because each start of Python costs seconds.

`python -m deploy.prepare FILE` writes what the demo floor says (its logins) into FILE.
"""

import io
import os
import sys
from pathlib import Path

import django
from django.core.management import call_command


def main(place: Path) -> None:
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    logins = io.StringIO()
    call_command("load_demo", stdout=logins)
    if simulator := os.environ.get("PITSTAND_SIMULATOR"):
        call_command("load_demo_devices", simulator, stdout=io.StringIO())
    place.write_text(logins.getvalue())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
