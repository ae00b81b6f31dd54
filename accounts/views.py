"""A user's own pages: preferences, theme, language, and the sign-in link of a private copy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import resolve
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from accounts import addresses, guests, sign_ins, ways_back
from accounts.forms import LanguageForm, PreferencesForm, ThemeForm
from accounts.languages import override_language, remember_language
from accounts.middleware import remember_theme
from accounts.models import User

COMBINED_SERVICE = "mandrill"  # one webhook for sent and received mail
LINK_BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = PreferencesForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        user = form.save()
        with override_language(user.language):
            messages.success(request, gettext("Your preferences are saved."))
        response = redirect("preferences")
        remember_theme(response, user.theme)
        remember_language(response, user.language)
        return response
    context = {"form": form, "is_reachable": addresses.is_reachable(request.user)}
    return render(request, "accounts/preferences.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def fresh_token(request: HttpRequest) -> JsonResponse:
    """The user, and a CSRF token for the forms of a page that stayed open while its reader signed in again."""
    return JsonResponse({"person": request.user.get_username(), "token": get_token(request)})


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    return _store_choice(request, ThemeForm(request.POST), remember_theme, gettext("A theme is auto, light or dark."))


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    return _store_choice(request, LanguageForm(request.POST), remember_language, gettext("A language is en or de."))


def _store_choice(
    request: HttpRequest, form: Form, remember: Callable[[HttpResponse, str], None], choices_text: str
) -> HttpResponse:
    """Store a one-field choice with the account, and in a cookie for visitors."""
    if not form.is_valid():
        return HttpResponse(choices_text, status=422, content_type="text/plain")
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(**form.cleaned_data)
    response = HttpResponse(status=204) if request.headers.get("HX-Request") else redirect(_next_page(request))
    remember(response, *form.cleaned_data.values())
    return response


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def way_in(request: HttpRequest) -> HttpResponse:
    """Go from any page to sign-in or sign-up, and back afterwards."""
    ways_back.remember(request, request.POST.get("next", ""))
    return redirect("account_signup" if request.POST.get("to") == "sign_up" else "account_login")


@csrf_exempt
def mail_events(request: HttpRequest, service: str) -> HttpResponse:
    """Reports about our email from a service that django-anymail supports. It must send the secret that the operator
    has set; without a secret, this URL does not exist."""
    if not getattr(settings, "ANYMAIL", {}).get("WEBHOOK_SECRET"):
        raise Http404
    match = resolve(f"/{service}/" if service == COMBINED_SERVICE else f"/{service}/tracking/", "anymail.urls")
    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
    return response


@never_cache
@require_GET
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    if not sign_ins.is_link_allowed(request):
        raise Http404
    user = sign_ins.redeem_link(token)
    if user is None:
        messages.error(
            request, gettext("That link was already used or has expired. Restart the site to get a new one.")
        )
        return redirect("account_login")
    guest = guests.guest_of(request)
    login(request, user, backend=LINK_BACKEND)
    UserSession.objects.create_from_request(request)
    with suppress(guests.AccountEnded):  # the account cannot sign in, and its guest stays
        guests.merge_guests(guest, user, request)
    return redirect("/")


def _next_page(request: HttpRequest) -> str:
    page = request.POST.get("next", "")
    return (
        page
        if url_has_allowed_host_and_scheme(page, allowed_hosts={request.get_host()}, require_https=request.is_secure())
        else "/"
    )
