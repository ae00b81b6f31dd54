"""What every template knows about its reader."""

from django.http import HttpRequest

from accounts.appearance import theme_of


def appearance(request: HttpRequest) -> dict[str, str]:
    return {"theme": theme_of(request)}
