"""URLs of a user's own pages."""

from allauth.mfa.recovery_codes.views import download_recovery_codes, view_recovery_codes
from allauth.usersessions.views import ListUserSessionsView
from django.urls import path

from accounts import token_pages, views
from accounts.at_once import one_at_a_time
from accounts.security import with_codes_locked
from accounts.security_forms import SignOutForm

urlpatterns = [
    path("accounts/preferences/", views.preferences, name="preferences"),
    path("accounts/tokens/", token_pages.tokens, name="tokens"),
    path("accounts/tokens/<int:number>/revoke/", token_pages.revoke_token, name="revoke_token"),
    path("accounts/tokens/revoke/", token_pages.revoke_tokens, name="revoke_tokens"),
    path(
        "accounts/sessions/",
        one_at_a_time(ListUserSessionsView.as_view(form_class=SignOutForm)),
        name="usersessions_list",
    ),
    path("accounts/2fa/recovery-codes/", with_codes_locked(view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "accounts/2fa/recovery-codes/download/",
        with_codes_locked(download_recovery_codes),
        name="mfa_download_recovery_codes",
    ),
    path("accounts/way-in/", views.way_in, name="way_in"),
    path("accounts/fresh-token/", views.fresh_token, name="fresh_token"),
    path("theme/", views.set_theme, name="set_theme"),
    path("language/", views.set_language, name="set_language"),
    path("mail/events/<slug:service>/", views.mail_events, name="mail_events"),
    path("sign-in/<str:token>/", views.sign_in_link, name="sign_in_link"),
]
