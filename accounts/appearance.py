"""The theme a visitor chose: on the account, and in a cookie for everybody else."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from accounts.models import Theme

COOKIE = "theme"
A_YEAR = 365 * 24 * 3600


def theme_of(request: HttpRequest) -> str:
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.theme)
    chosen = request.COOKIES.get(COOKIE, "")
    return chosen if chosen in Theme.values else Theme.AUTO.value


def remember_theme(response: HttpResponse, theme: str) -> None:
    response.set_cookie(
        COOKIE, theme, max_age=A_YEAR, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE, httponly=True
    )
