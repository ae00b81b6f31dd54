"""The settings of the next release of the site, which brings one more migration."""

from sectors_site.settings import *  # noqa: F403
from sectors_site.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.next_release"]
