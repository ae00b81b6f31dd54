"""Answers to requests over a limit: headers, and sentences with the rate and when to retry."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import limits
from accounts.limits import AT_ONCE, DAY, HOUR, MINUTE, Limit, Usage
from accounts.sign_ins import address_of

RATES = {
    AT_ONCE: _("%(most)s at a time"),
    MINUTE: _("%(most)s a minute"),
    3 * MINUTE: _("%(most)s in 3 minutes"),
    5 * MINUTE: _("%(most)s in 5 minutes"),
    HOUR: _("%(most)s an hour"),
    DAY: _("%(most)s a day"),
}
REMEDIES = {
    "guest": _("An account does not have this limit."),
    "guess_account": _("Devices that signed in to the account before can still sign in. A new password ends the wait."),
}


def add_headers(response: HttpResponse, too_many: limits.TooMany) -> HttpResponse:
    """Add the headers that say when to retry."""
    for header, value in too_many.headers.items():
        response[header] = value
    return response


def network_of_request(request: HttpRequest) -> str:
    """The client's network, as limits count it."""
    return limits.network_of(address_of(request))


def describe_rate(limit: Limit) -> str:
    """`60 a minute`."""
    rate = RATES.get(limit.seconds, _("%(most)s in %(seconds)s seconds"))
    return str(rate) % {"most": limit.most, "seconds": limit.seconds}


def describe_refusal(usage: Usage) -> str:
    """Which limit is reached, its number, and that nothing was done."""
    limit = usage.limit
    sentence = gettext("The limit for %(what)s is %(rate)s, and it has been reached. Nothing was changed.")
    text = sentence % {"what": limit.what, "rate": describe_rate(limit)}
    remedy = REMEDIES.get(limit.name)
    return f"{text} {remedy}" if remedy else text


def describe_wait(usage: Usage) -> str:
    """`Try again in 5 minutes.`, rounded up."""
    wait = usage.left_seconds
    if wait < MINUTE:
        return ngettext("Try again in %(n)s second.", "Try again in %(n)s seconds.", wait) % {"n": wait}
    if wait <= HOUR:
        wait = -(-wait // MINUTE)
        return ngettext("Try again in %(n)s minute.", "Try again in %(n)s minutes.", wait) % {"n": wait}
    wait = -(-wait // HOUR)
    return ngettext("Try again in %(n)s hour.", "Try again in %(n)s hours.", wait) % {"n": wait}
