"""The page to return to after signing in, signing up or confirming one's identity. Stored in the session, and with an
account until its address is confirmed; never in a URL, which logs and other sites would see."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect
from django.urls import Resolver404, resolve, reverse
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.limits import is_spent, network_of
from accounts.models import User
from accounts.sign_ins import address_of

KEY = FIELD = "next"
MAX_LENGTH = 2_000
IDENTITY_PAGES = frozenset(
    {
        "account_login",
        "account_signup",
        "account_change_password",
        "account_reauthenticate",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
    }
)
"""Pages that ask for identity and return to the previous page."""
TRANSIT_PAGES = IDENTITY_PAGES - {"account_change_password"} | {
    "account_confirm_email",
    "account_email_verification_sent",
    "account_logout",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "mfa_authenticate",
    "mfa_login_webauthn",
    "sign_in_link",
    "way_in",
}
"""Pages to which nobody wants to return."""


class WayBackMiddleware:
    """Moves the way back from the URL of any identity page into the session, and deletes it once the user is redirected
    there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.get_full_path()
        is_opened = request.method in {"GET", "HEAD"} and FIELD in request.GET and _url_name(address) in IDENTITY_PAGES
        response = HttpResponseRedirect(address) if is_opened else self.get_response(request)
        if isinstance(response, HttpResponseRedirect):
            self._lead(request, response)
        return response

    def _lead(self, request: HttpRequest, response: HttpResponse) -> None:
        target = urlsplit(response["Location"])
        if FIELD in (query := QueryDict(target.query, mutable=True)) and _url_name(target.path) in IDENTITY_PAGES:
            (*_, way) = query.pop(FIELD)
            is_of_form = request.method == "POST" and _url_name(target.path) == "account_login"
            remember(request, _page_of_form(request) if is_of_form else way)
            response["Location"] = target._replace(query=query.urlencode()).geturl()
        elif response["Location"] == request.session.get(KEY):
            del request.session[KEY]


def remember(request: HttpRequest, way: str) -> None:
    """Store the way back if it is a worthwhile page of this site. Without one, users return to the front page."""
    if way == "/":
        request.session.pop(KEY, None)
    elif _is_way(request, way) and (request.session.keys() or not _is_limit_reached(request)):
        request.session[KEY] = iri_to_uri(way)


def way_back_of(request: HttpRequest) -> str:
    """Where to return to: from the form in this tab, else the session, else the account."""
    way = request.POST.get(FIELD, "")
    if _is_way(request, way):
        return way
    return str(request.session.get(KEY) or getattr(request.user, "way_back", ""))


def redirect_and_return(request: HttpRequest, page: str) -> HttpResponse:
    """Redirect to a page that asks for identity, and return to this one afterwards."""
    remember(request, request.get_full_path())
    return redirect(page)


def sign_in_again(request: HttpRequest) -> HttpResponse:
    """Lead somebody whose session was ended meanwhile to signing in, and back. What is left of the session is deleted:
    nothing can be stored in it any more."""
    request.session.flush()
    return redirect_to_login(request.get_full_path(), reverse("account_login"))


def remember_with_account(user: User, way: str) -> None:
    """Store it with the account for another browser, in which the address may be confirmed."""
    if way and not EmailAddress.objects.filter(user=user, verified=True).exists():
        user.way_back = way
        user.save(update_fields=["way_back"])


def forget(user: User) -> None:
    """Delete the way back of an account that has been signed in to."""
    if user.way_back:
        user.way_back = ""
        user.save(update_fields=["way_back"])


def _page_of_form(request: HttpRequest) -> str:
    """The page that contained the form; the URL it was posted to shows nothing."""
    page = urlsplit(request.headers.get("Referer", ""))
    return page._replace(scheme="", netloc="").geturl() if page.netloc == request.get_host() else "/"


def _is_way(request: HttpRequest, way: str) -> bool:
    is_ours = url_has_allowed_host_and_scheme(way, {request.get_host()}, require_https=request.is_secure())
    return is_ours and way.startswith("/") and len(way) <= MAX_LENGTH and _url_name(way) not in TRANSIT_PAGES


def _is_limit_reached(request: HttpRequest) -> bool:
    """True if too many sessions were begun from this network; its users return to the front page."""
    return is_spent("way_back", network_of(address_of(request)))


def _url_name(address: str) -> str:
    """The URL name of the page at an address; empty if there is none."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except Resolver404:
        return ""
