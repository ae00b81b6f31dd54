"""The site's settings as tests need them: quick passwords, plain static files, a home of their own."""

import os
from pathlib import Path

os.environ.setdefault("SECTORS_HOME", str(Path(__file__).resolve().parent.parent / ".local" / "tests"))
os.environ.setdefault("SITE_URL", "http://testserver")
os.environ.setdefault("MAIL_WINDOW", "0")  # a test that wants to wait says so
# A Redis given from outside is for the tests that ask for one; everything else runs as the embedded default does.
os.environ["TEST_REDIS_URL"] = os.environ.pop("REDIS_URL", os.environ.get("TEST_REDIS_URL", ""))

from sectors_site.settings import *  # noqa: F403
from sectors_site.settings import DATABASES, HOME, INSTALLED_APPS, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
LIMITED = False  # tests click faster than people do
NEWCOMER_TABLES = 1000  # most people of tests have only just come
STAFF_SECOND_FACTOR = False  # most tests of the desk are about something else
# A file: threads of the live site share it, and it is in WAL mode as the real one.
DATABASES["default"]["TEST"] = (
    {"NAME": str(HOME / "test.sqlite3")} if DATABASES["default"]["ENGINE"].endswith("sqlite3") else {}
)
EXTRA_RULESETS = ["tests.toy.ruleset:TOY"]
INSTALLED_APPS = [*INSTALLED_APPS, "tests.emptying"]
