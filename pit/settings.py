"""Settings, all from the environment (docs/settings.md); the embedded default needs none of them.

DATABASE_URL and REDIS_URL unset: SQLite and a Valkey child in the data folder, same code path as production.
"""

from datetime import timedelta
from pathlib import Path

import environ
from csp.constants import NONE, SELF

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DEMO = env.bool("PITSTAND_DEMO", default=False)
DEBUG = env.bool("PITSTAND_DEBUG", default=False)
DATA_DIR = Path(env.str("PITSTAND_DATA", default=str(BASE_DIR / ".data")))
SECRET_KEY = env.str("PITSTAND_SECRET_KEY")
ALLOWED_HOSTS = env.list("PITSTAND_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("PITSTAND_ORIGINS", default=[])
HTTPS = env.bool("PITSTAND_HTTPS", default=not (DEMO or DEBUG))
BUILD_ID = env.str("PITSTAND_BUILD", default="dev")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "axes",
    "channels",
    "csp",
    "django_htmx",
    "pit.people",
    "pit.floor",
    "pit.record",
    "pit.deadlines",
    "pit.outbox",
    "pit.notices",
    "pit.live",
    "pit.web",
    "tables",
    "devices",
]

MIDDLEWARE = [
    "pit.web.middleware.RequestId",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "pit.web.static.StaticFiles",
    "pit.web.middleware.Headers",
    "pit.web.middleware.Lawful",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "pit.people.middleware.TokenSignIn",
    "pit.people.middleware.IdleSignOut",
    "pit.people.middleware.SignInRequired",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "pit.urls"
ASGI_APPLICATION = "pit.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "pit.web.shell.shell",
            ]
        },
    }
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'pitstand.sqlite3'}")}
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: the writer's lock is taken at the start, so two taps queue instead of failing in the middle.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
else:
    # Persistent connections leak under ASGI; the pool that psycopg brings does not.
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # after a restart of the server the pool heals at once
    DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": env.int("PITSTAND_DB_POOL", default=20),
        "timeout": 5,
    }
    # The door's two statements stay prepared. Off for a pooler that shares a server connection among transactions.
    DATABASES["default"]["OPTIONS"]["prepare_threshold"] = (
        5 if env.bool("PITSTAND_DB_PREPARE", default=True) else None
    )
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.str("REDIS_URL", default=f"unix://{DATA_DIR / 'valkey.sock'}")

CELERY_BROKER_URL = (
    REDIS_URL.replace("unix://", "redis+socket://") if REDIS_URL.startswith("unix://") else REDIS_URL
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BEAT_SCHEDULE = {
    "sweep-deadlines": {
        "task": "pit.deadlines.tasks.sweep",
        "schedule": timedelta(seconds=env.int("PITSTAND_SWEEP_SECONDS", default=5)),
        "options": {"expires": 30},
    },
    "deliver-outbox": {
        "task": "pit.outbox.tasks.deliver",
        "schedule": timedelta(seconds=env.int("PITSTAND_OUTBOX_SECONDS", default=2)),
        "options": {"expires": 30},
    },
    "switch-changes": {
        "task": "pit.notices.tasks.switch",
        "schedule": timedelta(seconds=env.int("PITSTAND_SWITCH_SECONDS", default=2)),
        "options": {"expires": 30},
    },
    "look-for-patterns": {
        "task": "tables.tasks.patterns",
        "schedule": timedelta(minutes=5),
        "options": {"expires": 300},
    },
    "poll-gateways": {
        "task": "devices.tasks.poll",
        "schedule": timedelta(milliseconds=env.int("PITSTAND_POLL_MS", default=1000)),
        # A tick that nobody took in time is not made up for: the next one asks what is due.
        "options": {"expires": 2},
    },
    # Every hour, so that each time there is little to forget, and a restarted beat never waits for its day.
    "forget-receipts": {
        "task": "pit.record.tasks.forget_receipts",
        "schedule": timedelta(hours=1),
        "options": {"expires": 600},
    },
    "forget-readings": {
        "task": "devices.tasks.forget",
        "schedule": timedelta(hours=1),
        "options": {"expires": 600},
    },
}
GATEWAY_SECRETS = env.str("PITSTAND_GATEWAY_SECRETS", default=str(DATA_DIR / "gateway-secrets"))
GATEWAY_HOSTS = env.list("PITSTAND_GATEWAY_HOSTS", default=[])
READINGS_DAYS = env.int("PITSTAND_READINGS_DAYS", default=30)

EMAIL_URL = env.str("PITSTAND_EMAIL_URL", default="")
EMAIL_IS_SET_UP = bool(EMAIL_URL)
vars().update(env.email_url_config(EMAIL_URL) if EMAIL_IS_SET_UP else {})
EMAIL_TIMEOUT = env.int("PITSTAND_EMAIL_TIMEOUT", default=10)
DEFAULT_FROM_EMAIL = env.str("PITSTAND_EMAIL_FROM", default="pitstand@localhost")
WEBHOOK_HOSTS = env.list("PITSTAND_WEBHOOK_HOSTS", default=[])
WEBHOOK_TIMEOUT = env.int("PITSTAND_WEBHOOK_TIMEOUT", default=10)

AUTH_USER_MODEL = "people.Staff"
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "pit.people.backends.PasswordBackend",
    "pit.people.backends.HandoverBackend",
]
PASSWORD_HASHERS = ["pit.people.hashers.PitArgon2"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
]
LOGIN_URL = "/accounts/login/"
LOGIN_REDIRECT_URL = "/"
AXES_FAILURE_LIMIT = env.int("PITSTAND_LOGIN_FAILURES", default=5)
AXES_COOLOFF_TIME = timedelta(minutes=env.int("PITSTAND_LOGIN_COOLOFF_MINUTES", default=15))
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_ENABLE_ADMIN = False
AXES_USERNAME_CALLABLE = "pit.people.backends.axes_username"
AXES_LOCKOUT_TEMPLATE = "people/locked.html"
# axes keeps what was posted with a failed attempt: no secret may lie there.
AXES_SENSITIVE_PARAMETERS = [
    "username",
    "ip_address",
    "pin",
    "second_pin",
    "old_password",
    "new_password1",
    "new_password2",
]
PIN_FAILURES = env.int("PITSTAND_PIN_FAILURES", default=5)
PIN_ADDRESS_FAILURES = env.int("PITSTAND_PIN_ADDRESS_FAILURES", default=30)

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "pit.web.errors.csrf_failed"
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("PITSTAND_BEHIND_PROXY", default=False) else None
)
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "pit.web.middleware.RequestIdFilter"}},
    "formatters": {
        "line": {
            "()": "pit.web.logs.Line",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        }
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "filters": ["request_id"], "formatter": "line"}
    },
    "root": {"handlers": ["stderr"], "level": env.str("PITSTAND_LOG_LEVEL", default="INFO")},
}

LANGUAGE_CODE = "en-us"
LANGUAGES = [("en", "English"), ("es", "Español")]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
TIME_ZONE = "UTC"  # instants are UTC; the property's zone is applied where a person reads them
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = env.str("PITSTAND_STATIC", default=str(DATA_DIR / "static"))
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # The name of a file holds its digest: browsers keep it for ever and never keep an old one.
    "staticfiles": {"BACKEND": "pit.web.static.HashedFiles"},
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 65_536
DATA_UPLOAD_MAX_NUMBER_FIELDS = 100
