"""The way back from signing in, signing up or confirming who one is: kept in the session, and with an account until its
address is confirmed; never in an address, which logs and other sites would read."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect
from django.urls import Resolver404, resolve
from django.utils.encoding import iri_to_uri
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.limits import is_spent, network_of
from accounts.models import User
from accounts.sign_in_log import address_of

KEY = FIELD = "next"
LONGEST = 2_000
ASKING = frozenset(
    {
        "account_login",
        "account_signup",
        "account_change_password",
        "account_reauthenticate",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
    }
)
"""The pages that lead back to where one came from."""
ON_THE_WAY = ASKING - {"account_change_password"} | {
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
"""Pages to which nobody wants to come back."""


class WaysBack:
    """Takes the way back out of every address of a page that asks people who they are, wherever that address was made,
    and forgets it once they are led there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = request.get_full_path()
        is_opened = request.method in {"GET", "HEAD"} and FIELD in request.GET and _name_of(address) in ASKING
        response = HttpResponseRedirect(address) if is_opened else self.get_response(request)
        if isinstance(response, HttpResponseRedirect):
            self._lead(request, response)
        return response

    def _lead(self, request: HttpRequest, response: HttpResponse) -> None:
        to = urlsplit(response["Location"])
        if FIELD in (query := QueryDict(to.query, mutable=True)) and _name_of(to.path) in ASKING:
            (*_, way) = query.pop(FIELD)
            is_of_form = request.method == "POST" and _name_of(to.path) == "account_login"
            keep(request, _page_of_form(request) if is_of_form else way)
            response["Location"] = to._replace(query=query.urlencode()).geturl()
        elif response["Location"] == request.session.get(KEY):
            del request.session[KEY]


def keep(request: HttpRequest, way: str) -> None:
    """Come back there later, if it is a page of this site that one would want to come back to. The front page is where
    everybody comes without a way."""
    if way == "/":
        request.session.pop(KEY, None)
    elif _is_way(request, way) and (request.session.keys() or not _is_spent(request)):
        request.session[KEY] = iri_to_uri(way)


def kept(request: HttpRequest) -> str:
    """Where to go back to: as the form in this tab says, else as was kept in this browser, else with the account."""
    sent = request.POST.get(FIELD, "")
    if _is_way(request, sent):
        return sent
    return str(request.session.get(KEY) or getattr(request.user, "way_back", ""))


def leave_by(request: HttpRequest, page: str) -> HttpResponse:
    """To a page that asks who one is, and back to this one afterwards."""
    keep(request, request.get_full_path())
    return redirect(page)


def keep_with(user: User, way: str) -> None:
    """Keep it for another browser too, in which the address may be confirmed."""
    if way and not EmailAddress.objects.filter(user=user, verified=True).exists():
        user.way_back = way
        user.save(update_fields=["way_back"])


def forget(user: User) -> None:
    """The account is signed in to."""
    if user.way_back:
        user.way_back = ""
        user.save(update_fields=["way_back"])


def _page_of_form(request: HttpRequest) -> str:
    """The page from which a form was sent; what it was sent to shows nothing."""
    page = urlsplit(request.headers.get("Referer", ""))
    return page._replace(scheme="", netloc="").geturl() if page.netloc == request.get_host() else "/"


def _is_way(request: HttpRequest, way: str) -> bool:
    is_ours = url_has_allowed_host_and_scheme(way, {request.get_host()}, require_https=request.is_secure())
    return is_ours and way.startswith("/") and len(way) <= LONGEST and _name_of(way) not in ON_THE_WAY


def _is_spent(request: HttpRequest) -> bool:
    """Whether so many sessions were begun from there that no more are: their people come to the front page."""
    return is_spent("way_back", network_of(address_of(request)))


def _name_of(address: str) -> str:
    """Of the page there; empty where there is none."""
    try:
        return resolve(urlsplit(address).path).url_name or ""
    except Resolver404:
        return ""
