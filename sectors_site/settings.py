"""The settings of every way to run the site, chosen by environment variables; with none set, the embedded mode on
SQLite."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext
from csp.constants import NONCE, NONE, SELF
from jinja2 import StrictUndefined
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from sectors_site import environment, logs, metric_files, processes
from sectors_site.environment import reserve, secret_key
from sectors_site.processes import own_cores, web_processes

processes.collect_less_often()
# Makes classes such as ModelAdmin[User] subscriptable at run time.
django_stubs_ext.monkeypatch()

BASE_DIR = Path(__file__).resolve().parent.parent
HOME = environment.folder("SECTORS_HOME", BASE_DIR / ".local")

# -- How this copy runs --
REDIS_URL = environment.redis("REDIS_URL")
EMBEDDED = environment.boolean("EMBEDDED", default=not REDIS_URL)
# Without Redis web processes cannot notify each other.
WEB_PROCESSES = environment.whole_number("WEB_PROCESSES", web_processes(own_cores()) if REDIS_URL else 1) or 1
if WEB_PROCESSES > 1 and not REDIS_URL:
    environment.refuse("WEB_PROCESSES above 1 needs REDIS_URL: without it the processes do not hear of each other.")
DEBUG = environment.boolean("DEBUG", default=False)
SITE_URL = environment.address("SITE_URL", "http://127.0.0.1:8000")
SECRET_KEY = environment.text("SECRET_KEY") or (
    secret_key(HOME)
    if EMBEDDED
    else environment.refuse("SECRET_KEY is not set. A service needs one that stays: 50 random characters or more.")
)
SECRET_KEY_FALLBACKS = environment.text_list("SECRET_KEY_FALLBACKS", [])
_host = urlsplit(SITE_URL).hostname or "localhost"
ALLOWED_HOSTS = environment.text_list(
    "ALLOWED_HOSTS", [_host, "127.0.0.1", "localhost", "[::1]"] if EMBEDDED else [_host]
)
CSRF_TRUSTED_ORIGINS = [SITE_URL]

INSTALLED_APPS = [
    "sectors_site",
    "accounts",
    "game",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "channels",
    "csp",
    "django_htmx",
]

MIDDLEWARE = [
    "sectors_site.logs.RequestTraceMiddleware",
    "sectors_site.monitoring.HealthMiddleware",
    "sectors_site.monitoring.MetricsMiddleware",
    "sectors_site.secret_addresses.SecretAddressMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "sectors_site.middleware.PolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "sectors_site.middleware.CompressionMiddleware",
    "sectors_site.middleware.ZeroByteMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.ways_back.WayBackMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.guests.GuestMiddleware",
    "accounts.middleware.time_zone",
    "accounts.middleware.language",
    "accounts.middleware.private",
    "accounts.middleware.second_factor",
    "game.moderation.views.banned",
    "game.web.middleware.read_only",
    "game.web.middleware.switched_off",
    "game.web.limits.Limits",
    "game.web.middleware.while_signed_in",
    "game.table.one_device.OneSeat",
    "game.web.middleware.RecordSeatTakers",
    "game.web.middleware.GameErrorMiddleware",
    "accounts.middleware.GoneMiddleware",
]

ROOT_URLCONF = "sectors_site.urls"
WSGI_APPLICATION = "sectors_site.wsgi.application"
ASGI_APPLICATION = "sectors_site.asgi.application"
_context_processors = [
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "csp.context_processors.nonce",
    "accounts.middleware.appearance",
    "game.web.context_processors.needs",
    "game.web.context_processors.site_banner",
]
# templates/jinja/ has the pages of a game and their frame; all other templates are Django's.
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates" / "jinja"],
        "OPTIONS": {
            "environment": "game.web.jinja.environment",
            "undefined": StrictUndefined,
            "keep_trailing_newline": True,
            "context_processors": ["django.template.context_processors.csrf", *_context_processors],
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", *_context_processors],
            "builtins": ["game.templatetags.frame"],
            "libraries": {"i18n": "game.templatetags.isolated_i18n"},
        },
    },
]

# -- Storage --
_sqlite = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(HOME / "sectors.sqlite3")}
_database: dict[str, Any] = environment.database("DATABASE_URL") or _sqlite
DATABASES = {"default": _database}
if _database is _sqlite:
    reserve(HOME / "sectors.sqlite3")
if _database["ENGINE"].endswith("sqlite3"):
    # Without IMMEDIATE, two writers that read first fail with "database is locked".
    _database["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
    }
    # Page threads keep their connection: closing the last one checkpoints the log each time.
    _database["CONN_MAX_AGE"] = None
elif _database["ENGINE"].endswith("postgresql"):
    from sectors_site.connections import PooledConnection, add_limits

    # Seconds: during a database restart pages fail fast, and the first page afterwards is served. Dead connections are
    # detected at checkout and replaced.
    _pool_size = environment.whole_number("DATABASE_POOL", 10) or 1
    _pool_timeouts = {"timeout": 2, "reconnect_timeout": 2}
    _pool = {"min_size": 1, "max_size": _pool_size, "connection_class": PooledConnection, **_pool_timeouts}
    _database["CONN_HEALTH_CHECKS"] = True
    _url_options = _database.get("OPTIONS", {})
    _database["OPTIONS"] = {**_url_options, "options": add_limits(_url_options.get("options", "")), "pool": _pool}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
if REDIS_URL:
    # Seconds: no response may wait long for a hanging Redis.
    _cache_timeouts = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5, "socket_keepalive": True}
    _cache_options = {**_cache_timeouts, "serializer": "sectors_site.caches.JSONSerializer"}
    CACHES = {
        "default": {"BACKEND": "sectors_site.caches.LossyRedisCache", "LOCATION": REDIS_URL, "OPTIONS": _cache_options}
    }
    _layer_host = {"address": REDIS_URL, "socket_connect_timeout": 1, "socket_timeout": 1, "socket_keepalive": True}
    # A connection that broke while idle is detected by the next hint, which is retried on a new one.
    _layer_host["retry"] = Retry(NoBackoff(), 1)
    CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "sectors_site.channel_layers.ImpatientRedisChannelLayer",
            "CONFIG": {"hosts": [_layer_host]},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "sectors_site.caches.MemoryCache", "LOCATION": "sectors"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "sectors_site.channel_layers.LoopInMemoryChannelLayer"}}

STATIC_URL = "static/"
STATIC_ROOT = str(HOME / "static")
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "sectors_site.middleware.StaticFiles"},
}

# -- Monitoring: each process of a service counts in files, which /metrics adds up --
METRICS_TOKEN = environment.text("METRICS_TOKEN")
METRICS_HOME = None if EMBEDDED else HOME / "metrics"
if METRICS_HOME is not None:
    metric_files.count_in_files(METRICS_HOME)

# -- Work in the background --
CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
if REDIS_URL:
    # Of these, only the check of a silent connection applies to a worker that waits for tasks.
    _broker_timeouts = {
        "socket_connect_timeout": 1,
        "socket_timeout": 3,
        "socket_keepalive": True,
        "health_check_interval": 5,
    }
    # A worker polls again after this many seconds, at the end of the queue. With the tick's interval, the same one of
    # two workers could get every tick: during an update, the one that does not know newer games.
    _polling = {"polling_interval": 2.5}
    CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {**_broker_timeouts, **_polling, "max_retries": 0}
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.05}
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A full or read-only Redis must not end the worker.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_SOFT_TIME_LIMIT = 45
CELERY_TASK_TIME_LIMIT = 60
# Each kind of work has a queue and workers of its own. A worker without -Q serves all queues.
CELERY_TASK_QUEUES: dict[str, dict[str, Any]] = {"deadlines": {}, "bots": {}, "mail": {}, "hooks": {}}
CELERY_TASK_DEFAULT_QUEUE = "mail"  # also for work that nobody waits for
CELERY_TASK_ROUTES = {
    "game.tasks.sweep": {"queue": "deadlines"},
    "game.tasks.play_bots": {"queue": "bots"},
    "game.tasks.play_forgotten_bots": {"queue": "bots"},
    "game.tasks.rehearse": {"queue": "bots"},
    "game.tasks.send_due_hooks": {"queue": "hooks"},
    "game.tasks.send_due_pushes": {"queue": "hooks"},
}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE = {
    # A tick older than its interval is dropped: the next one does its work.
    "sweep": {"task": "game.tasks.sweep", "schedule": 1.0, "options": {"expires": 2}},
    "play-forgotten-bots": {"task": "game.tasks.play_forgotten_bots", "schedule": 2.0, "options": {"expires": 4}},
    "send-due-notices": {"task": "game.tasks.send_due_notices", "schedule": 5.0, "options": {"expires": 10}},
    "send-due-hooks": {"task": "game.tasks.send_due_hooks", "schedule": 2.0, "options": {"expires": 4}},
    "send-due-pushes": {"task": "game.tasks.send_due_pushes", "schedule": 2.0, "options": {"expires": 4}},
    "put-away-finished": {"task": "game.tasks.put_away_finished", "schedule": 10.0, "options": {"expires": 20}},
    "rehearse": {"task": "game.tasks.rehearse", "schedule": 30.0, "options": {"expires": 30}},
    "tell-of-secret-views": {"task": "game.tasks.tell_of_secret_views", "schedule": 600.0, "options": {"expires": 300}},
    "remove-idle-guests": {"task": "game.tasks.remove_idle_guests", "schedule": 3600.0, "options": {"expires": 600}},
    "forget-old-traces": {"task": "game.tasks.forget_old_traces", "schedule": 3600.0, "options": {"expires": 600}},
    "compare-ended": {"task": "game.tasks.compare_ended", "schedule": 3600.0, "options": {"expires": 600}},
}

# -- Rulesets in addition to the registry, as "module:NAME": the tests' toy, or a game in development --
EXTRA_RULESETS = environment.text_list("EXTRA_RULESETS", [])

# -- Whether modes of games open to an account only by games that it has finished or won --
UNLOCKS = environment.boolean("UNLOCKS", default=False)

# -- Slow clients: seconds for the head and for the whole body of a request --
HEAD_SECONDS, BODY_SECONDS = 10, 15

# -- Limits for one step of a game; beyond them it is rolled back and counted as broken --
RULES_SECONDS = environment.seconds("RULES_SECONDS", 5.0)
RULES_MEGABYTES = environment.whole_number("RULES_MEGABYTES", 256)
# Seconds before each retry; a failure after the last retry puts the game on hold.
RETRY_SECONDS = environment.numbers("RETRY_SECONDS", [1, 10, 60, 600])

# -- Mail --
if not EMBEDDED and not environment.text("EMAIL_BACKEND"):
    environment.required(
        "EMAIL_URL", "Players need mail; EMAIL_URL=consolemail:// prints it instead, for a service that is tried out."
    )
vars().update(environment.mail("EMAIL_URL", "consolemail://"))
if environment.text("EMAIL_BACKEND"):
    EMAIL_BACKEND = environment.text("EMAIL_BACKEND")
# Services that take our mail by SMTP send delivery reports too.
ANYMAIL = environment.anymail("ANYMAIL")
if EMAIL_BACKEND.startswith("anymail."):
    INSTALLED_APPS.append("anymail")  # checks these settings; only if needed, because its HTTP client costs 5 MB
if EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend":
    EMAIL_BACKEND = "accounts.mail_server.EmailBackend"  # also records how far sending came
EMAIL_TIMEOUT = 10
MAIL_WINDOW = timedelta(minutes=environment.whole_number("MAIL_WINDOW", 10))
DEFAULT_FROM_EMAIL = environment.sender("DEFAULT_FROM_EMAIL", f"Sectors <sectors@{_host}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL

# -- People --
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
_validation = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_validation}.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "accounts.security.MinimumLength"}]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "accounts.forms.SignInForm",
    "signup": "accounts.forms.SignUpForm",
    "change_password": "accounts.security_forms.NewPasswordForm",
    "reset_password": "accounts.security_forms.PasswordResetForm",
    "reset_password_from_key": "accounts.security_forms.SetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
# With a mail server, addresses are confirmed before sign-in: sign-up then answers the same whether an address has an
# account or not.
ACCOUNT_EMAIL_VERIFICATION = (
    "optional" if EMAIL_BACKEND == "django.core.mail.backends.console.EmailBackend" else "mandatory"
)
# A stolen session can change neither address nor password, and the owner is notified of every change.
ACCOUNT_REAUTHENTICATION_REQUIRED = ACCOUNT_EMAIL_NOTIFICATIONS = True
# Second factors: an authenticator app, or a passkey, which may also replace the password.
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Sectors"
MFA_TOTP_TOLERANCE = 1  # periods of 30 s that a phone's clock may be wrong
# Allauth's counter loses concurrent counts: accounts/limits.py counts instead.
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
MFA_FORMS = {
    "authenticate": "accounts.security_forms.CodeForm",
    "reauthenticate": "accounts.security_forms.ReauthenticationCodeForm",
    "add_webauthn": "accounts.security_forms.AddPasskeyForm",
    "signup_webauthn": "accounts.security_forms.PasskeySignUpForm",
    "authenticate_webauthn": "accounts.security_forms.PasskeyFactorForm",
    "login_webauthn": "accounts.security_forms.PasskeySignInForm",
    "reauthenticate_webauthn": "accounts.security_forms.PasskeyReauthenticationForm",
}
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_DEFAULT_HTTP_PROTOCOL = urlsplit(SITE_URL).scheme
if not EMBEDDED:
    environment.required(
        "TRUSTED_PROXY_COUNT",
        "Say how many proxies stand in front, 0 for none: without it all visitors would share one limit of sign-ins.",
    )
ALLAUTH_TRUSTED_PROXY_COUNT = environment.whole_number("TRUSTED_PROXY_COUNT", 0)

# -- Contacts for security reports: /.well-known/security.txt --
SECURITY_CONTACT = environment.contacts("SECURITY_CONTACT")

# -- Rate limits: the table is in accounts/limits.py --
LIMITS = environment.json("LIMITS")  # overrides by name
if any(type(most) is not int or most < 1 for most in LIMITS.values()):
    environment.refuse('LIMITS must be a JSON object of whole numbers from 1, such as {"move": 120}.')
LIMITED = True  # off in tests, which click faster than people
NEWCOMER_TABLES = environment.whole_number(
    "NEWCOMER_TABLES", 2
)  # unfinished games with other people, until the first one is finished
UNCONFIRMED_DAYS = 7  # until an unconfirmed sign-up is deleted
GUEST_DAYS = 30  # until an absent guest is deleted with their games
# An abandoned game that has not begun is closed after this, and its host is warned this long before.
WAITING_DAYS, WAITING_NOTICE_DAYS = 30, 4

# -- The API: docs/api/README.md --
REST_FRAMEWORK = {"URL_FORMAT_OVERRIDE": None}  # `format` is a parameter like any other that an address does not take
SPECTACULAR_SETTINGS = {
    "TITLE": "Sectors",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SORT_OPERATION_PARAMETERS": False,
    "POSTPROCESSING_HOOKS": [],
}

# -- Webhooks and push: allowed hosts. None: the public Internet; tests set their own --
OUTGOING: Any = None
PUSH_KEY = environment.key("PUSH_KEY")  # from `manage.py push_key`; without one there is no web push

# -- Security: relaxed only for a private copy over plain HTTP --
_is_local = urlsplit(SITE_URL).scheme == "http" and _host in {"127.0.0.1", "localhost", "::1"}
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = _is_local  # browsers allow passkeys over HTTP on localhost
# Staff can act on others' games and accounts, so a password is not enough.
STAFF_SECOND_FACTOR = not (EMBEDDED or DEBUG)
_encrypted = not (EMBEDDED or DEBUG or _is_local)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = _encrypted
SESSION_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = environment.boolean("SSL_REDIRECT", default=_encrypted)
SECURE_HSTS_SECONDS = environment.whole_number("HSTS_SECONDS", 31_536_000 if _encrypted else 0)
# HSTS for subdomains and preloading: not ours to decide for the whole domain.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021", "templates.W003"]
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if ALLAUTH_TRUSTED_PROXY_COUNT else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 262_144  # for every body; the longest form has a few KB
FILE_UPLOAD_HANDLERS = ["sectors_site.asgi_middleware.NoFiles"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF, NONCE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch")]
CATALOGUE_FOLDERS = [BASE_DIR / name for name in ("locale", "accounts", "game")]  # and all below: locale/de.po
LOGGING = logs.logging_config(
    plain=EMBEDDED or DEBUG,
    level=environment.level("LOG_LEVEL", "INFO"),
    process=environment.text("SECTORS_PROCESS"),
)
logs.report_errors(environment.text("SENTRY_DSN"), process=environment.text("SECTORS_PROCESS"), site=_host)
