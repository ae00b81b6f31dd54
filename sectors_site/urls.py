"""The root URLs of the site."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.http import Http404
from django.urls import include, path
from django.views.defaults import page_not_found
from django.views.generic import RedirectView

from game.api.urls import nowhere
from sectors_site.security_txt import security_txt

# The admin's own form does not limit failed attempts; allauth's does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.index_title = "The moderation desk"

handler400 = "sectors_site.errors.bad_request"
handler500 = "sectors_site.errors.server_error"

urlpatterns = [
    path(".well-known/security.txt", security_txt, name="security_txt"),
    # The admin's own page neither limits attempts nor notifies the owner.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password"), name="staff_password"),
    # No page of the desk completes what is typed; the answers would have rows' keys, whose gaps count hidden rows.
    path("admin/autocomplete/", page_not_found, {"exception": Http404()}, name="no_completion"),
    path("admin/", admin.site.urls),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("api/v1/", include("game.api.urls")),
    path("api/", include(nowhere)),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("", include("game.urls")),
]
