"""Template context about the reader."""

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.appearance import theme_of


def appearance(request: HttpRequest) -> dict[str, str]:
    return {"theme": theme_of(request), "language": get_language() or settings.LANGUAGE_CODE}
