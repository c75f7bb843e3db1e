"""A supervisor with three awkward children, as its own process: `python -m tests.faults.supervised FOLDER`."""

import os
import sys
from pathlib import Path

from deploy import supervisor as module
from deploy.supervisor import Stopped, Supervisor

DEAF = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('deaf', flush=True); time.sleep(900)"
PARENT = "sleep 901 & setsid sleep 902 & echo $$ > parent; wait"


def main(folder: Path) -> None:
    module.GRACE, module.ROOT = 1.5, folder
    supervisor = Supervisor(environment=os.environ, say=lambda text: print(text, flush=True))
    try:
        supervisor.keep("deaf", [sys.executable, "-uc", DEAF], log=folder / "deaf.log")
        supervisor.keep("parent", ["sh", "-c", PARENT], log=folder / "parent.log")
        supervisor.keep("short", ["sh", "-c", "echo once >> short; exit 7"], log=folder / "short.log")
        supervisor.tend_for_ever()
    except Stopped:
        print("stopping", flush=True)
    finally:
        supervisor.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
