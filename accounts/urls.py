"""Addresses of a person's own pages."""

from django.urls import path

from accounts import views

urlpatterns = [
    path("accounts/preferences/", views.preferences, name="preferences"),
    path("theme/", views.set_theme, name="set_theme"),
    path("mail/unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("sign-in/<str:token>/", views.sign_in_link, name="sign_in_link"),
]
