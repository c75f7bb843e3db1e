#!/bin/sh
# Makes .venv and installs what is locked, by hash. Quick when nothing changed: the stamp holds the lock's checksum.
set -eu
cd "$(dirname "$0")/.."

works() { # a Python that is new enough and can make environments
    "$1" -c 'import sys, ssl, sqlite3, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for each in ${PYTHON:-} python3 python3.11 python3.12 python3.13 python3.14 \
        /usr/local/bin/python3 /opt/*/bin/python3 "${HOME:-/root}"/.pyenv/versions/3.1[1-9]*/bin/python3 \
        "${HOME:-/root}"/.local/bin/python3.1[1-9]; do
        if command -v "$each" >/dev/null 2>&1 && works "$each"; then
            command -v "$each"
            return
        fi
    done
    return 1
}

no_python() {
    echo "Pitstand needs Python 3.11 or newer with its venv module, and none was found." >&2
    echo "Here: $(python3 --version 2>/dev/null || echo 'no python3 at all')." >&2
    echo "On Debian or Ubuntu: apt-get install python3 python3-venv" >&2
    echo "Installed somewhere else: make PYTHON=/path/to/python3 ..." >&2
    exit 1
}

install_locked() { # uv takes seconds where pip takes a minute; pip does the same when uv cannot
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r deploy/uv.txt &&
        .venv/bin/uv pip install --quiet --native-tls --python .venv/bin/python --require-hashes -r requirements-dev.txt ||
        .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
}

stamp=$(cat requirements-dev.txt deploy/uv.txt | cksum)
if [ "$(cat .venv/stamp 2>/dev/null)" = "$stamp" ] && .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi
python=$(find_python) || no_python
echo "Setting up .venv with $("$python" --version) (once, and again when requirements change) ..."
.venv/bin/python -c '' 2>/dev/null || "$python" -m venv --clear .venv
install_locked
echo "$stamp" >.venv/stamp
