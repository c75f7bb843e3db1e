"""The site's own settings with what a test run needs: a key, a data folder that is thrown away, quick hashing.

Variables that are already set (DATABASE_URL, REDIS_URL) win, so the same tests run on SQLite and PostgreSQL. Child
processes inherit the environment and so share the folder.
"""

import os
import tempfile

os.environ.setdefault("PITSTAND_SECRET_KEY", "only-for-tests-" + "0" * 40)
os.environ.setdefault("PITSTAND_HTTPS", "false")
if "PITSTAND_DATA" not in os.environ:
    os.environ["PITSTAND_DATA"] = os.environ["PITSTAND_TEST_DATA"] = tempfile.mkdtemp(prefix="pitstand-test-")

from pit.settings import *  # noqa: F403
from pit.settings import DATA_DIR, DATABASES, STORAGES

PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}  # nothing is collected
STATIC_ROOT = None
WHITENOISE_USE_FINDERS = True
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file: several threads and child processes read it, and in memory a second thread finds the tables locked.
    # It survives a killed process all the same; only a power cut would lose what was not flushed.
    OPTIONS = DATABASES["default"]["OPTIONS"]
    OPTIONS["init_command"] = OPTIONS["init_command"].replace("synchronous=FULL", "synchronous=OFF")
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
